// SPDX-License-Identifier: MIT

import type { Convention } from '../kernel';

const f = Math.fround;

/**
 * 3x4 matrices to quaternions and translations ("From Quaternion to Matrix and Back").
 *
 * Of the four components, each the square root of a signed sum of the diagonal, the one that is safely not small is
 * calculated like that, and the others from it.
 *
 * @param jointQuats JointQuats, 8 floats each; the float behind the translation becomes 0.
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
