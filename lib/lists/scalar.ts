// SPDX-License-Identifier: MIT

/**
 * The scalar routines of "Slerping Clock Cycles", over lists. A list of one element is a single quaternion or number.
 * Not in browsers.
 */

import { plain } from './plain';

const plainSlerp = plain.slerp;

/**
 * Slerp of lists of quaternions, with arc cosine and sine.
 *
 * Source: "Slerping Clock Cycles" (2005), section 3.
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap is an
 * error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t Time, 0 … 1, rounded to float32. Outside 0 … 1 it extrapolates.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function slerp(result: Float32Array, from: Float32Array, to: Float32Array, t: number, count?: number): void {
    plainSlerp.run(result, from, to, t, count);
}

const plainSlerpTransformed = plain.slerpTransformed;

/**
 * Slerp of lists of quaternions, with square root and arc tangent instead of the arc cosine.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap is an
 * error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t Time, 0 … 1, rounded to float32. Outside 0 … 1 it extrapolates.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function slerpTransformed(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: number,
    count?: number,
): void {
    plainSlerpTransformed.run(result, from, to, t, count);
}

const plainSlerpOptimized = plain.slerpOptimized;

/**
 * {@link slerpTransformed} with {@link reciprocalSqrt}, {@link sinZeroHalfPI} and {@link atanPositive}, as published.
 * The error is up to 3.5e-3, because the published reciprocal square root has an error of up to 1.75e-3.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap is an
 * error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t Time, 0 … 1, rounded to float32. Outside 0 … 1 it extrapolates.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function slerpOptimized(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: number,
    count?: number,
): void {
    plainSlerpOptimized.run(result, from, to, t, count);
}

const plainSlerpOptimizedExact = plain.slerpOptimizedExact;

/**
 * {@link slerpOptimized} with an exact reciprocal square root. The error is up to 4e-7.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap is an
 * error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t Time, 0 … 1, rounded to float32. Outside 0 … 1 it extrapolates.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function slerpOptimizedExact(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: number,
    count?: number,
): void {
    plainSlerpOptimizedExact.run(result, from, to, t, count);
}

const plainLerp = plain.lerp;

/**
 * Linear interpolation along the shorter arc, then normalized. Outside 0 … 1 it extrapolates by less than a right
 * angle.
 *
 * Source: "Slerping Clock Cycles" (2005), section 4.
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap is an
 * error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t Time, 0 … 1, rounded to float32. Outside 0 … 1 it extrapolates.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function lerp(result: Float32Array, from: Float32Array, to: Float32Array, t: number, count?: number): void {
    plainLerp.run(result, from, to, t, count);
}

const plainReciprocalSqrt = plain.reciprocalSqrt;

/**
 * `result[i]` = 1 / √`x[i]`, with a relative error of up to 1.75e-3: an integer estimate, then one Newton step.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 *
 * @param result As many floats as `x`, written. It may be `x` itself.
 * @param x Positive numbers.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_BUFFER_OVERLAP`;
 * Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function reciprocalSqrt(result: Float32Array, x: Float32Array): void {
    plainReciprocalSqrt.run(result, x);
}

const plainSinZeroHalfPI = plain.sinZeroHalfPI;

/**
 * `result[i]` = sin `a[i]` for radians from 0 to π/2, by a polynomial (Abramowitz and Stegun 4.3.97).
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 *
 * @param result As many floats as `a`, written. It may be `a` itself.
 * @param a Angles in radians.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_BUFFER_OVERLAP`;
 * Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function sinZeroHalfPI(result: Float32Array, a: Float32Array): void {
    plainSinZeroHalfPI.run(result, a);
}

const plainAtanPositive = plain.atanPositive;

/**
 * `result[i]` = atan2(`y[i]`, `x[i]`) for numbers of at least 0, by a polynomial (Abramowitz and Stegun 4.4.49). If
 * both are 0, the result is NaN.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 *
 * @param result As many floats as `y` and `x`, written. It may be one of them.
 * @param y Opposite sides.
 * @param x Adjacent sides.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_BUFFER_OVERLAP`;
 * Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function atanPositive(result: Float32Array, y: Float32Array, x: Float32Array): void {
    plainAtanPositive.run(result, y, x);
}
