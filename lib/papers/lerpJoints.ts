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

import { blendEdge, vec4Lerp } from './blend';

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
