// SPDX-License-Identifier: MIT

import { matricesOfQts, mixQts, qtsRowFloats } from '../../format/qts';
import { squaredDistance } from '../../rig/measure/displacement';
import { SAMPLES } from '../rows/batch-size';
import { HELD, type PlaybackError } from './playback-error';

/**
 * Judges playback of `qts16` rows as for matrices. `rows` are `intervals + 1` rows, interpolated as players do.
 *
 * @param pivots Those of the judged columns: lib/format/qts.ts.
 */
export function qtsPlaybackError(pivots: Float32Array): PlaybackError {
    return (max, rows, samples, nearest, columns, boxes) => {
        const [width, matrices] = [qtsRowFloats(pivots), columns * 16];
        const mixed = new Float32Array(width);
        const shown = new Float64Array(matrices);
        const part = new Float64Array(1);
        let before = new Float64Array(matrices);
        let after = new Float64Array(matrices);
        matricesOfQts(after, rows.subarray(0, width), pivots);
        for (let interval = 0; interval < nearest.length; interval++) {
            const [at, next] = [interval * width, (interval + 1) * width];
            [before, after] = [after, before];
            matricesOfQts(after, rows.subarray(next, next + width), pivots);
            if (nearest[interval] === HELD) continue;
            for (let k = 1; k <= SAMPLES; k++) {
                part[0] = k / (SAMPLES + 1);
                mixQts(mixed, 0, rows, at, rows, next, width, part, pivots);
                matricesOfQts(shown, mixed, pivots);
                const sample = (interval * SAMPLES + k - 1) * matrices;
                const meant = samples.subarray(sample, sample + matrices);
                max[0] = squaredDistance(boxes, shown, meant, max[0]!);
                const row = k <= nearest[interval]! ? before : after;
                // A caller that does not need the nearest row passes Infinity.
                if (max[1]! < Infinity) max[1] = squaredDistance(boxes, row, meant, max[1]!);
            }
        }
    };
}
