// SPDX-License-Identifier: MIT

/** The Rig's kernels in WebAssembly. Blocks of poses are copied into its memory, and results out of it. */

import type { Module } from '../../webassembly/api';
import { allocate, FULL, floatsIn, type Heap, place, reserve } from '../../webassembly/heap';
import { blockFloats, LANES, type RigTables } from '../kernels/contract';
import type { PoseKernels, RigImplementation, RigKernels } from '../kernels/table';
import { once } from '../once';
import { createAimIk } from './aim-ik';
import { createBakePalettes } from './bake-palettes';
import { createBlend } from './blend';
import { createBlocks, type Region } from './blocks';
import { createCastRays } from './cast-rays';
import { createEvaluate, createEvaluateBlock } from './evaluate';
import { createJoints } from './joints';
import { createPaletteBlock, createPalettes } from './palettes';
import { loadSkinning } from './skinning';
import { loadRig } from './tables';
import { createToGlobal } from './to-global';
import { createTwoBoneIk } from './two-bone-ik';

/** Bytes of `BlockTimes`: the number of poses, 16 clips, and at 72 the times. */
const TIMES_BYTES = 200;

/** The implementation over a module that is compiled when it is first asked for. */
export function webassemblyRig(name: string, module: () => Module): RigImplementation {
    return {
        name,
        load: (tables) => loadPoses(module, tables),
        skinning: { load: (tables) => loadSkinning(module, tables) },
    };
}

function beginRegion(heap: Heap, tables: RigTables): Region {
    const rig = loadRig(heap, tables, []);
    const tileJoints = tables.skins.reduce((max, { joints }) => Math.max(max, joints.length), 64);
    const region: Region = {
        ...rig,
        kernelsOf: once((slots) => poseKernels(createBlocks(region, tables, slots))),
        times: allocate(heap, TIMES_BYTES),
        weights: allocate(heap, LANES * 4),
        mask: allocate(heap, tables.slots * 4),
        tileJoints,
        tile: allocate(heap, tileJoints * 16 * LANES * 4),
        places: allocate(heap, tileJoints * 4),
        stages: [0, 1, 2, 3].map(() => allocate(heap, blockFloats(tables.slots, tables.restWeights.length) * 4)),
    };
    return region;
}

/**
 * Stores poses in the memory of the rig's tables. If that memory is full, the tables are also loaded into a new one.
 */
function loadPoses(module: () => Module, tables: RigTables): RigKernels {
    let last: Region | undefined;
    const within = <Made>(make: (region: Region) => Made): Made => {
        try {
            if (last !== undefined) return make(last);
        } catch (error) {
            if (error !== FULL) throw error;
        }
        return place(module(), (heap) => {
            const region = beginRegion(heap, tables);
            // Reserves room for later poses, because loading large tables again would be expensive.
            if (!heap.fixed) reserve(heap, 2 * heap.end);
            const made = make(region);
            last = region;
            return made;
        });
    };
    return {
        select: (slots) => within(({ kernelsOf }) => kernelsOf(slots)),
        allocate: (slots, floats) =>
            within(({ heap, kernelsOf }) => {
                const kernels = kernelsOf(slots);
                return { kernels, data: floatsIn(heap, floats) };
            }),
    };
}

function poseKernels(blocks: ReturnType<typeof createBlocks>): PoseKernels {
    const evaluateBlock = createEvaluateBlock(blocks);
    const paletteBlock = createPaletteBlock(blocks);
    return {
        evaluate: createEvaluate(blocks, evaluateBlock),
        blend: createBlend(blocks),
        toGlobal: createToGlobal(blocks),
        palettes: createPalettes(blocks, paletteBlock),
        joints: createJoints(blocks),
        castRays: createCastRays(blocks),
        twoBoneIk: createTwoBoneIk(blocks),
        aimIk: createAimIk(blocks),
        bakePalettes: createBakePalettes(blocks, evaluateBlock, paletteBlock),
    };
}
