// SPDX-License-Identifier: MIT
// Twin: native/kernels/convert_joint_mats_to_joint_quats.h

/**
 *     4xx = 1 + m00 - m11 - m22     4xy = m01 + m10     4wx = m12 - m21
 *     4yy = 1 - m00 + m11 - m22     4xz = m02 + m20     4wy = m20 - m02          differences the other way round for glTF,
 *     4zz = 1 - m00 - m11 + m22     4yz = m12 + m21     4wz = m01 - m10          whose matrix is the transpose
 *     4ww = 1 + m00 + m11 + m22
 *
 * Matrices of rotations to quaternions and translations. One component, chosen so that it is not close to 0, is half a
 * square root, r. The other three are sums or differences, times h = 1/2r. "From Quaternion to Matrix and Back" (2005),
 * section 4.
 */

import type { Convention } from '../base/kernel';

const f = Math.fround;

/**
 * @param jointQuats JointQuats, 8 floats each; the float after the translation becomes 0.
 * @param jointMats JointMats of rotations, 12 floats each, row-major, translation last in each row.
 */
export function convertJointMatsToJointQuats(
    jointQuats: Float32Array,
    jointMats: Float32Array,
    numJoints: number,
    convention: Convention,
): void {
    // The other convention's matrix is the transpose: the differences of opposite elements change sign.
    const sign = convention === 'gltf' ? -1 : 1;
    for (let i = 0, q = 0, m = 0; i < numJoints; i++, q += 8, m += 12) {
        const m00 = jointMats[m]!;
        const m01 = jointMats[m + 1]!;
        const m02 = jointMats[m + 2]!;
        const m10 = jointMats[m + 4]!;
        const m11 = jointMats[m + 5]!;
        const m12 = jointMats[m + 6]!;
        const m20 = jointMats[m + 8]!;
        const m21 = jointMats[m + 9]!;
        const m22 = jointMats[m + 10]!;
        const dx = f(m12 - m21) * sign;
        const dy = f(m20 - m02) * sign;
        const dz = f(m01 - m10) * sign;
        const sxy = f(m01 + m10);
        const sxz = f(m02 + m20);
        const syz = f(m12 + m21);
        const trace = f(f(m00 + m11) + m22);
        if (trace >= 0) {
            const r = f(Math.sqrt(f(trace + 1)));
            const h = f(0.5 / r);
            jointQuats[q] = dx * h;
            jointQuats[q + 1] = dy * h;
            jointQuats[q + 2] = dz * h;
            jointQuats[q + 3] = 0.5 * r;
        } else if (m00 >= m11 && m00 >= m22) {
            const r = f(Math.sqrt(f(f(f(m00 - m11) - m22) + 1)));
            const h = f(0.5 / r);
            jointQuats[q] = 0.5 * r;
            jointQuats[q + 1] = sxy * h;
            jointQuats[q + 2] = sxz * h;
            jointQuats[q + 3] = dx * h;
        } else if (m11 >= m22) {
            const r = f(Math.sqrt(f(f(f(m11 - m00) - m22) + 1)));
            const h = f(0.5 / r);
            jointQuats[q] = sxy * h;
            jointQuats[q + 1] = 0.5 * r;
            jointQuats[q + 2] = syz * h;
            jointQuats[q + 3] = dy * h;
        } else {
            const r = f(Math.sqrt(f(f(f(-m00 - m11) + m22) + 1)));
            const h = f(0.5 / r);
            jointQuats[q] = sxz * h;
            jointQuats[q + 1] = syz * h;
            jointQuats[q + 2] = 0.5 * r;
            jointQuats[q + 3] = dz * h;
        }
        jointQuats[q + 4] = jointMats[m + 3]!;
        jointQuats[q + 5] = jointMats[m + 7]!;
        jointQuats[q + 6] = jointMats[m + 11]!;
        jointQuats[q + 7] = 0;
    }
}
