// SPDX-License-Identifier: MIT

import { LANES } from '../kernels/contract';
import type { PoseKernels } from '../kernels/table';
import type { Blocks } from './blocks';
import type { createEvaluateBlock } from './evaluate';
import type { createPaletteBlock } from './palettes';

export function createBakePalettes(
    { region, view, floats, blockAt, inBlock, copyIn, copyOut, run }: Blocks,
    evaluateBlock: ReturnType<typeof createEvaluateBlock>,
    paletteBlock: ReturnType<typeof createPaletteBlock>,
): PoseKernels['bakePalettes'] {
    return (data, capacity, clips, times, wrap, count, skin, out, format) => {
        for (let first = 0; first < count; first += capacity) {
            const here = Math.min(capacity, count - first);
            for (let b = 0; b * LANES < here; b++) {
                const [poses, at] = [inBlock(here, b), data === null ? region.stages[0]! : blockAt(data, b)];
                if (data !== null && poses < LANES) copyIn(at, data, b, 0, floats);
                evaluateBlock(at, poses, clips, times, wrap, first + b * LANES);
                run.toGlobal!(region.view, view, at, poses, -1);
                paletteBlock(at, poses, skin, out, format === 'mat4', first + b * LANES);
                if (data !== null) copyOut(at, data, b, 0, floats);
            }
        }
    };
}
