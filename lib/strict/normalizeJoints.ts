// SPDX-License-Identifier: MIT

const f = Math.fround;

/**
 * Divides quaternions by their length; a zero quaternion stays as it is. Translations are left alone.
 *
 * @param joints JointQuats, 8 floats each, changed in place.
 * @param index Which joints, one call after the other where one is named twice; null: all, from the first.
 */
export function normalizeJoints(joints: Float32Array, index: Int32Array | null, numJoints: number): void {
    for (let i = 0; i < numJoints; i++) {
        const o = (index === null ? i : index[i]!) * 8;
        const x = joints[o]!;
        const y = joints[o + 1]!;
        const z = joints[o + 2]!;
        const w = joints[o + 3]!;
        const n = f(f(f(x * x) + f(z * z)) + f(f(y * y) + f(w * w)));
        const length = n === 0 ? 1 : f(Math.sqrt(n));
        joints[o] = x / length;
        joints[o + 1] = y / length;
        joints[o + 2] = z / length;
        joints[o + 3] = w / length;
    }
}
