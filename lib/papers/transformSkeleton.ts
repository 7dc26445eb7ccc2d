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
