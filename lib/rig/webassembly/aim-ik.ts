// SPDX-License-Identifier: MIT

import { AIM_PATH, LANES } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import type { Blocks } from './blocks';

export function createAimIk(blocks: Blocks): PoseKernels['aimIk'] {
    const { region, locals, globals, view, blockAt, inBlock, copyIn, copyOut, run, heap } = blocks;
    return (data, count, path, until, length, settings, targets, weights) => {
        const { floats, ints } = heap;
        // Pieces of the tile: targets, path and parts. `Aim` follows.
        const at = region.tile >>> 2;
        const [pathAt, parts] = [at + 3 * LANES, at + 3 * LANES + AIM_PATH];
        const aim = parts + AIM_PATH;
        ints.set(path, pathAt);
        floats.set(until, parts);
        for (const [i, number] of [length, pathAt * 4, parts * 4, region.tile, region.weights].entries()) {
            ints[aim + i] = number;
        }
        floats.set(settings, aim + 5);
        for (let b = 0; b * LANES < count; b++) {
            const [poses, block, first] = [inBlock(count, b), blockAt(data, b), b * LANES];
            copyIn(block, data, b, 0, locals + globals);
            for (let i = 0; i < poses * 3; i++) floats[at + i] = targets[first * 3 + i]!;
            blocks.copyWeights(weights, first, poses);
            run.aimIk!(region.view, view, block, poses, aim * 4);
            copyOut(block, data, b, 0, locals + globals);
        }
    };
}
