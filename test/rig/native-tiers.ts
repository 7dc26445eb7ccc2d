// SPDX-License-Identifier: MIT

/** The Rig's implementations other than TypeScript. */

import { compiledRigs } from '../../lib/rig/compiled';
import type { NativeKernels, RigImplementation } from '../../lib/rig/kernels/table';
import { canBeHere, skipReason, WASM } from '../support/implementations';

/** Implementations of the addon, best first. */
const ADDON_NAMES = ['strict/avx512', 'strict/avx2', 'strict/sse2', 'strict/neon', 'strict/scalar'];
export const NAMES = [...ADDON_NAMES, WASM];

/** Runs the same tests for each implementation of this machine. */
export function describeRigs(body: (implementation: RigImplementation) => void, names = NAMES): void {
    for (const name of names.filter(canBeHere)) {
        const entry = compiledRigs.find((rig) => rig.name === name);
        const skip = skipReason(name, entry?.reason);
        if (skip !== null) it.skip(`${name} [skipped: ${skip}]`, () => {});
        else describe(name, () => body(entry!.implementation!));
    }
}

/** For tests of features that only the addon has. */
export const describeAddonRigs = (body: (implementation: RigImplementation) => void) => describeRigs(body, ADDON_NAMES);

/** The addon's own functions; they return `false` for rejected arguments. */
export type Refusable = NativeKernels;

export function refusable(name: string, tables: unknown): ((slots: unknown) => Refusable | false) | false {
    const { addon } = require('../../lib/addon/load') as {
        addon: { rigs: { name: string; load: (tables: unknown) => ReturnType<typeof refusable> }[] };
    };
    return addon.rigs.find((rig) => rig.name === name)!.load(tables);
}
