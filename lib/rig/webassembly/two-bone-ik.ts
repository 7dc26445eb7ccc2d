// SPDX-License-Identifier: MIT

import { LANES } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import type { Blocks } from './blocks';

export function createTwoBoneIk(blocks: Blocks): PoseKernels['twoBoneIk'] {
    const { region, locals, globals, view, blockAt, inBlock, copyIn, copyOut, run, heap } = blocks;
    return (data, count, chain, settings, targets, poles, weights, reached) => {
        const { floats, ints, bytes } = heap;
        // Pieces of the tile: targets, poles and results. `Limb` follows.
        const at = region.tile >>> 2;
        const [polesAt, results] = [at + 3 * LANES, at + 6 * LANES];
        const limb = results + LANES / 4;
        ints.set(chain, limb);
        ints[limb + 3] = settings[3]!;
        for (let i = 0; i < 3; i++) {
            floats[limb + 4 + i] = settings[i]!;
            floats[limb + 7 + i] = settings[4 + i]!;
        }
        ints[limb + 10] = region.tile;
        ints[limb + 11] = poles === null ? 0 : polesAt * 4;
        ints[limb + 12] = region.weights;
        ints[limb + 13] = reached === null ? 0 : results * 4;
        for (let b = 0; b * LANES < count; b++) {
            const [poses, block, first] = [inBlock(count, b), blockAt(data, b), b * LANES];
            copyIn(block, data, b, 0, locals + globals);
            for (let i = 0; i < poses * 3; i++) {
                floats[at + i] = targets[first * 3 + i]!;
                if (poles !== null) floats[polesAt + i] = poles[first * 3 + i]!;
            }
            blocks.copyWeights(weights, first, poses);
            run.twoBoneIk!(region.view, view, block, poses, limb * 4);
            for (let i = 0; reached !== null && i < poses; i++) reached[first + i] = bytes[results * 4 + i]!;
            copyOut(block, data, b, 0, locals);
        }
    };
}
