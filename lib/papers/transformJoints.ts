// SPDX-License-Identifier: LGPL-2.1-or-later
//
// After the listings in "The Skeleton Assembly Line",
// Copyright (C) 2005 Id Software, Inc. Written by J.M.P. van Waveren.
// This code is free software; you can redistribute it and/or modify it under the terms of the GNU Lesser General
// Public License as published by the Free Software Foundation; either version 2.1 of the License, or (at your
// option) any later version. This code is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY;
// without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU Lesser
// General Public License for more details.
// Changed: rewritten in TypeScript.

const f = Math.fround;

/** MultiplyJoints: one product, all matrices at float `o`. */
function multiplyJoints(result: Float32Array, joints1: Float32Array, joints2: Float32Array, o: number): void {
    const b00 = joints2[o]!;
    const b01 = joints2[o + 1]!;
    const b02 = joints2[o + 2]!;
    const b03 = joints2[o + 3]!;
    const b10 = joints2[o + 4]!;
    const b11 = joints2[o + 5]!;
    const b12 = joints2[o + 6]!;
    const b13 = joints2[o + 7]!;
    const b20 = joints2[o + 8]!;
    const b21 = joints2[o + 9]!;
    const b22 = joints2[o + 10]!;
    const b23 = joints2[o + 11]!;
    for (let r = o; r < o + 12; r += 4) {
        const a0 = joints1[r]!;
        const a1 = joints1[r + 1]!;
        const a2 = joints1[r + 2]!;
        const t = joints1[r + 3]!;
        // The listing adds (0, 0, 0, t) to the whole row. Adding 0 turns -0 into +0.
        result[r] = f(f(f(a0 * b00) + f(a1 * b10)) + f(a2 * b20)) + 0;
        result[r + 1] = f(f(f(a0 * b01) + f(a1 * b11)) + f(a2 * b21)) + 0;
        result[r + 2] = f(f(f(a0 * b02) + f(a1 * b12)) + f(a2 * b22)) + 0;
        result[r + 3] = f(f(f(a0 * b03) + f(a1 * b13)) + f(a2 * b23)) + t;
    }
}

/**
 * TransformJoints ("The Skeleton Assembly Line", section 5 and appendix C): result[i] = joints1[i] * joints2[i].
 * `result` may be either operand. In float32 and in the order of appendix C: the same bits as `paper/sse`.
 */
export function transformJoints(
    result: Float32Array,
    joints1: Float32Array,
    joints2: Float32Array,
    numJoints: number,
): void {
    for (let i = 0, o = 0; i < numJoints; i++, o += 12) {
        multiplyJoints(result, joints1, joints2, o);
    }
}
