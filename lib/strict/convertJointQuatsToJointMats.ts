// SPDX-License-Identifier: MIT
// Twin: native/kernels/convert_joint_quats_to_joint_mats.h

/**
 *     1 - 2yy - 2zz   2xy + 2wz       2xz - 2wy       tx
 *     2xy - 2wz       1 - 2xx - 2zz   2yz + 2wx       ty          w: -w for glTF, whose matrix is the transpose
 *     2xz + 2wy       2yz - 2wx       1 - 2xx - 2yy   tz
 *
 * Unit quaternions and translations to 3x4 matrices. "From Quaternion to Matrix and Back" (2005), section 3.
 */

import type { Convention } from '../base/kernel';

const f = Math.fround;

/**
 * @param jointMats JointMats, 12 floats each, row-major, translation last in each row.
 * @param jointQuats JointQuats, 8 floats each.
 */
export function convertJointQuatsToJointMats(
    jointMats: Float32Array,
    jointQuats: Float32Array,
    numJoints: number,
    convention: Convention,
): void {
    // The other convention's matrix is the transpose: that of the conjugate, -w for w.
    const sign = convention === 'gltf' ? -1 : 1;
    for (let i = 0, q = 0, m = 0; i < numJoints; i++, q += 8, m += 12) {
        const x = jointQuats[q]!;
        const y = jointQuats[q + 1]!;
        const z = jointQuats[q + 2]!;
        const w = jointQuats[q + 3]! * sign;
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
        const oneZZ = f(1 - zz2);
        jointMats[m] = oneZZ - yy2;
        jointMats[m + 1] = xy2 + wz2;
        jointMats[m + 2] = xz2 - wy2;
        jointMats[m + 3] = jointQuats[q + 4]!;
        jointMats[m + 4] = xy2 - wz2;
        jointMats[m + 5] = oneZZ - xx2;
        jointMats[m + 6] = yz2 + wx2;
        jointMats[m + 7] = jointQuats[q + 5]!;
        jointMats[m + 8] = xz2 + wy2;
        jointMats[m + 9] = yz2 - wx2;
        jointMats[m + 10] = f(1 - xx2) - yy2;
        jointMats[m + 11] = jointQuats[q + 6]!;
    }
}
