// SPDX-License-Identifier: MIT

import { LANES } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import type { Blocks } from './blocks';

export function createBlend(blocks: Blocks): PoseKernels['blend'] {
    const { region, tables, view, blockAt, inBlock, copyInLocals, copyOutLocals, run, heap } = blocks;
    return (out, a, b, count, amounts, mask, additive, reference, each) => {
        for (let i = 0; mask !== null && i < tables.slots; i++) heap.floats[(region.mask >>> 2) + i] = mask[i]!;
        for (let i = 0; i * LANES < count; i++) {
            const poses = inBlock(count, i);
            blocks.copyWeights(amounts, i * LANES, poses);
            const to = blockAt(out, i);
            const first = a === out ? to : blockAt(a, i, 1);
            const second = b === out ? to : blockAt(b, i, 2);
            copyInLocals(to, out, i);
            if (a !== out) copyInLocals(first, a, i);
            if (b !== out) copyInLocals(second, b, i);
            const masked = mask === null ? 0 : region.mask;
            const from = reference === null ? 0 : blockAt(reference, each ? i : 0, 3);
            if (reference !== null) copyInLocals(from, reference, each ? i : 0);
            const add = additive ? 1 : 0;
            const own = each ? 1 : 0;
            run.blend!(region.view, view, to, first, second, poses, region.weights, masked, add, from, own);
            copyOutLocals(to, out, i);
        }
    };
}
