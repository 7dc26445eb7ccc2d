// SPDX-License-Identifier: MIT

/**
 * Rows of `qts16`, in texels of four numbers. Each column has two: a quaternion; the position of its pivot, and a scale
 * below 0 if it mirrors. A stretched column, with unequal scale or shear, has the rows of a 3x4 matrix: the linear part,
 * and the position of the pivot. Its third row comes after the texels of all columns.
 *
 * `pivots` describes the columns, `[column][4]`: the pivot in the input space of matrices, x y z, and the texel of the
 * third row; 0 for a column that is not stretched.
 */

import { type Mix, mixRotation } from './rotation';

export const QTS_FLOATS = 8;
export const PIVOT_FLOATS = 4;
export const TEXEL = 4;

/** Numbers of a row. */
export function qtsRowFloats(pivots: Float32Array): number {
    let texels = (pivots.length / PIVOT_FLOATS) * 2;
    for (let third = 3; third < pivots.length; third += PIVOT_FLOATS) texels = Math.max(texels, pivots[third]! + 1);
    return texels * TEXEL;
}

/** Interpolates a row: rotations linearly on the shorter arc and normalized, all other numbers linearly. */
export const mixQts: Mix = (out, to, a, at, b, bt, floats, part, pivots) => {
    for (let i = 0; i < floats; i += TEXEL) {
        if (i % QTS_FLOATS === 0 && pivots![i / 2 + 3] === 0) {
            mixRotation(out, to + i, a, at + i, b, bt + i, 4, part);
            continue;
        }
        for (let k = i; k < i + TEXEL; k++) {
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
 * @param floats Number of floats to convert.
 */
export function matricesOfQts(
    out: Float32Array | Float64Array,
    rows: Float32Array,
    pivots: Float32Array,
    floats = rows.length,
): void {
    const width = qtsRowFloats(pivots);
    for (let row = 0, m = 0; row < floats; row += width) {
        for (let p = 0, i = row; p < pivots.length; p += PIVOT_FLOATS, i += QTS_FLOATS, m += 16) {
            const [px, py, pz, texel] = [pivots[p]!, pivots[p + 1]!, pivots[p + 2]!, pivots[p + 3]!];
            const third = row + texel * TEXEL;
            let [a, b, c, x] = [rows[i]!, rows[i + 1]!, rows[i + 2]!, rows[i + 3]!];
            let [d, e, f, y] = [rows[i + 4]!, rows[i + 5]!, rows[i + 6]!, rows[i + 7]!];
            let [g, h, k, z] = [rows[third]!, rows[third + 1]!, rows[third + 2]!, rows[third + 3]!];
            if (texel === 0) {
                const [qx, qy, qz, qw, s] = [a, b, c, x, y];
                const n = (2 * s) / (qx * qx + qy * qy + qz * qz + qw * qw);
                [x, y, z] = [d, e, f];
                [a, b, c] = [s - n * (qy * qy + qz * qz), n * (qx * qy - qw * qz), n * (qx * qz + qw * qy)];
                [d, e, f] = [n * (qx * qy + qw * qz), s - n * (qx * qx + qz * qz), n * (qy * qz - qw * qx)];
                [g, h, k] = [n * (qx * qz - qw * qy), n * (qy * qz + qw * qx), s - n * (qx * qx + qy * qy)];
            }
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
            out[m + 12] = x - (a * px + b * py + c * pz);
            out[m + 13] = y - (d * px + e * py + f * pz);
            out[m + 14] = z - (g * px + h * py + k * pz);
            out[m + 15] = 1;
        }
    }
}
