// SPDX-License-Identifier: MIT

/**
 * Interpolates between two keys in double precision (glTF 2.0, appendix C). It uses no function whose last bits differ
 * between machines. Slerp's sines are the polynomials of the strict kernels, within 5.3e-9.
 */

import { PS9 } from './coefficients';

/** Row by row. */
const COEFFICIENTS = Float64Array.from(PS9.flat());

/**
 * B of one angle as a polynomial in T = t², and y. Set by `prepareWeights`, read by `weightAt`. An array, because V8
 * boxes variables.
 */
const prepared = new Float64Array(5);

/**
 * Sets the angle for `weightAt` by its cosine. A negative one is negated (the shorter way), one above 1 is taken as 1.
 *
 * @returns Whether the second key's sign must be changed.
 */
function prepareWeights(dot: number): boolean {
    const y = Math.max(0, 1 - Math.abs(dot));
    let b0 = 0;
    let b1 = 0;
    let b2 = 0;
    let b3 = 0;
    // For small angles the higher powers are below the last place.
    for (let i = y < 1 / 64 ? 16 : COEFFICIENTS.length - 4; i >= 0; i -= 4) {
        b0 = b0 * y + COEFFICIENTS[i]!;
        b1 = b1 * y + COEFFICIENTS[i + 1]!;
        b2 = b2 * y + COEFFICIENTS[i + 2]!;
        b3 = b3 * y + COEFFICIENTS[i + 3]!;
    }
    prepared[0] = b0;
    prepared[1] = b1;
    prepared[2] = b2;
    prepared[3] = b3;
    prepared[4] = y;
    return dot < 0;
}

/** sin(tθ) / sin θ of the prepared angle. */
function weightAt(t: number): number {
    const T = t * t;
    const b = ((prepared[3]! * T + prepared[2]!) * T + prepared[1]!) * T + prepared[0]!;
    return t + prepared[4]! * t * (1 - t) * (1 + t) * b;
}

/** The values of the two keys that are interpolated. One pair is prepared at a time. */
let numbers: ArrayLike<number> = [];
let [parts, first, second, sign] = [0, 0, 0, 1];

/**
 * Prepares two keys for `between`: `width` numbers at `a` and at `b`. Four numbers use slerp (appendix C.4), others
 * linear interpolation.
 */
export function prepareBetween(width: number, values: ArrayLike<number>, a: number, b: number): void {
    numbers = values;
    parts = width;
    first = a;
    second = b;
    sign = 1;
    if (width !== 4) return;
    const dot =
        values[a]! * values[b]! +
        values[a + 1]! * values[b + 1]! +
        values[a + 2]! * values[b + 2]! +
        values[a + 3]! * values[b + 3]!;
    if (prepareWeights(dot)) sign = -1;
}

/** Weight of the first key in the interpolation at t, which is a share of the interval. */
export function firstShare(t: number): number {
    return parts === 4 ? weightAt(1 - t) : 1 - t;
}

/** Weight of the second key. */
export function secondShare(t: number): number {
    return parts === 4 ? sign * weightAt(t) : t;
}

/** Writes the interpolation of the two keys. */
export function between(result: Float64Array, at: number, t: number): void {
    weighted(result, at, firstShare(t), secondShare(t));
}

/** Writes the two keys times these weights. */
export function weighted(result: Float64Array, at: number, u: number, w: number): void {
    for (let c = 0; c < parts; c++) result[at + c] = u * numbers[first + c]! + w * numbers[second + c]!;
}
