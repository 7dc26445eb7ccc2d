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

import type { QuatTimesKernel } from '../base/kernel';
import { blendBy, isNearlyParallel, type Scales, weighLinearly, withEdges } from './blendQuats';

const f = Math.fround;

function weigh(absCosom: number, t: number, scales: Scales): void {
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
export const slerp = blendBy(weigh);

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
