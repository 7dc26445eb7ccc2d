// SPDX-License-Identifier: MIT

import type { PoseKernels } from './contract';
import type { createEvaluate } from './evaluate';
import type { createPalettes } from './gather';
import type { createToGlobal } from './to-global';

/** Runs the three kernels on tiles of poses. A tile has as many poses as `data` holds. */
export function createBakePalettes(
    evaluate: ReturnType<typeof createEvaluate>,
    toGlobal: ReturnType<typeof createToGlobal>,
    palettes: ReturnType<typeof createPalettes>,
): PoseKernels['bakePalettes'] {
    return (data, capacity, clips, times, wrap, count, skin, out, format) => {
        for (let first = 0; first < count; first += capacity) {
            const here = Math.min(capacity, count - first);
            evaluate(data, here, clips, times, wrap, first);
            toGlobal(data, here, -1);
            palettes(data, here, skin, out, format, first);
        }
    };
}
