// SPDX-License-Identifier: MIT

import type { PoseKernels } from './contract';
import type { createEvaluate } from './evaluate';
import type { createPalettes } from './gather';

/** The three kernels in turn, for as many poses as there is room for at a time. */
export function createBakePalettes(
    evaluate: ReturnType<typeof createEvaluate>,
    toGlobal: PoseKernels['toGlobal'],
    palettes: ReturnType<typeof createPalettes>,
): PoseKernels['bakePalettes'] {
    return (data, hints, capacity, clips, times, wrap, count, skin, out, format) => {
        for (let first = 0; first < count; first += capacity) {
            const here = Math.min(capacity, count - first);
            evaluate(data, hints, here, clips, times, wrap, first);
            toGlobal(data, here);
            palettes(data, here, skin, out, format, first);
        }
    };
}
