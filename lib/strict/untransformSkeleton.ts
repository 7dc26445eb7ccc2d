// SPDX-License-Identifier: MIT
// Twin: native/kernels/untransform_skeleton.h

/**
 *     joint = parent⁻¹ · joint, children first
 *
 * Converts matrices from model space to parent space. The inverse of a rotation is its transpose. "The Skeleton
 * Assembly Line" (2005), section 4.
 */

const f = Math.fround;

/**
 * @param jointMats JointMats, 12 floats each, changed in place.
 * @param parents The parent of each joint, before it in the list; -1: a root, which stays as it is.
 */
export function untransformSkeleton(
    jointMats: Float32Array,
    parents: Int32Array,
    firstJoint: number,
    lastJoint: number,
): void {
    for (let i = lastJoint; i >= firstJoint; i--) {
        const parent = parents[i]!;
        if (parent < 0) continue;
        const m = i * 12;
        const p = parent * 12;
        const a00 = jointMats[m]!;
        const a01 = jointMats[m + 1]!;
        const a02 = jointMats[m + 2]!;
        const a03 = f(jointMats[m + 3]! - jointMats[p + 3]!);
        const a10 = jointMats[m + 4]!;
        const a11 = jointMats[m + 5]!;
        const a12 = jointMats[m + 6]!;
        const a13 = f(jointMats[m + 7]! - jointMats[p + 7]!);
        const a20 = jointMats[m + 8]!;
        const a21 = jointMats[m + 9]!;
        const a22 = jointMats[m + 10]!;
        const a23 = f(jointMats[m + 11]! - jointMats[p + 11]!);
        for (let row = 0; row < 3; row++) {
            const b0 = jointMats[p + row]!;
            const b1 = jointMats[p + 4 + row]!;
            const b2 = jointMats[p + 8 + row]!;
            const r = m + row * 4;
            jointMats[r] = f(f(b0 * a00) + f(b1 * a10)) + f(b2 * a20);
            jointMats[r + 1] = f(f(b0 * a01) + f(b1 * a11)) + f(b2 * a21);
            jointMats[r + 2] = f(f(b0 * a02) + f(b1 * a12)) + f(b2 * a22);
            jointMats[r + 3] = f(f(b0 * a03) + f(b1 * a13)) + f(b2 * a23);
        }
    }
}
