// SPDX-License-Identifier: LGPL-2.1-or-later
//
// After the listings in "From Quaternion to Matrix and Back",
// Copyright (C) 2005 Id Software, Inc. Written by J.M.P. van Waveren.
// This code is free software; you can redistribute it and/or modify it under the terms of the GNU Lesser General
// Public License as published by the Free Software Foundation; either version 2.1 of the License, or (at your
// option) any later version. This code is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY;
// without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU Lesser
// General Public License for more details.
// Changed: rewritten in TypeScript.

/** The routines of the paper. */

import type { Convention } from '../base/kernel';

const f = Math.fround;

/**
 * ConvertJointQuatsToJointMats ("From Quaternion to Matrix and Back", section 3 and appendix A), in float32 and in the
 * order of appendix A's instructions: the same bits as `paper/sse`.
 */
export function convertJointQuatsToJointMats(
    jointMats: Float32Array,
    jointQuats: Float32Array,
    numJoints: number,
    convention: Convention,
): void {
    // The conventions differ only in the sign of the products with w (the sign masks x1 and x2 of the listing).
    const sign = convention === 'gltf' ? -1 : 1;
    for (let i = 0, q = 0, m = 0; i < numJoints; i++, q += 8, m += 12) {
        const x = jointQuats[q]!;
        const y = jointQuats[q + 1]!;
        const z = jointQuats[q + 2]!;
        const w = sign * jointQuats[q + 3]!;
        const x2 = f(x + x);
        const y2 = f(y + y);
        const z2 = f(z + z);
        const xx2 = f(x * x2);
        const xy2 = f(x * y2);
        const xz2 = f(x * z2);
        const yy2 = f(y * y2);
        const yz2 = f(y * z2);
        const zz2 = f(z * z2);
        const wx2 = f(w * x2);
        const wy2 = f(w * y2);
        const wz2 = f(w * z2);
        const oneMinusZz2 = f(1 - zz2);

        jointMats[m] = oneMinusZz2 - yy2;
        jointMats[m + 1] = xy2 + wz2;
        jointMats[m + 2] = xz2 - wy2;
        jointMats[m + 3] = jointQuats[q + 4]!;

        jointMats[m + 4] = xy2 - wz2;
        jointMats[m + 5] = oneMinusZz2 - xx2;
        jointMats[m + 6] = yz2 + wx2;
        jointMats[m + 7] = jointQuats[q + 5]!;

        jointMats[m + 8] = xz2 + wy2;
        jointMats[m + 9] = yz2 - wx2;
        jointMats[m + 10] = f(1 - xx2) - yy2;
        jointMats[m + 11] = jointQuats[q + 6]!;
    }
}

/**
 * ConvertJointMatsToJointQuats ("From Quaternion to Matrix and Back", section 4), in double precision with an exact
 * square root. Ties between the four cases are decided as in appendix B (>=), so that signs agree with `paper/sse`.
 */
export function convertJointMatsToJointQuats(
    jointQuats: Float32Array,
    jointMats: Float32Array,
    numJoints: number,
    convention: Convention,
): void {
    // The other convention is the transposed matrix: only differences of opposite elements change sign.
    const sign = convention === 'gltf' ? -1 : 1;
    for (let i = 0, q = 0, m = 0; i < numJoints; i++, q += 8, m += 12) {
        const m00 = jointMats[m]!;
        const m11 = jointMats[m + 5]!;
        const m22 = jointMats[m + 10]!;
        const dx = sign * (jointMats[m + 6]! - jointMats[m + 9]!);
        const dy = sign * (jointMats[m + 8]! - jointMats[m + 2]!);
        const dz = sign * (jointMats[m + 1]! - jointMats[m + 4]!);
        const sxy = jointMats[m + 1]! + jointMats[m + 4]!;
        const sxz = jointMats[m + 2]! + jointMats[m + 8]!;
        const syz = jointMats[m + 6]! + jointMats[m + 9]!;

        // t is four times the square of the largest usable component. All four are then proportional to it.
        let x: number;
        let y: number;
        let z: number;
        let w: number;
        let t: number;
        // In float32, so that the sign of a trace near 0, and therefore the case, is the same as in the listing.
        if (f(f(m00 + m11) + m22) >= 0) {
            t = m00 + m11 + m22 + 1;
            w = t;
            x = dx;
            y = dy;
            z = dz;
        } else if (m00 >= m11 && m00 >= m22) {
            t = m00 - m11 - m22 + 1;
            x = t;
            w = dx;
            y = sxy;
            z = sxz;
        } else if (m11 >= m22) {
            t = m11 - m00 - m22 + 1;
            y = t;
            w = dy;
            x = sxy;
            z = syz;
        } else {
            t = m22 - m00 - m11 + 1;
            z = t;
            w = dz;
            x = sxz;
            y = syz;
        }
        const s = 0.5 / Math.sqrt(t);
        jointQuats[q] = x * s;
        jointQuats[q + 1] = y * s;
        jointQuats[q + 2] = z * s;
        jointQuats[q + 3] = w * s;
        jointQuats[q + 4] = jointMats[m + 3]!;
        jointQuats[q + 5] = jointMats[m + 7]!;
        jointQuats[q + 6] = jointMats[m + 11]!;
        jointQuats[q + 7] = 0;
    }
}
