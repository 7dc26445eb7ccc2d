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
 * SlerpJoints ("Slerping Clock Cycles", section 3 and appendix A): the Slerp of the text, calculated in double
 * precision and rounded once. Its remaining error, 2.6e-7, is that of the text, which interpolates nearly parallel
 * quaternions linearly without normalizing them.
 */
export function slerpJoints(
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
        const x = joints[o]!;
        const y = joints[o + 1]!;
        const z = joints[o + 2]!;
        const w = joints[o + 3]!;
        const bx = blendJoints[o]!;
        const by = blendJoints[o + 1]!;
        const bz = blendJoints[o + 2]!;
        const bw = blendJoints[o + 3]!;

        const cosom = x * bx + y * by + z * bz + w * bw;
        const absCosom = Math.abs(cosom);
        let scale0 = 1 - t;
        let scale1 = t;
        // Nearly parallel quaternions would divide by a sine close to 0. Their slerp is lerp.
        if (1 - absCosom > 1e-6) {
            const omega = Math.acos(absCosom);
            const invSin = 1 / Math.sin(omega);
            scale0 = Math.sin((1 - t) * omega) * invSin;
            scale1 = Math.sin(t * omega) * invSin;
        }
        if (!(cosom >= 0)) scale1 = -scale1;

        joints[o] = scale0 * x + scale1 * bx;
        joints[o + 1] = scale0 * y + scale1 * by;
        joints[o + 2] = scale0 * z + scale1 * bz;
        joints[o + 3] = scale0 * w + scale1 * bw;
        vec4Lerp(joints, blendJoints, o, t);
    }
}
