// SPDX-License-Identifier: MIT

import type { RigImplementation } from '../kernel-contract';
import { createBlend } from './blend';
import { createEvaluate } from './evaluate';
import { createJoints, createPalettes } from './gather';
import { createToGlobal } from './to-global';

/** The kernels in TypeScript, to read: one file for each of them. */
export const typescriptRig: RigImplementation = {
    name: 'strict/typescript',
    load: (tables) => ({
        select: (slots) => ({
            evaluate: createEvaluate(tables, slots),
            blend: createBlend(tables, slots),
            toGlobal: createToGlobal(tables, slots),
            palettes: createPalettes(tables, slots),
            joints: createJoints(tables, slots),
        }),
    }),
};
