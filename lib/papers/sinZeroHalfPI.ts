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

const C0 = f(-2.39e-8);
const C1 = f(2.7526e-6);
const C2 = f(-1.98409e-4);
const C3 = f(8.3333315e-3);
const C4 = f(-1.666666664e-1);

/** SinZeroHalfPI ("Slerping Clock Cycles", section 5): sin(a) for 0 <= a <= π/2 (Abramowitz and Stegun 4.3.97). */
export function sinZeroHalfPI(a: number): number {
    const s = f(a * a);
    let t = f(C0 * s);
    t = f(f(t + C1) * s);
    t = f(f(t + C2) * s);
    t = f(f(t + C3) * s);
    t = f(f(t + C4) * s);
    return f(f(t + 1) * a);
}
