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

import type { BlendQuatsKernel } from '../base/kernel';

const f = Math.fround;

/** The weights of the two quaternions of a pair. */
export interface Scales {
    from: number;
    to: number;
}

/**
 * Makes a routine of "Slerping Clock Cycles" on lists from its two weights, which depend on the absolute cosine of the
 * angle between a pair. In float32 and in the order of the paper's C: ((xx + yy) + zz) + ww, the second weight negative
 * for a negative cosine, then the weighted sum. Same bits as `paper/c` if the weights are the same.
 */
export function blendBy(weigh: (absCosom: number, t: number, scales: Scales) => void): BlendQuatsKernel {
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
export function isNearlyParallel(absCosom: number): boolean {
    return !(f(1 - absCosom) > f(1e-6));
}

/** The weights of a linear interpolation. */
export function weighLinearly(t: number, scales: Scales): void {
    scales.from = f(1 - t);
    scales.to = t;
}

/**
 * Adds the edges of the listings, which the text's C lacks. At or below 0 the result is `from`. At or above 1, or for
 * NaN, it is `to`.
 */
export function withEdges(blend: BlendQuatsKernel): BlendQuatsKernel {
    return (result, from, to, t, count, terms) => {
        if (t > 0 && t < 1) {
            blend(result, from, to, t, count, terms);
            return;
        }
        const copied = t <= 0 ? from : to;
        for (let i = 0; i < count * 4; i++) result[i] = copied[i]!;
    };
}
