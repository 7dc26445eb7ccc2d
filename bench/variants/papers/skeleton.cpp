// SPDX-License-Identifier: LGPL-2.1-or-later
//
//     Copyright (C) 2005 Id Software, Inc.
//     Written by J.M.P. van Waveren
//
//     This code is free software; you can redistribute it and/or
//     modify it under the terms of the GNU Lesser General Public
//     License as published by the Free Software Foundation; either
//     version 2.1 of the License, or (at your option) any later version.
//
//     This code is distributed in the hope that it will be useful,
//     but WITHOUT ANY WARRANTY; without even the implied warranty of
//     MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU
//     Lesser General Public License for more details.
//
// "The Skeleton Assembly Line", section 3: the first of the two ways to load scalars, in the listings' routines. The
// order of the sums is the listings', so that the bits are theirs.
#include "../../../native/papers/the_skeleton_assembly_line.cpp"

#include "variants.h"

namespace poselane {
namespace paper_sse {
namespace {

/// "load a single scalar from one matrix and shuffle it into all four elements of an SSE register"
inline __m128 Scalar(const float* m) {
    const __m128 xmm0 = _mm_load_ss(m);
    return _mm_shuffle_ps(xmm0, xmm0, R_SHUFFLE_PS(0, 0, 0, 0));
}

/// A row of a product, translation included.
inline __m128 Row(const float* row, __m128 xmm0, __m128 xmm1, __m128 xmm2) {
    __m128 xmm3 = Scalar(row + 0);
    xmm3 = _mm_mul_ps(xmm3, xmm0);
    __m128 xmm4 = Scalar(row + 1);
    xmm4 = _mm_mul_ps(xmm4, xmm1);
    xmm3 = _mm_add_ps(xmm3, xmm4);
    __m128 xmm5 = Scalar(row + 2);
    xmm5 = _mm_mul_ps(xmm5, xmm2);
    xmm3 = _mm_add_ps(xmm3, xmm5);
    __m128 xmm7 = _mm_loadu_ps(row);
    xmm7 = _mm_and_ps(xmm7, SIMD_SP_clearFirstThree);
    return _mm_add_ps(xmm3, xmm7);
}

/// A row of a product with a transposed rotation.
inline __m128 TransposedRow(const float* column, __m128 xmm0, __m128 xmm1, __m128 xmm2) {
    __m128 xmm3 = Scalar(column + 0);
    xmm3 = _mm_mul_ps(xmm3, xmm0);
    __m128 xmm4 = Scalar(column + 4);
    xmm4 = _mm_mul_ps(xmm4, xmm1);
    xmm3 = _mm_add_ps(xmm3, xmm4);
    __m128 xmm5 = Scalar(column + 8);
    xmm5 = _mm_mul_ps(xmm5, xmm2);
    return _mm_add_ps(xmm3, xmm5);
}

/// Four elements, the last less the parent's.
inline __m128 Local(const float* row, const float* parentRow) {
    __m128 xmm7 = _mm_load_ss(parentRow + 3);
    xmm7 = pshufd<R_SHUFFLE_D(1, 2, 3, 0)>(xmm7);
    return _mm_sub_ps(_mm_loadu_ps(row), xmm7);
}

} // namespace

void TransformSkeletonMovss(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint) {
    for (ptrdiff_t i = firstJoint; i <= lastJoint; i++) {
        float* const m = jointMats[i].mat;
        const float* const parent = jointMats[parents[i]].mat;
        const __m128 xmm0 = _mm_loadu_ps(m + 0);
        const __m128 xmm1 = _mm_loadu_ps(m + 4);
        const __m128 xmm2 = _mm_loadu_ps(m + 8);
        _mm_storeu_ps(m + 0, Row(parent + 0, xmm0, xmm1, xmm2));
        _mm_storeu_ps(m + 4, Row(parent + 4, xmm0, xmm1, xmm2));
        _mm_storeu_ps(m + 8, Row(parent + 8, xmm0, xmm1, xmm2));
    }
}

void UntransformSkeletonMovss(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint) {
    for (ptrdiff_t i = lastJoint; i >= firstJoint; i--) {
        float* const m = jointMats[i].mat;
        const float* const parent = jointMats[parents[i]].mat;
        const __m128 xmm0 = Local(m + 0, parent + 0);
        const __m128 xmm1 = Local(m + 4, parent + 4);
        const __m128 xmm2 = Local(m + 8, parent + 8);
        _mm_storeu_ps(m + 0, TransposedRow(parent + 0, xmm0, xmm1, xmm2));
        _mm_storeu_ps(m + 4, TransposedRow(parent + 1, xmm0, xmm1, xmm2));
        _mm_storeu_ps(m + 8, TransposedRow(parent + 2, xmm0, xmm1, xmm2));
    }
}

void TransformJointsMovss(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints) {
    for (ptrdiff_t i = 0; i < numJoints; i++) {
        const float* const a = joints1[i].mat;
        const __m128 xmm0 = _mm_loadu_ps(joints2[i].mat + 0);
        const __m128 xmm1 = _mm_loadu_ps(joints2[i].mat + 4);
        const __m128 xmm2 = _mm_loadu_ps(joints2[i].mat + 8);
        _mm_storeu_ps(result[i].mat + 0, Row(a + 0, xmm0, xmm1, xmm2));
        _mm_storeu_ps(result[i].mat + 4, Row(a + 4, xmm0, xmm1, xmm2));
        _mm_storeu_ps(result[i].mat + 8, Row(a + 8, xmm0, xmm1, xmm2));
    }
}

} // namespace paper_sse
} // namespace poselane
