// SPDX-License-Identifier: MIT

/** The layout `qts16`: converts matrices to its rows. */

import { PIVOT_FLOATS } from '../../format/qts';
import { rotationMatrix } from '../../rig/measure/geometry';

export interface Mixing {
    /** For `qts16`, `[column][4]`: lib/format/qts.ts. Null for matrices. */
    readonly pivots: Float32Array | null;
    /** Numbers of a row in the form that players interpolate. */
    readonly mixedFloats: number;
}

/**
 * Origins of the columns in the input space of their matrices, x y z and a 0: no column is stretched. 0 for attachments,
 * and for joints whose inverse bind matrix is singular.
 *
 * @param inverseBinds Column-major 4x4.
 */
export function pivotsOf(inverseBinds: Float32Array): Float32Array {
    const pivots = new Float32Array((inverseBinds.length / 16) * PIVOT_FLOATS);
    for (let m = 0, p = 0; m < inverseBinds.length; m += 16, p += PIVOT_FLOATS) {
        const [c0, c1, c2, origin] = [m, m + 4, m + 8, m + 12];
        const whole = -determinant(inverseBinds, c0, c1, c2);
        // Cramer's rule. Adding 0 turns -0 into +0.
        pivots[p] = determinant(inverseBinds, origin, c1, c2) / whole + 0;
        pivots[p + 1] = determinant(inverseBinds, c0, origin, c2) / whole + 0;
        pivots[p + 2] = determinant(inverseBinds, c0, c1, origin) / whole + 0;
        const sum = pivots[p]! + pivots[p + 1]! + pivots[p + 2]!;
        if (sum - sum !== 0) pivots.fill(0, p, p + 3);
    }
    return pivots;
}

/** Determinant of the matrix with three columns, given by their indices in `m`. */
function determinant(m: Float32Array, a: number, b: number, c: number): number {
    return (
        m[a]! * (m[b + 1]! * m[c + 2]! - m[b + 2]! * m[c + 1]!) +
        m[a + 1]! * (m[b + 2]! * m[c]! - m[b]! * m[c + 2]!) +
        m[a + 2]! * (m[b]! * m[c + 1]! - m[b + 1]! * m[c]!)
    );
}

/** Work space of the decomposition: the linear part of a matrix, column by column, and its rotation x y z w. */
const linear = new Float64Array(9);
const rotation = new Float64Array(4);

/**
 * Decomposes a matrix into a rotation, a uniform scale, and the position of the pivot.
 *
 * @param out Receives the column's 8 numbers at `to`.
 * @param before Index in `out` of the same column in the row before; -1 for the first row of a clip.
 * @param palette Column-major 4x4 at `m`; its pivot is at `p` in `pivots`.
 * @returns Maximum error of an element of the linear part, relative to the scale. Only rounding if scale is uniform and
 * there is no shear.
 */
export function takeApart(
    out: Float32Array,
    to: number,
    before: number,
    palette: Float32Array,
    m: number,
    pivots: Float32Array,
    p: number,
): number {
    let square = 0;
    for (let k = 0; k < 9; k++) {
        linear[k] = palette[m + k + (k < 3 ? 0 : k < 6 ? 1 : 2)]!;
        square += linear[k]! * linear[k]!;
    }
    const size = Math.sqrt(square / 3);
    const scale = determinant(palette, m, m + 4, m + 8) < 0 ? -size : size;
    if (size > 0) setRotation(scale);
    // A matrix with scale 0 has no rotation. Repeating the row before avoids a turn between rows.
    else for (let k = 0; k < 4; k++) rotation[k] = before < 0 ? (k === 3 ? 1 : 0) : out[before + k]!;
    for (let k = 0; k < 4; k++) out[to + k] = rotation[k]!;
    for (let axis = 0; axis < 3; axis++) out[to + 4 + axis] = pivotAt(axis, palette, m, pivots, p);
    out[to + 7] = scale;
    return size > 0 ? linearError(scale) : 0;
}

/** A coordinate of the position of the pivot under a matrix. */
function pivotAt(axis: number, palette: Float32Array, m: number, pivots: Float32Array, p: number): number {
    const [x, y, z] = [palette[m + axis]!, palette[m + 4 + axis]!, palette[m + 8 + axis]!];
    return x * pivots[p]! + y * pivots[p + 1]! + z * pivots[p + 2]! + palette[m + 12 + axis]!;
}

/** Writes a row of the matrix of a stretched column: of its linear part, and the position of the pivot. */
export function stretchedRow(
    out: Float32Array,
    to: number,
    axis: number,
    palette: Float32Array,
    m: number,
    pivots: Float32Array,
    p: number,
): void {
    for (let k = 0; k < 3; k++) out[to + k] = palette[m + k * 4 + axis]!;
    out[to + 3] = pivotAt(axis, palette, m, pivots, p);
}

/** Picks the sign of a rotation: the hemisphere of the row before, or w >= 0 in a first row. */
export function takeHemisphere(out: Float32Array, to: number, before: number): void {
    let dot = before < 0 ? out[to + 3]! : 0;
    for (let k = 0; before >= 0 && k < 4; k++) dot += out[before + k]! * out[to + k]!;
    for (let k = to; dot < 0 && k < to + 4; k++) out[k] = 0 - out[k]!;
}

/** Sets the rotation of `linear`. Uses the formula for the largest component. */
function setRotation(scale: number): void {
    const [a, d, g] = [linear[0]! / scale, linear[1]! / scale, linear[2]! / scale];
    const [b, e, h] = [linear[3]! / scale, linear[4]! / scale, linear[5]! / scale];
    const [c, f, i] = [linear[6]! / scale, linear[7]! / scale, linear[8]! / scale];
    const traces = [1 + a - e - i, 1 - a + e - i, 1 - a - e + i, 1 + a + e + i] as const;
    let most = 3;
    for (let k = 0; k < 3; k++) if (traces[k]! > traces[most]!) most = k;
    const trace = traces[most]!;
    if (most === 0) setUnit(trace, b + d, c + g, h - f);
    else if (most === 1) setUnit(b + d, trace, f + h, c - g);
    else if (most === 2) setUnit(c + g, f + h, trace, d - b);
    else setUnit(h - f, c - g, d - b, trace);
}

function setUnit(x: number, y: number, z: number, w: number): void {
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    rotation[0] = x / length;
    rotation[1] = y / length;
    rotation[2] = z / length;
    rotation[3] = w / length;
}

/** Distance of `linear` from `rotation` x `scale`, relative to that scale. */
function linearError(scale: number): number {
    const matrix = rotationMatrix(rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!);
    let max = 0;
    for (let k = 0; k < 9; k++) {
        const off = linear[k]! / scale - matrix[k]!;
        if (!((off < 0 ? -off : off) <= max)) max = off < 0 ? -off : off;
    }
    return max;
}
