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

/** The routines of the paper. */

const f = Math.fround;

/** TransformJoint: multiplies the joint at float `a` by that at float `b` from the left. */
function transformJoint(m: Float32Array, a: number, b: number): void {
    const a00 = m[a]!;
    const a01 = m[a + 1]!;
    const a02 = m[a + 2]!;
    const a03 = m[a + 3]!;
    const a10 = m[a + 4]!;
    const a11 = m[a + 5]!;
    const a12 = m[a + 6]!;
    const a13 = m[a + 7]!;
    const a20 = m[a + 8]!;
    const a21 = m[a + 9]!;
    const a22 = m[a + 10]!;
    const a23 = m[a + 11]!;
    for (let r = 0; r < 12; r += 4) {
        const b0 = m[b + r]!;
        const b1 = m[b + r + 1]!;
        const b2 = m[b + r + 2]!;
        const t = m[b + r + 3]!;
        // The listing adds (0, 0, 0, t) to the whole row. Adding 0 turns -0 into +0.
        m[a + r] = f(f(f(b0 * a00) + f(b1 * a10)) + f(b2 * a20)) + 0;
        m[a + r + 1] = f(f(f(b0 * a01) + f(b1 * a11)) + f(b2 * a21)) + 0;
        m[a + r + 2] = f(f(f(b0 * a02) + f(b1 * a12)) + f(b2 * a22)) + 0;
        m[a + r + 3] = f(f(f(b0 * a03) + f(b1 * a13)) + f(b2 * a23)) + t;
    }
}

/**
 * TransformSkeleton ("The Skeleton Assembly Line", section 3 and appendix A): joint matrices relative to their parents
 * become relative to the model, parents first. In float32 and in the order of appendix A: the same bits as `paper/sse`.
 */
export function transformSkeleton(m: Float32Array, parents: Int32Array, firstJoint: number, lastJoint: number): void {
    for (let i = firstJoint; i <= lastJoint; i++) {
        const parent = parents[i]!;
        if (parent === -1) continue;
        transformJoint(m, i * 12, parent * 12);
    }
}

/** UntransformJoint: multiplies the joint at float `a` by the inverse of that at float `b` from the left. */
function untransformJoint(m: Float32Array, a: number, b: number): void {
    const a03 = f(m[a + 3]! - m[b + 3]!);
    const a13 = f(m[a + 7]! - m[b + 7]!);
    const a23 = f(m[a + 11]! - m[b + 11]!);
    const a00 = m[a]!;
    const a01 = m[a + 1]!;
    const a02 = m[a + 2]!;
    const a10 = m[a + 4]!;
    const a11 = m[a + 5]!;
    const a12 = m[a + 6]!;
    const a20 = m[a + 8]!;
    const a21 = m[a + 9]!;
    const a22 = m[a + 10]!;
    for (let r = 0; r < 3; r++) {
        const b0 = m[b + r]!;
        const b1 = m[b + r + 4]!;
        const b2 = m[b + r + 8]!;
        const o = a + r * 4;
        m[o] = f(f(b0 * a00) + f(b1 * a10)) + f(b2 * a20);
        m[o + 1] = f(f(b0 * a01) + f(b1 * a11)) + f(b2 * a21);
        m[o + 2] = f(f(b0 * a02) + f(b1 * a12)) + f(b2 * a22);
        m[o + 3] = f(f(b0 * a03) + f(b1 * a13)) + f(b2 * a23);
    }
}

/**
 * UntransformSkeleton ("The Skeleton Assembly Line", section 4 and appendix B): the inverse of TransformSkeleton,
 * children first. It uses the transpose of the parent's rotation, so parents must be orthonormal. In float32 and in the
 * order of appendix B: the same bits as `paper/sse`.
 */
export function untransformSkeleton(m: Float32Array, parents: Int32Array, firstJoint: number, lastJoint: number): void {
    for (let i = lastJoint; i >= firstJoint; i--) {
        const parent = parents[i]!;
        if (parent === -1) continue;
        untransformJoint(m, i * 12, parent * 12);
    }
}

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
