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

import type { Convention } from '../base/kernel';
import { reciprocalSqrt } from './slerping-clock-cycles';

const f = Math.fround;

/**
 * ConvertJointQuatsToJointMats ("From Quaternion to Matrix and Back", section 3, the second routine), by the blueprint
 * of appendix A. Same bits as `blueprint/c`.
 */
export function convertJointQuatsToJointMats(
    jointMats: Float32Array,
    jointQuats: Float32Array,
    numJoints: number,
    convention: Convention,
): void {
    const sign = convention === 'gltf' ? -1 : 1;
    for (let i = 0, q = 0, m = 0; i < numJoints; i++, q += 8, m += 12) {
        const x = jointQuats[q]!;
        const y = jointQuats[q + 1]!;
        const z = jointQuats[q + 2]!;
        const w = sign * jointQuats[q + 3]!;
        const x2 = f(x + x);
        const y2 = f(y + y);
        const z2 = f(z + z);

        const yy2 = f(y * y2);
        const xy2 = f(x * y2);
        const xz2 = f(x * z2);
        const yz2 = f(y * z2);
        const zz2 = f(z * z2);
        const wz2 = f(w * z2);
        const wy2 = f(w * y2);
        const wx2 = f(w * x2);
        const xx2 = f(x * x2);

        jointMats[m] = f(-yy2 - zz2) + 1;
        jointMats[m + 1] = xy2 + wz2;
        jointMats[m + 2] = xz2 - wy2;
        jointMats[m + 3] = jointQuats[q + 4]!;

        jointMats[m + 4] = xy2 - wz2;
        jointMats[m + 5] = f(-xx2 - zz2) + 1;
        jointMats[m + 6] = yz2 + wx2;
        jointMats[m + 7] = jointQuats[q + 5]!;

        jointMats[m + 8] = xz2 + wy2;
        jointMats[m + 9] = yz2 - wx2;
        jointMats[m + 10] = f(-xx2 - yy2) + 1;
        jointMats[m + 11] = jointQuats[q + 6]!;
    }
}

/** The cases of the second routine of section 4: k0 … k3, where the components go, and the signs s0, s1, s2. */
const W = [3, 2, 1, 0, 1, 1, 1] as const;
const X = [0, 1, 2, 3, 1, -1, -1] as const;
const Y = [1, 0, 3, 2, -1, 1, -1] as const;
const Z = [2, 3, 0, 1, -1, -1, 1] as const;

/**
 * ConvertJointMatsToJointQuats ("From Quaternion to Matrix and Back", section 4, the second routine), by the blueprint
 * of appendix B. Same bits as `blueprint/c` and `paper/c`.
 */
export function convertJointMatsToJointQuats(
    jointQuats: Float32Array,
    jointMats: Float32Array,
    numJoints: number,
    convention: Convention,
): void {
    // The other convention is the transposed matrix.
    const gltf = convention === 'gltf';
    const [m01, m10] = gltf ? [4, 1] : [1, 4];
    const [m02, m20] = gltf ? [8, 2] : [2, 8];
    const [m12, m21] = gltf ? [9, 6] : [6, 9];
    for (let i = 0, q = 0, m = 0; i < numJoints; i++, q += 8, m += 12) {
        const m00 = jointMats[m]!;
        const m11 = jointMats[m + 5]!;
        const m22 = jointMats[m + 10]!;
        const [k0, k1, k2, k3, s0, s1, s2] =
            f(f(m00 + m11) + m22) > 0 ? W : m00 > m11 && m00 > m22 ? X : m11 > m22 ? Y : Z;
        const t = f(f(f(s0 * m00 + s1 * m11) + s2 * m22) + 1);
        const s = f(reciprocalSqrt(t) * 0.5);
        jointQuats[q + k0] = s * t;
        jointQuats[q + k1] = f(jointMats[m + m01]! - s2 * jointMats[m + m10]!) * s;
        jointQuats[q + k2] = f(jointMats[m + m20]! - s1 * jointMats[m + m02]!) * s;
        jointQuats[q + k3] = f(jointMats[m + m12]! - s0 * jointMats[m + m21]!) * s;
        jointQuats[q + 4] = jointMats[m + 3]!;
        jointQuats[q + 5] = jointMats[m + 7]!;
        jointQuats[q + 6] = jointMats[m + 11]!;
        jointQuats[q + 7] = 0;
    }
}
