// SPDX-License-Identifier: MIT

const f = Math.fround;

/**
 * The translations of joints, all four floats, by the same mix as the quaternions, base + (t other - t base), with t
 * counted from the nearer end: exact at both ends, and two equal translations stay what they are.
 *
 * @param time 0 < time < 1, a float32.
 */
export function mixTranslations(
    joints: Float32Array,
    blendJoints: Float32Array,
    time: number,
    index: Int32Array | null,
    numJoints: number,
): void {
    const swap = time > 0.5;
    const t = Math.min(time, f(1 - time));
    const base = swap ? blendJoints : joints;
    const other = swap ? joints : blendJoints;
    for (let i = 0; i < numJoints; i++) {
        const o = (index === null ? i : index[i]!) * 8 + 4;
        const ax = base[o]!;
        const ay = base[o + 1]!;
        const az = base[o + 2]!;
        const aw = base[o + 3]!;
        joints[o] = ax + f(f(t * other[o]!) - f(t * ax));
        joints[o + 1] = ay + f(f(t * other[o + 1]!) - f(t * ay));
        joints[o + 2] = az + f(f(t * other[o + 2]!) - f(t * az));
        joints[o + 3] = aw + f(f(t * other[o + 3]!) - f(t * aw));
    }
}

/** The same, each joint with its own time, `times` by joint number, and the edges of `slerpEach`. */
export function mixTranslationsPerJoint(
    joints: Float32Array,
    blendJoints: Float32Array,
    times: Float32Array,
    index: Int32Array | null,
    numJoints: number,
): void {
    for (let i = 0; i < numJoints; i++) {
        const joint = index === null ? i : index[i]!;
        const o = joint * 8 + 4;
        const time = times[joint]!;
        if (time > 0 && time < 1) {
            const swap = time > 0.5;
            const t = Math.min(time, f(1 - time));
            const base = swap ? blendJoints : joints;
            const other = swap ? joints : blendJoints;
            const ax = base[o]!;
            const ay = base[o + 1]!;
            const az = base[o + 2]!;
            const aw = base[o + 3]!;
            joints[o] = ax + f(f(t * other[o]!) - f(t * ax));
            joints[o + 1] = ay + f(f(t * other[o + 1]!) - f(t * ay));
            joints[o + 2] = az + f(f(t * other[o + 2]!) - f(t * az));
            joints[o + 3] = aw + f(f(t * other[o + 3]!) - f(t * aw));
        } else if (!(time <= 0)) {
            for (let k = o; k < o + 4; k++) joints[k] = blendJoints[k]!;
        }
    }
}
