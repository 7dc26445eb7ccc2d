// SPDX-License-Identifier: LGPL-2.1-or-later
//
// After the listings in "Slerping Clock Cycles",
// Copyright (C) 2005 Id Software, Inc. Written by J.M.P. van Waveren.
// This code is free software; you can redistribute it and/or modify it under the terms of the GNU Lesser General
// Public License as published by the Free Software Foundation; either version 2.1 of the License, or (at your
// option) any later version. This code is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY;
// without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU Lesser
// General Public License for more details.
// Changed: rewritten in TypeScript.

/**
 * Handles the edges as SlerpJoints and LerpJoints do before their loops (appendices A and B). At or below 0 the joints
 * do not change. At or above 1 (or NaN) they become copies of `blendJoints`. Returns whether the joints still need to
 * be blended.
 */
export function blendEdge(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index: Int32Array | null,
    numJoints: number,
): boolean {
    if (lerp <= 0) return false;
    if (lerp < 1) return true;
    for (let i = 0; i < numJoints; i++) {
        const o = (index === null ? i : index[i]!) * 8;
        for (let k = o; k < o + 8; k++) joints[k] = blendJoints[k]!;
    }
    return false;
}

/** Vec4Lerp (section 6) on the translation of a joint, all four components. */
export function vec4Lerp(joints: Float32Array, blendJoints: Float32Array, o: number, lerp: number): void {
    const keep = 1 - lerp;
    joints[o + 4] = joints[o + 4]! * keep + blendJoints[o + 4]! * lerp;
    joints[o + 5] = joints[o + 5]! * keep + blendJoints[o + 5]! * lerp;
    joints[o + 6] = joints[o + 6]! * keep + blendJoints[o + 6]! * lerp;
    joints[o + 7] = joints[o + 7]! * keep + blendJoints[o + 7]! * lerp;
}
