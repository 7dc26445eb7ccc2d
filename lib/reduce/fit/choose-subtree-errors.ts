// SPDX-License-Identifier: MIT

import type { NativeRig } from '../../addon/addon';
import { addon } from '../../addon/load';
import { evaluationImplementation } from '../../rig/implementations';
import { type SubtreeErrors, subtreeErrorsTwin } from './subtree-errors';

/**
 * The addon's functions, by the name of the implementation that evaluates poses. WebAssembly has none, because pages
 * would download it and reduce runs only in Node.
 */
export const nativeSubtreeErrors: ReadonlyMap<string, SubtreeErrors> = new Map(
    (addon?.rigs ?? []).flatMap(({ name, subtreeErrors }) =>
        subtreeErrors === undefined ? [] : [[name, beforeTwin(subtreeErrors)] as const],
    ),
);

/** Uses the twin for an empty list, which the addon rejects. */
function beforeTwin(native: NonNullable<NativeRig['subtreeErrors']>): SubtreeErrors {
    return (...args) => {
        const worst = native(...args);
        return typeof worst === 'number' ? worst : subtreeErrorsTwin(...args);
    };
}

export const subtreeErrors: SubtreeErrors = nativeSubtreeErrors.get(evaluationImplementation) ?? subtreeErrorsTwin;
