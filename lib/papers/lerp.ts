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
import { blendBy, weighLinearly, withEdges } from './blendQuats';

const f = Math.fround;
const blend = blendBy((_, t, scales) => weighLinearly(t, scales));

/** Lerp ("Slerping Clock Cycles", section 4), on lists: linear interpolation, normalized. */
export const lerp: BlendQuatsKernel = (result, from, to, t, count, terms) => {
    blend(result, from, to, t, count, terms);
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
