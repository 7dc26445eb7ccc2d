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
