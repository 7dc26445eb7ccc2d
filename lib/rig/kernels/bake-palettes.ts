// SPDX-License-Identifier: MIT

import type { Wrap } from '../../base/call-arguments';
import type { PaletteFormat } from './contract';
import type { createEvaluate } from './evaluate';
import type { createPalettes } from './gather';
import type { createToGlobal } from './to-global';

/**
 * Runs the three kernels on tiles of poses. A tile has as many poses as `data` holds.
 *
 * @param block Floats of the block that is used where no poses are kept.
 */
export function createBakePalettes(
    block: number,
    evaluate: ReturnType<typeof createEvaluate>,
    toGlobal: ReturnType<typeof createToGlobal>,
    palettes: ReturnType<typeof createPalettes>,
) {
    let own: Float32Array | undefined;
    return (
        kept: Float32Array | null,
        capacity: number,
        clips: number | Uint16Array,
        times: Float32Array | Float64Array,
        wrap: Wrap,
        count: number,
        skin: number,
        out: Float32Array,
        format: PaletteFormat,
    ): void => {
        if (kept === null) own ??= new Float32Array(block);
        const data = kept ?? own!;
        for (let first = 0; first < count; first += capacity) {
            const here = Math.min(capacity, count - first);
            evaluate(data, here, clips, times, wrap, first);
            toGlobal(data, here, -1);
            palettes(data, here, skin, out, format, first);
        }
    };
}
