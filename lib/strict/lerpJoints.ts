// SPDX-License-Identifier: MIT

import { copyAtEdge } from './edges';
import { lerpUniform } from './lerpUniform';
import { mixTranslations } from './translations';

/**
 * Blends joints towards `blendJoints`, one weight for all: normalised lerp on the quaternions, a linear mix on the translations
 * ("Slerping Clock Cycles"; the arithmetic is this project's).
 *
 * @param joints JointQuats, 8 floats each, changed in place.
 * @param blendJoints JointQuats like `joints`; may be the same list.
 * @param lerp Any number, rounded to float32: at 0 and below joints stay, at 1 and above, or NaN, they become copies.
 * @param index Which joints, blended once per mention, in order; null: all, from the first.
 */
export function lerpJoints(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index: Int32Array | null,
    numJoints: number,
): void {
    const t = Math.fround(lerp);
    if (copyAtEdge(joints, joints, blendJoints, 8, t, index, numJoints)) return;
    lerpUniform(joints, joints, blendJoints, 8, t, index, numJoints);
    mixTranslations(joints, blendJoints, t, index, numJoints);
}
