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

const f = Math.fround;
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
