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

import { blendBy, isNearlyParallel, type Scales, weighLinearly } from './blendQuats';

const f = Math.fround;

function weigh(absCosom: number, t: number, scales: Scales): void {
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
export const slerpTransformed = blendBy(weigh);
