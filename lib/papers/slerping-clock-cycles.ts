// SPDX-License-Identifier: LGPL-2.1-or-later
//
// After the listings in "Slerping Clock Cycles",
// Copyright (C) 2005 Id Software, Inc. Written by J.M.P. van Waveren.
// This code is free software; you can redistribute it and/or modify it under the terms of the GNU Lesser General
// Public License as published by the Free Software Foundation; either version 2.1 of the License, or (at your
// option) any later version. This code is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY;
// without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU Lesser
// General Public License for more details.
// Changed: rewritten in TypeScript.

/** The routines of the paper; those on lists of quaternions have the bits of `paper/c`. */

import type { BlendQuatsKernel, QuatTimesKernel } from '../base/kernel';

const f = Math.fround;

/** The weights of the two quaternions of a pair. */
interface Scales {
    from: number;
    to: number;
}

/**
 * Makes a routine of "Slerping Clock Cycles" on lists from its two weights, which depend on the absolute cosine of the
 * angle between a pair. In float32 and in the order of the paper's C: ((xx + yy) + zz) + ww, the second weight negative
 * for a negative cosine, then the weighted sum. Same bits as `paper/c` if the weights are the same.
 */
function blendBy(weigh: (absCosom: number, t: number, scales: Scales) => void): BlendQuatsKernel {
    const scales: Scales = { from: 0, to: 0 };
    return (result, from, to, t, count) => {
        for (let o = 0; o < count * 4; o += 4) {
            const x0 = from[o]!;
            const y0 = from[o + 1]!;
            const z0 = from[o + 2]!;
            const w0 = from[o + 3]!;
            const x1 = to[o]!;
            const y1 = to[o + 1]!;
            const z1 = to[o + 2]!;
            const w1 = to[o + 3]!;
            const cosom = f(f(f(f(x0 * x1) + f(y0 * y1)) + f(z0 * z1)) + f(w0 * w1));
            weigh(Math.abs(cosom), t, scales);
            const scale0 = scales.from;
            const scale1 = cosom >= 0 ? scales.to : -scales.to;
            result[o] = f(scale0 * x0) + f(scale1 * x1);
            result[o + 1] = f(scale0 * y0) + f(scale1 * y1);
            result[o + 2] = f(scale0 * z0) + f(scale1 * z1);
            result[o + 3] = f(scale0 * w0) + f(scale1 * w1);
        }
    };
}

/** Whether the difference to 1 is so small that slerp would divide by a sine close to 0. Slerp is then lerp. */
function isNearlyParallel(absCosom: number): boolean {
    return !(f(1 - absCosom) > f(1e-6));
}

/** The weights of a linear interpolation. */
function weighLinearly(t: number, scales: Scales): void {
    scales.from = f(1 - t);
    scales.to = t;
}

/**
 * Adds the edges of the listings, which the text's C lacks. At or below 0 the result is `from`. At or above 1, or for
 * NaN, it is `to`.
 */
