// SPDX-License-Identifier: MIT

/** The Rig in the addon, tier by tier, for tests. */

import type { RigImplementation } from '../../lib/rig/kernels/contract';
import { nativeRigs } from '../../lib/rig/native';
import { canBeHere, skipReason } from '../support/implementations';

/** Best first. */
export const NAMES = ['strict/avx512', 'strict/avx2', 'strict/sse2', 'strict/neon', 'strict/scalar'];

/** The same tests for every tier that runs here. */
export function describeRigs(body: (implementation: RigImplementation) => void): void {
    for (const name of NAMES.filter(canBeHere)) {
        const entry = nativeRigs.find((rig) => rig.name === name);
        const skip = skipReason(name, entry?.reason);
        if (skip !== null) it.skip(`${name} [skipped: ${skip}]`, () => {});
        else describe(name, () => body(entry!.implementation!));
    }
}

/** The addon's own functions: `false` where they refuse. */
export type Refusable = Record<
    'evaluate' | 'blend' | 'toGlobal' | 'palettes' | 'joints' | 'bakePalettes' | 'skinVertices' | 'bounds',
    (...args: unknown[]) => unknown
>;

export function refusable(name: string, tables: unknown): ((slots: unknown) => Refusable | false) | false {
    const { addon } = require('../../lib/addon/load') as {
        addon: { rigs: { name: string; load: (tables: unknown) => ReturnType<typeof refusable> }[] };
    };
    return addon.rigs.find((rig) => rig.name === name)!.load(tables);
}
