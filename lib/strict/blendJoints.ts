// SPDX-License-Identifier: MIT
// Twin: native/kernels/blend_joints.h

/**
 *     quaternions, slerp       r = (sin((1 - t) θ) a + sin(t θ) b) / sin θ
 *     quaternions, lerp        r = (a + t (b - a)) / |a + t (b - a)|
 *     quaternions, normalized  r = a / |a|
 *     translations             r = a + t (b - a)
 *
 * Joints, blended in place: a of `joints`, b of `blendJoints`, on the shorter arc.
 * "Slerping Clock Cycles" (2005), sections 3, 4 and 6; the arithmetic is this project's.
 *
 * Lists are JointQuats, 8 floats each; `blendJoints` may be `joints`. `index`: which joints, once per mention, in
 * order; null: all, from the first. t is any number: at 0 and below joints stay, at 1 and above, or NaN, they become
 * copies.
 */

import { copyAtEdge } from './blendPairs';
import { lerpUniform } from './lerpUniform';
import { slerpEach } from './slerpEach';
import { slerpUniform } from './slerpUniform';

const f = Math.fround;

/** Slerp with one weight for all joints. */
export function slerpJoints(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index: Int32Array | null,
    numJoints: number,
): void {
    const t = f(lerp);
    if (copyAtEdge(joints, joints, blendJoints, 8, t, index, numJoints)) return;
    slerpUniform(joints, joints, blendJoints, 8, t, index, numJoints);
    mixTranslations(joints, blendJoints, t, index, numJoints);
}

/** Normalized lerp with one weight for all joints. */
export function lerpJoints(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index: Int32Array | null,
    numJoints: number,
): void {
    const t = f(lerp);
    if (copyAtEdge(joints, joints, blendJoints, 8, t, index, numJoints)) return;
    lerpUniform(joints, joints, blendJoints, 8, t, index, numJoints);
    mixTranslations(joints, blendJoints, t, index, numJoints);
}

/** Slerp with one weight per joint: `lerps[index[i]]`, or `lerps[i]` without an index. */
export function slerpJointsPerJoint(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerps: Float32Array,
    index: Int32Array | null,
    numJoints: number,
): void {
    slerpEach(joints, joints, blendJoints, 8, lerps, index, numJoints);
    mixTranslationsPerJoint(joints, blendJoints, lerps, index, numJoints);
}

/** Divides quaternions by their length. Zero quaternions and translations do not change. */
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

/**
 * The translations of joints, all four floats, by the same mix as the quaternions, base + (t other - t base), with t
 * counted from the nearer end: exact at both ends, and two equal translations stay what they are.
 *
 * @param time 0 < time < 1, a float32.
 */
function mixTranslations(
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

/** The same with one time per joint, `times[joint]`, and the edges of `slerpEach`. */
function mixTranslationsPerJoint(
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
