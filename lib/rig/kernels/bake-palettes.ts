// SPDX-License-Identifier: MIT

import type { PoseKernels } from './contract';
import type { createEvaluate } from './evaluate';
import type { createPalettes } from './gather';

/** Runs the three kernels in turn, on as many poses at a time as `data` has room for. */
export function createBakePalettes(
    evaluate: ReturnType<typeof createEvaluate>,
    toGlobal: PoseKernels['toGlobal'],
    palettes: ReturnType<typeof createPalettes>,
): PoseKernels['bakePalettes'] {
    return (data, capacity, clips, times, wrap, count, skin, out, format) => {
        for (let first = 0; first < count; first += capacity) {
            const here = Math.min(capacity, count - first);
            evaluate(data, here, clips, times, wrap, first);
            toGlobal(data, here);
            palettes(data, here, skin, out, format, first);
        }
    };
}
