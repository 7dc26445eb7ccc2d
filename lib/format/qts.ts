// SPDX-License-Identifier: MIT

/** Rows of `qts16`: per column a quaternion, the position of its pivot, and a scale, below 0 if it mirrors. */

import { type Mix, mixRotation } from './rotation';

export const QTS_FLOATS = 8;

/** Interpolates rows: rotations linearly on the shorter arc and normalized, pivots and scales linearly. */
export const mixQts: Mix = (out, to, a, at, b, bt, floats, part) => {
    for (let i = 0; i < floats; i += QTS_FLOATS) {
        mixRotation(out, to + i, a, at + i, b, bt + i, 4, part);
        for (let k = i + 4; k < i + QTS_FLOATS; k++) {
            const from = a[at + k]!;
            out[to + k] = from + (b[bt + k]! - from) * part[0]!;
        }
    }
};

/**
 * Converts rows to column-major 4x4 matrices. In double precision, rounded to the type of `out`. Quaternions can have
 * any length but 0.
 *
 * @param out Output, `[row][column][16]`, from its beginning.
 * @param rows `[row][column][8]`.
 * @param floats Number of floats to convert.
 * @param pivots `[column][3]`: the pivots in the input space of the matrices.
 */
export function matricesOfQts(
    out: Float32Array | Float64Array,
    rows: Float32Array,
    pivots: Float32Array,
    floats = rows.length,
): void {
    for (let i = 0, m = 0, p = 0; i < floats; i += QTS_FLOATS, m += 16, p = (p + 3) % pivots.length) {
        const [x, y, z, w] = [rows[i]!, rows[i + 1]!, rows[i + 2]!, rows[i + 3]!];
        const s = rows[i + 7]!;
        const n = (2 * s) / (x * x + y * y + z * z + w * w);
        const [a, b, c] = [s - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y)];
        const [d, e, f] = [n * (x * y + w * z), s - n * (x * x + z * z), n * (y * z - w * x)];
        const [g, h, k] = [n * (x * z - w * y), n * (y * z + w * x), s - n * (x * x + y * y)];
        const [px, py, pz] = [pivots[p]!, pivots[p + 1]!, pivots[p + 2]!];
        out[m] = a;
        out[m + 1] = d;
        out[m + 2] = g;
        out[m + 3] = 0;
        out[m + 4] = b;
        out[m + 5] = e;
        out[m + 6] = h;
        out[m + 7] = 0;
        out[m + 8] = c;
        out[m + 9] = f;
        out[m + 10] = k;
        out[m + 11] = 0;
        out[m + 12] = rows[i + 4]! - (a * px + b * py + c * pz);
        out[m + 13] = rows[i + 5]! - (d * px + e * py + f * pz);
        out[m + 14] = rows[i + 6]! - (g * px + h * py + k * pz);
        out[m + 15] = 1;
    }
}
