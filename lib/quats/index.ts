// SPDX-License-Identifier: MIT

/** Interpolation of plain quaternions, 4 floats `x y z w` each, and the scalar routines of "Slerping Clock Cycles". */

import type { Binders, QuatKernels, ScalarKernels } from '../implementations/kernels';
import { defaultBinders, defaultKernels } from '../implementations/registry';

export { QUAT_FLOATS } from '../checks/layout';
export type { Binders, BlendQuats, Kernels, QuatKernels, ScalarKernels } from '../implementations/kernels';

/**
 * Spherical linear interpolation of lists of quaternions: `result[i]` lies between `from[i]` and `to[i]`, on the
 * shorter arc.
 *
 * Source: by implementation. `strict/*`, `fast/*`: this project's own, the arithmetic of `slerpJoints`. `paper/sse`:
 * "Slerping Clock Cycles" (2005), appendix A. `paper/c`, `paper/typescript`: its section 3. `intel/avx`: Intel,
 * "Benefits of Intel AVX for Quaternion Spherical Linear Interpolation" (2011), with its defects mended. `eberly/*`: D.
 * Eberly, "A Fast and Accurate Algorithm for Computing SLERP", JGT 15:3 (2011).
 *
 * @param result Quaternions, written. May be `from` or `to` itself; must not overlap them in any other way.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t 0 … 1, rounded to float32. At or below 0 the result is `from`, at or above 1, or NaN, it is `to`: in all of
 * `strict/*`, `fast/*` and `paper/*`. Intel's and Eberly's documents have no such edges: `intel/*` and `eberly/*`
 * extrapolate, with the growing errors of their polynomials, and a NaN gives NaN.
 * @param count Default: all quaternions of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export const slerpQuats: QuatKernels['slerpQuats'] = defaultKernels.slerpQuats;

/**
 * Linear interpolation of lists of quaternions, renormalised: cheaper than {@link slerpQuats}, and close to it for
 * quaternions that are close to each other. Arguments and errors as there.
 *
 * Source: the routine, "Slerping Clock Cycles" (2005), section 4, appendix B; the arithmetic of `strict`, this
 * project's own.
 */
export const lerpQuats: QuatKernels['lerpQuats'] = defaultKernels.lerpQuats;

/**
 * {@link slerpQuats} with a time for each pair: `result[i]` lies at `t[i]` between `from[i]` and `to[i]`. Errors as
 * there; differs from it by up to 4e-7 at the same time.
 *
 * Source: the arithmetic of `strict`, this project's own.
 *
 * @param result Quaternions, written. May be `from` or `to` itself; must not overlap them in any other way, nor `t`.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t A number for each pair, with the edges of {@link slerpQuats}, each for itself.
 * @param count Default: all quaternions of lists of the same length, `t` with as many numbers.
 */
export const slerpQuatsPerQuat: QuatKernels['slerpQuatsPerQuat'] = defaultKernels.slerpQuatsPerQuat;

/**
 * Slerp of one pair at several times: `result[i]` lies at `t[i]` between `q0` and `q1`, on the shorter arc.
 *
 * Source: Eberly (2011), sections 5.1 and 5.2, in `eberly/*`; the plain function is {@link slerpQuatsPerQuat} with the
 * same pair throughout.
 *
 * @param result `t.length` quaternions, written. `q0` and `q1` may lie in it; it must not overlap `t`.
 * @param q0 One quaternion (4 floats).
 * @param q1 One quaternion (4 floats).
 * @param t Times; outside 0 … 1 as in {@link slerpQuats}.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_BUFFER_OVERLAP`;
 * Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export const slerpQuatTimes: QuatKernels['slerpQuatTimes'] = defaultKernels.slerpQuatTimes;

/**
 * Slerp, by arc cosine and sine. Lists, or single quaternions as lists of one; arguments and errors as in
 * {@link slerpQuats}; outside 0 … 1 it extrapolates.
 *
 * Source: "Slerping Clock Cycles" (2005), section 3.
 */
