// SPDX-License-Identifier: MIT
// Twin: native/rig/table.h

import { createBakePalettes } from './bake-palettes';
import { createBlend } from './blend';
import { createCastRays } from './cast-rays';
import type { RigImplementation, SkinningImplementation } from './contract';
import { createEvaluate } from './evaluate';
import { createJoints, createPalettes } from './gather';
import { createBounds } from './skin-bounds';
import { createSkinScratch } from './skin-matrices';
import { createSkinVertices } from './skin-vertices';
import { createToGlobal } from './to-global';

/** Skinning in TypeScript. */
export const typescriptSkinning: SkinningImplementation = {
    load: (tables) => {
        const scratch = createSkinScratch(tables);
        return {
            select: (slots) => ({
                skinVertices: createSkinVertices(tables, slots, scratch),
                bounds: createBounds(tables, slots, scratch),
            }),
        };
    },
};

/** The kernels in TypeScript, to read: one file for each of them. */
export const typescriptRig: RigImplementation = {
    name: 'strict/typescript',
    load: (tables) => ({
        select: (slots) => {
            const evaluate = createEvaluate(tables, slots);
            const toGlobal = createToGlobal(tables, slots);
            const palettes = createPalettes(tables, slots);
            return {
                evaluate,
                blend: createBlend(tables, slots),
                toGlobal,
                palettes,
                joints: createJoints(tables, slots),
                castRays: createCastRays(tables, slots),
                bakePalettes: createBakePalettes(evaluate, toGlobal, palettes),
            };
        },
    }),
    skinning: typescriptSkinning,
};
