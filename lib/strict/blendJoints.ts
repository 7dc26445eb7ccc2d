// SPDX-License-Identifier: MIT

/**
 *     quaternion    r = (sin((1 - t) θ) a + sin(t θ) b) / sin θ, or lerp: r = (a + t (b - a)) / |a + t (b - a)|
 *     translation   r = a + t (b - a)
 *     normalizeJoints: r = q / |q|
 *
 * Joints, blended in place: a of `joints`, b of `blendJoints`, on the shorter arc, by the arithmetic of formulas.ts. "Slerping Clock
 * Cycles" (2005), sections 3, 4 and 6; the arithmetic is this project's.
 *
 * Lists are JointQuats, 8 floats each; `blendJoints` may be `joints`. `index`: which joints, once per mention, in order; null: all, from
 * the first. t is any number: at 0 and below joints stay, at 1 and above, or NaN, they become copies.
 *
 * Twin: native/kernels/blend_joints.h
 */

import { copyAtEdge } from './edges';
import * as formulas from './formulas';
import { lerpUniform } from './lerpUniform';
import { slerpEach } from './slerpEach';
import { slerpUniform } from './slerpUniform';
import { mixTranslations, mixTranslationsPerJoint } from './translations';

const f = Math.fround;

export const reference = {
    slerpJoints: formulas.blendedJoint(formulas.slerpUniform),
    lerpJoints: formulas.blendedJoint(formulas.lerpUniform),
    slerpJointsPerJoint: formulas.blendedJoint(formulas.slerpEach),
    normalizeJoints: ([x, y, z, w, ...translation]: formulas.Joint) => [
        ...formulas.normalized([x!, y!, z!, w!]),
        ...translation,
    ],
};

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

/** Normalised lerp with one weight for all joints. */
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

/** Slerp with a weight for each joint, by its number: `lerps[index[i]]`, or `lerps[i]` without an index. */
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

/** Divides quaternions by their length; a zero quaternion stays as it is. Translations are left alone. */
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
