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

import { atanPositive } from './atanPositive';
import { blendBy, isNearlyParallel, type Scales, weighLinearly } from './blendQuats';
import { reciprocalSqrt } from './reciprocalSqrt';
import { sinZeroHalfPI } from './sinZeroHalfPI';

const f = Math.fround;

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
