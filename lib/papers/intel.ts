// SPDX-License-Identifier: LGPL-2.1-or-later
//
// After the listings in "Slerping Clock Cycles",
// Copyright (C) 2005 Id Software, Inc. Written by J.M.P. van Waveren.
// This code is free software; you can redistribute it and/or modify it under the terms of the GNU Lesser General
// Public License as published by the Free Software Foundation; either version 2.1 of the License, or (at your
// option) any later version. This code is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY;
// without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU Lesser
// General Public License for more details.
// Changed: rewritten in TypeScript, following Intel's port of the listing to AVX in
// "Benefits of Intel AVX for Quaternion Spherical Linear Interpolation (Slerp)", with exact square root and division
// in the place of rsqrtps, rcpps and their Newton steps.

import type { BlendQuatsKernel } from '../base/kernel';
import { sinZeroHalfPI } from './slerping-clock-cycles';

const f = Math.fround;

const TINY = f(1e-10);
const HALF_PI = f(Math.PI / 2);
const ATAN = [
    0.0028662257, -0.0161657367, 0.0429096138, -0.07528964, 0.1065626393, -0.1420889944, 0.1999355085, -0.3333314528, 1,
].map(f);

/**
 * The kernel of Intel's ProcessOptimizedKernel, on lists: the dot product as (xx + yy) + (zz + ww), then the listing's
 * steps.
 */
export const slerpQuats: BlendQuatsKernel = (result, from, to, t, count) => {
    for (let o = 0; o < count * 4; o += 4) {
        const x0 = from[o]!;
        const y0 = from[o + 1]!;
        const z0 = from[o + 2]!;
        const w0 = from[o + 3]!;
        const x1 = to[o]!;
        const y1 = to[o + 1]!;
        const z1 = to[o + 2]!;
        const w1 = to[o + 3]!;
        const cosom = f(f(f(x0 * x1) + f(y0 * y1)) + f(f(z0 * z1) + f(w0 * w1)));
        const absCosom = Math.abs(cosom);

        // sin² of the angle; never 0, because its reciprocal square root is taken.
        const sinSqr = Math.abs(f(1 - f(absCosom * absCosom))) || TINY;
        const sinom = f(1 / f(Math.sqrt(sinSqr)));
        const sine = f(sinSqr * sinom);

        // omega = atan(sine / absCosom), by the ratio of the smaller to the larger.
        const steep = absCosom <= sine;
        const ratio = steep ? -f(absCosom / sine) : f(sine / absCosom);
        const s = f(ratio * ratio);
        let p = ATAN[0]!;
        for (let i = 1; i < ATAN.length; i++) p = f(f(p * s) + ATAN[i]!);
        const omega = f(f(p * ratio) + (steep ? HALF_PI : 0));

        const angle1 = f(t * omega);
        const scale0 = f(sinZeroHalfPI(f(omega - angle1)) * sinom);
        const scale = f(sinZeroHalfPI(angle1) * sinom);
        // The sign bit decides, as in the listing, so -0 changes the sign too.
        const scale1 = cosom < 0 || Object.is(cosom, -0) ? -scale : scale;
        result[o] = f(scale0 * x0) + f(scale1 * x1);
        result[o + 1] = f(scale0 * y0) + f(scale1 * y1);
        result[o + 2] = f(scale0 * z0) + f(scale1 * z1);
        result[o + 3] = f(scale0 * w0) + f(scale1 * w1);
    }
};