function withEdges(blend: BlendQuatsKernel): BlendQuatsKernel {
    return (result, from, to, t, count, terms) => {
        if (t > 0 && t < 1) {
            blend(result, from, to, t, count, terms);
            return;
        }
        const copied = t <= 0 ? from : to;
        for (let i = 0; i < count * 4; i++) result[i] = copied[i]!;
    };
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/**
 * ReciprocalSqrt ("Slerping Clock Cycles", section 5): an estimate by integer arithmetic and one Newton step, within
 * 1.75e-3.
 */
export function reciprocalSqrt(x: number): number {
    const y = f(x * 0.5);
    float[0] = x;
    bits[0] = 0x5f3759df - (bits[0]! >>> 1);
    const r = float[0]!;
    return f(r * f(1.5 - f(f(r * r) * y)));
}

const SIN_C0 = f(-2.39e-8);
const SIN_C1 = f(2.7526e-6);
const SIN_C2 = f(-1.98409e-4);
const SIN_C3 = f(8.3333315e-3);
const SIN_C4 = f(-1.666666664e-1);

/** SinZeroHalfPI ("Slerping Clock Cycles", section 5): sin(a) for 0 <= a <= π/2 (Abramowitz and Stegun 4.3.97). */
export function sinZeroHalfPI(a: number): number {
    const s = f(a * a);
    let t = f(SIN_C0 * s);
    t = f(f(t + SIN_C1) * s);
    t = f(f(t + SIN_C2) * s);
    t = f(f(t + SIN_C3) * s);
    t = f(f(t + SIN_C4) * s);
    return f(f(t + 1) * a);
}

const ATAN_C0 = f(0.0028662257);
const ATAN_C1 = f(-0.0161657367);
const ATAN_C2 = f(0.0429096138);
const ATAN_C3 = f(-0.07528964);
const ATAN_C4 = f(0.1065626393);
const ATAN_C5 = f(-0.1420889944);
const ATAN_C6 = f(0.1999355085);
const ATAN_C7 = f(-0.3333314528);
const HALF_PI = f(Math.PI / 2);

/**
 * ATanPositive ("Slerping Clock Cycles", section 5): atan2(y, x) for x >= 0 and y >= 0, not both 0 (Abramowitz and
 * Stegun 4.4.49).
 */
export function atanPositive(y: number, x: number): number {
    const steep = y > x;
    const a = steep ? f(-x / y) : f(y / x);
    const s = f(a * a);
    let t = f(ATAN_C0 * s);
    t = f(f(t + ATAN_C1) * s);
    t = f(f(t + ATAN_C2) * s);
    t = f(f(t + ATAN_C3) * s);
    t = f(f(t + ATAN_C4) * s);
    t = f(f(t + ATAN_C5) * s);
    t = f(f(t + ATAN_C6) * s);
    t = f(f(t + ATAN_C7) * s);
    return f(f(f(t + 1) * a) + (steep ? HALF_PI : 0));
}

function weighBySines(absCosom: number, t: number, scales: Scales): void {
    if (isNearlyParallel(absCosom)) {
        weighLinearly(t, scales);
        return;
    }
    const omega = f(Math.acos(absCosom));
    const sinom = f(1 / Math.sin(omega));
    scales.from = f(Math.sin(f(f(1 - t) * omega)) * sinom);
    scales.to = f(Math.sin(f(t * omega)) * sinom);
}

/** Slerp ("Slerping Clock Cycles", section 3), by arc cosine and sine, over lists. */
export const slerp = blendBy(weighBySines);

/** Slerp with the edges of the listings. */
export const slerpQuats = withEdges(slerp);

/** Slerp of one pair at several times. */
export const slerpTimes: QuatTimesKernel = (result, q0, q1, t, count) => {
    // Copies, because the pair can be part of the result.
    const from = Float32Array.of(q0[0]!, q0[1]!, q0[2]!, q0[3]!);
    const to = Float32Array.of(q1[0]!, q1[1]!, q1[2]!, q1[3]!);
    const at = new Float32Array(4);
    for (let i = 0; i < count; i++) {
        slerpQuats(at, from, to, t[i]!, 1, 0);
        for (let c = 0; c < 4; c++) result[i * 4 + c] = at[c]!;
    }
};

const blendLinearly = blendBy((_, t, scales) => weighLinearly(t, scales));

/** Lerp ("Slerping Clock Cycles", section 4), on lists: linear interpolation, normalized. */
export const lerp: BlendQuatsKernel = (result, from, to, t, count, terms) => {
    blendLinearly(result, from, to, t, count, terms);
    for (let o = 0; o < count * 4; o += 4) {
        const x = result[o]!;
        const y = result[o + 1]!;
        const z = result[o + 2]!;
        const w = result[o + 3]!;
        const s = f(1 / Math.sqrt(f(f(f(f(x * x) + f(y * y)) + f(z * z)) + f(w * w))));
        result[o] = x * s;
        result[o + 1] = y * s;
        result[o + 2] = z * s;
        result[o + 3] = w * s;
    }
};

/** Lerp with the edges of the listings. */
export const lerpQuats = withEdges(lerp);

function weighByRoot(absCosom: number, t: number, scales: Scales): void {
    if (isNearlyParallel(absCosom)) {
        weighLinearly(t, scales);
        return;
    }
    const sinSqr = f(1 - f(absCosom * absCosom));
    const sinom = f(1 / Math.sqrt(sinSqr));
    const omega = f(Math.atan2(f(sinSqr * sinom), absCosom));
    scales.from = f(Math.sin(f(f(1 - t) * omega)) * sinom);
    scales.to = f(Math.sin(f(t * omega)) * sinom);
}

/** SlerpTransformed ("Slerping Clock Cycles", section 5), on lists: without arc cosine, and with one sine less. */
export const slerpTransformed = blendBy(weighByRoot);

function weighWith(reciprocalSqrtOf: (x: number) => number) {
    return (absCosom: number, t: number, scales: Scales): void => {
        if (isNearlyParallel(absCosom)) {
            weighLinearly(t, scales);
            return;
        }
        const sinSqr = f(1 - f(absCosom * absCosom));
        const sinom = reciprocalSqrtOf(sinSqr);
        const omega = atanPositive(f(sinSqr * sinom), absCosom);
        scales.from = f(sinZeroHalfPI(f(f(1 - t) * omega)) * sinom);
        scales.to = f(sinZeroHalfPI(f(t * omega)) * sinom);
    };
}

/** SlerpOptimized ("Slerping Clock Cycles", section 5) as published, on lists. Error up to 3.5e-3. */
export const slerpOptimized = blendBy(weighWith(reciprocalSqrt));

/** SlerpOptimized with an exact reciprocal square root, on lists. Error up to 4e-7. */
export const slerpOptimizedExact = blendBy(weighWith((x) => f(1 / f(Math.sqrt(x)))));

/**
 * Handles the edges as SlerpJoints and LerpJoints do before their loops (appendices A and B). At or below 0 the joints
 * do not change. At or above 1 (or NaN) they become copies of `blendJoints`. Returns whether the joints still need to
 * be blended.
 */
function blendEdge(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index: Int32Array | null,
    numJoints: number,
): boolean {
    if (lerp <= 0) return false;
    if (lerp < 1) return true;
    for (let i = 0; i < numJoints; i++) {
        const o = (index === null ? i : index[i]!) * 8;
        for (let k = o; k < o + 8; k++) joints[k] = blendJoints[k]!;
    }
    return false;
}

/** Vec4Lerp (section 6) on the translation of a joint, all four components. */
function vec4Lerp(joints: Float32Array, blendJoints: Float32Array, o: number, lerp: number): void {
    const keep = 1 - lerp;
    joints[o + 4] = joints[o + 4]! * keep + blendJoints[o + 4]! * lerp;
    joints[o + 5] = joints[o + 5]! * keep + blendJoints[o + 5]! * lerp;
    joints[o + 6] = joints[o + 6]! * keep + blendJoints[o + 6]! * lerp;
    joints[o + 7] = joints[o + 7]! * keep + blendJoints[o + 7]! * lerp;
}

/**
 * SlerpJoints ("Slerping Clock Cycles", section 3 and appendix A): the Slerp of the text, calculated in double
 * precision and rounded once. Its remaining error, 2.6e-7, is that of the text, which interpolates nearly parallel
 * quaternions linearly without normalizing them.
 */
export function slerpJoints(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index: Int32Array | null,
    numJoints: number,
): void {
    const t = Math.fround(lerp);
    if (!blendEdge(joints, blendJoints, t, index, numJoints)) return;
    for (let i = 0; i < numJoints; i++) {
        const o = (index === null ? i : index[i]!) * 8;
        const x = joints[o]!;
        const y = joints[o + 1]!;
        const z = joints[o + 2]!;
        const w = joints[o + 3]!;
        const bx = blendJoints[o]!;
        const by = blendJoints[o + 1]!;
        const bz = blendJoints[o + 2]!;
        const bw = blendJoints[o + 3]!;

        const cosom = x * bx + y * by + z * bz + w * bw;
        const absCosom = Math.abs(cosom);
        let scale0 = 1 - t;
        let scale1 = t;
        // Nearly parallel quaternions would divide by a sine close to 0. Their slerp is lerp.
        if (1 - absCosom > 1e-6) {
            const omega = Math.acos(absCosom);
            const invSin = 1 / Math.sin(omega);
            scale0 = Math.sin((1 - t) * omega) * invSin;
            scale1 = Math.sin(t * omega) * invSin;
        }
        if (!(cosom >= 0)) scale1 = -scale1;

        joints[o] = scale0 * x + scale1 * bx;
        joints[o + 1] = scale0 * y + scale1 * by;
        joints[o + 2] = scale0 * z + scale1 * bz;
        joints[o + 3] = scale0 * w + scale1 * bw;
        vec4Lerp(joints, blendJoints, o, t);
    }
}

/**
 * LerpJoints ("Slerping Clock Cycles", section 4 and appendix B): linear interpolation on the shorter arc, normalized.
 */
export function lerpJoints(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index: Int32Array | null,
    numJoints: number,
): void {
    const t = Math.fround(lerp);
    if (!blendEdge(joints, blendJoints, t, index, numJoints)) return;
    for (let i = 0; i < numJoints; i++) {
        const o = (index === null ? i : index[i]!) * 8;
        const cosom =
            joints[o]! * blendJoints[o]! +
            joints[o + 1]! * blendJoints[o + 1]! +
            joints[o + 2]! * blendJoints[o + 2]! +
            joints[o + 3]! * blendJoints[o + 3]!;
        const scale0 = 1 - t;
        const scale1 = cosom >= 0 ? t : -t;
        const x = scale0 * joints[o]! + scale1 * blendJoints[o]!;
        const y = scale0 * joints[o + 1]! + scale1 * blendJoints[o + 1]!;
        const z = scale0 * joints[o + 2]! + scale1 * blendJoints[o + 2]!;
        const w = scale0 * joints[o + 3]! + scale1 * blendJoints[o + 3]!;
        const s = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
        joints[o] = x * s;
        joints[o + 1] = y * s;
        joints[o + 2] = z * s;
        joints[o + 3] = w * s;
        vec4Lerp(joints, blendJoints, o, t);
    }
}