export const slerp: ScalarKernels['slerp'] = defaultKernels.slerp;

/**
 * Slerp by square root and arc tangent instead of the arc cosine. Otherwise as in {@link slerp}.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 */
export const slerpTransformed: ScalarKernels['slerpTransformed'] = defaultKernels.slerpTransformed;

/**
 * {@link slerpTransformed} with {@link reciprocalSqrt}, {@link sinZeroHalfPI} and {@link atanPositive}, as published:
 * off by up to 3.5e-3, because the published reciprocal square root is off by 1.75e-3. Arguments and errors as there.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 */
export const slerpOptimized: ScalarKernels['slerpOptimized'] = defaultKernels.slerpOptimized;

/** {@link slerpOptimized} with an exact reciprocal square root: off by up to 4e-7. Arguments and errors as there. */
export const slerpOptimizedExact: ScalarKernels['slerpOptimizedExact'] = defaultKernels.slerpOptimizedExact;

/**
 * Linear interpolation, renormalised, on the shorter way. Arguments and errors as in {@link slerpQuats}; outside 0 … 1
 * it extrapolates, by less than a right angle.
 *
 * Source: "Slerping Clock Cycles" (2005), section 4.
 */
export const lerp: ScalarKernels['lerp'] = defaultKernels.lerp;

/**
 * `result[i]` = 1 / √`x[i]`, with a relative error of up to 1.75e-3: one Newton step from a guess by integer
 * arithmetic.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 *
 * @param result As many floats as `x`, written. May be `x` itself.
 * @param x Positive numbers.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_BUFFER_OVERLAP`;
 * Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export const reciprocalSqrt: ScalarKernels['reciprocalSqrt'] = defaultKernels.reciprocalSqrt;

/**
 * `result[i]` = sin `a[i]` for radians from 0 to π/2, by a polynomial (Abramowitz and Stegun 4.3.97). Errors as in
 * {@link reciprocalSqrt}.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 *
 * @param result As many floats as `a`, written. May be `a` itself.
 * @param a Radians.
 */
export const sinZeroHalfPI: ScalarKernels['sinZeroHalfPI'] = defaultKernels.sinZeroHalfPI;

/**
 * `result[i]` = atan2(`y[i]`, `x[i]`) for numbers that are not negative, by a polynomial (Abramowitz and Stegun
 * 4.4.49). Where both are 0 it is NaN. Errors as in {@link reciprocalSqrt}.
 *
 * Source: "Slerping Clock Cycles" (2005), section 5.
 *
 * @param result As many floats as `y` and `x`, written. May be one of them.
 * @param y Opposite sides.
 * @param x Adjacent sides.
 */
export const atanPositive: ScalarKernels['atanPositive'] = defaultKernels.atanPositive;

/** {@link slerpQuats} with everything fixed but `t`; see {@link bindSlerpJoints}. */
export const bindSlerpQuats: Binders['bindSlerpQuats'] = defaultBinders.bindSlerpQuats;

/** {@link lerpQuats} with everything fixed but `t`; see {@link bindSlerpJoints}. */
export const bindLerpQuats: Binders['bindLerpQuats'] = defaultBinders.bindLerpQuats;

/** {@link slerpQuatsPerQuat} with everything fixed: `run()` goes by what `t` holds then; see {@link bindSlerpJoints}. */
export const bindSlerpQuatsPerQuat: Binders['bindSlerpQuatsPerQuat'] = defaultBinders.bindSlerpQuatsPerQuat;

/**
 * {@link slerpQuatTimes} with everything fixed: `run()` goes by what `q0`, `q1` and `t` hold then; see {@link bindSlerpJoints}.
 */
export const bindSlerpQuatTimes: Binders['bindSlerpQuatTimes'] = defaultBinders.bindSlerpQuatTimes;
