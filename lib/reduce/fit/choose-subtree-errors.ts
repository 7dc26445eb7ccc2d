// SPDX-License-Identifier: MIT

import type { NativeRig } from '../../addon/addon';
import { addon } from '../../addon/load';
import { evaluationImplementation } from '../../rig/implementations';
import { type SubtreeErrors, subtreeErrorsTwin } from './subtree-errors';

/**
 * The addon's functions, by the implementation that evaluates poses. WebAssembly has none: pages would download it, and reduce runs in Node
 * alone.
 */
export const nativeSubtreeErrors: ReadonlyMap<string, SubtreeErrors> = new Map(
    (addon?.rigs ?? []).flatMap(({ name, subtreeErrors }) =>
        subtreeErrors === undefined ? [] : [[name, beforeTwin(subtreeErrors)] as const],
    ),
);

/** What the addon refuses (a list without elements), the twin is given. */
function beforeTwin(native: NonNullable<NativeRig['subtreeErrors']>): SubtreeErrors {
    return (...args) => {
        const worst = native(...args);
        return typeof worst === 'number' ? worst : subtreeErrorsTwin(...args);
    };
}

export const subtreeErrors: SubtreeErrors = nativeSubtreeErrors.get(evaluationImplementation) ?? subtreeErrorsTwin;
