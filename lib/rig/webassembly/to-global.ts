// SPDX-License-Identifier: MIT

import { LANES } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import type { Blocks } from './blocks';

export function createToGlobal(blocks: Blocks): PoseKernels['toGlobal'] {
    const { region, view, locals, globals, blockAt, inBlock, copyIn, copyOut, run } = blocks;
    return (data, count, from) => {
        for (let b = 0; b * LANES < count; b++) {
            const at = blockAt(data, b);
            copyIn(at, data, b, 0, locals + globals);
            run.toGlobal!(region.view, view, at, inBlock(count, b), from);
            copyOut(at, data, b, locals, globals);
        }
    };
}
