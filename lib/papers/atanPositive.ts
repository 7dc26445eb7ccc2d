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

const C0 = f(0.0028662257);
const C1 = f(-0.0161657367);
const C2 = f(0.0429096138);
const C3 = f(-0.07528964);
const C4 = f(0.1065626393);
const C5 = f(-0.1420889944);
const C6 = f(0.1999355085);
const C7 = f(-0.3333314528);
const HALF_PI = f(Math.PI / 2);

/**
 * ATanPositive ("Slerping Clock Cycles", section 5): atan2(y, x) for x >= 0 and y >= 0, not both 0 (Abramowitz and
 * Stegun 4.4.49).
 */
export function atanPositive(y: number, x: number): number {
    const steep = y > x;
    const a = steep ? f(-x / y) : f(y / x);
    const s = f(a * a);
    let t = f(C0 * s);
    t = f(f(t + C1) * s);
    t = f(f(t + C2) * s);
    t = f(f(t + C3) * s);
    t = f(f(t + C4) * s);
    t = f(f(t + C5) * s);
    t = f(f(t + C6) * s);
    t = f(f(t + C7) * s);
    return f(f(f(t + 1) * a) + (steep ? HALF_PI : 0));
}
