// SPDX-License-Identifier: MIT
// Twin: native/kernels/transform_joints.h

/**
 *     result = joints1 · joints2
 *
 * Products of 3x4 matrices, the last row (0 0 0 1) implied. "The Skeleton Assembly Line" (2005), section 5.
 */

const f = Math.fround;

/** @param result JointMats, 12 floats each; may start where `joints1` or `joints2` does. */
export function transformJoints(
    result: Float32Array,
    joints1: Float32Array,
    joints2: Float32Array,
    numJoints: number,
): void {
    for (let i = 0, m = 0; i < numJoints; i++, m += 12) multiply(result, m, joints1, m, joints2, m);
}

/** The product of the matrices at floats `l` and `r`, to `m`. Everything is read before it may be overwritten. */
export function multiply(
    result: Float32Array,
    m: number,
    left: Float32Array,
    l: number,
    right: Float32Array,
    r: number,
): void {
    const a00 = right[r]!;
    const a01 = right[r + 1]!;
    const a02 = right[r + 2]!;
    const a03 = right[r + 3]!;
    const a10 = right[r + 4]!;
    const a11 = right[r + 5]!;
    const a12 = right[r + 6]!;
    const a13 = right[r + 7]!;
    const a20 = right[r + 8]!;
    const a21 = right[r + 9]!;
    const a22 = right[r + 10]!;
    const a23 = right[r + 11]!;
    for (let row = 0; row < 12; row += 4) {
        const b0 = left[l + row]!;
        const b1 = left[l + row + 1]!;
        const b2 = left[l + row + 2]!;
        const b3 = left[l + row + 3]!;
        result[m + row] = f(f(b0 * a00) + f(b1 * a10)) + f(b2 * a20);
        result[m + row + 1] = f(f(b0 * a01) + f(b1 * a11)) + f(b2 * a21);
        result[m + row + 2] = f(f(b0 * a02) + f(b1 * a12)) + f(b2 * a22);
        result[m + row + 3] = f(f(f(b0 * a03) + f(b1 * a13)) + f(b2 * a23)) + b3;
    }
}
