// SPDX-License-Identifier: LGPL-2.1-or-later
//
//     SSE Optimized Skeleton Transform for Skeletal Animation Systems
//     SSE Optimized Skeleton Untransform for Skeletal Animation Systems
//     SSE Optimized Joint Transform for Skeletal Animation Systems
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
// A port of "The Skeleton Assembly Line" (J.M.P. van Waveren, 27 February 2005): the C of its text, and its
// appendices A, B and C as intrinsics, one per instruction, in the listings' order. Changed in this port:
// - what the surviving copy of the paper lost or garbled is restored (elements of the C, the end of appendix C);
// - the C of TransformJoints, which the copy lost, allows the result to be one of the operands, as appendix C does;
// - loads and stores need no alignment, offsets are pointer-sized, and numJoints <= 0 does nothing.
#include "papers.h"

#include <stddef.h>

#include "listing.h"

namespace poselane {
namespace paper_c {
namespace {

/// Section 3, one of the four columns that its text spells out: b's rotation times a's column.
void TransformColumn(JointMat& a, const JointMat& b, const int column) {
    float tmp[3];
    tmp[0] = a.mat[0 * 4 + column] * b.mat[0 * 4 + 0] + a.mat[1 * 4 + column] * b.mat[0 * 4 + 1] +
             a.mat[2 * 4 + column] * b.mat[0 * 4 + 2];
    tmp[1] = a.mat[0 * 4 + column] * b.mat[1 * 4 + 0] + a.mat[1 * 4 + column] * b.mat[1 * 4 + 1] +
             a.mat[2 * 4 + column] * b.mat[1 * 4 + 2];
    tmp[2] = a.mat[0 * 4 + column] * b.mat[2 * 4 + 0] + a.mat[1 * 4 + column] * b.mat[2 * 4 + 1] +
             a.mat[2 * 4 + column] * b.mat[2 * 4 + 2];
    a.mat[0 * 4 + column] = tmp[0];
    a.mat[1 * 4 + column] = tmp[1];
    a.mat[2 * 4 + column] = tmp[2];
}

/// Section 3: a = b * a.
void TransformJoint(JointMat& a, const JointMat& b) {
    TransformColumn(a, b, 0);
    TransformColumn(a, b, 1);
    TransformColumn(a, b, 2);
    TransformColumn(a, b, 3);

    a.mat[0 * 4 + 3] += b.mat[0 * 4 + 3];
    a.mat[1 * 4 + 3] += b.mat[1 * 4 + 3];
    a.mat[2 * 4 + 3] += b.mat[2 * 4 + 3];
}

/// Section 4, one of the four columns that its text spells out: b's transposed rotation times a's column.
void UntransformColumn(JointMat& a, const JointMat& b, const int column) {
    float tmp[3];
    tmp[0] = a.mat[0 * 4 + column] * b.mat[0 * 4 + 0] + a.mat[1 * 4 + column] * b.mat[1 * 4 + 0] +
             a.mat[2 * 4 + column] * b.mat[2 * 4 + 0];
    tmp[1] = a.mat[0 * 4 + column] * b.mat[0 * 4 + 1] + a.mat[1 * 4 + column] * b.mat[1 * 4 + 1] +
             a.mat[2 * 4 + column] * b.mat[2 * 4 + 1];
    tmp[2] = a.mat[0 * 4 + column] * b.mat[0 * 4 + 2] + a.mat[1 * 4 + column] * b.mat[1 * 4 + 2] +
             a.mat[2 * 4 + column] * b.mat[2 * 4 + 2];
    a.mat[0 * 4 + column] = tmp[0];
    a.mat[1 * 4 + column] = tmp[1];
    a.mat[2 * 4 + column] = tmp[2];
}

/// Section 4: a = inverse of b * a, for a b without scale.
void UntransformJoint(JointMat& a, const JointMat& b) {
    a.mat[0 * 4 + 3] -= b.mat[0 * 4 + 3];
    a.mat[1 * 4 + 3] -= b.mat[1 * 4 + 3];
    a.mat[2 * 4 + 3] -= b.mat[2 * 4 + 3];

    UntransformColumn(a, b, 0);
    UntransformColumn(a, b, 1);
    UntransformColumn(a, b, 2);
    UntransformColumn(a, b, 3);
}

/// Section 5, one of the three rows that its text spells out.
void MultiplyRow(JointMat& result, const JointMat& a, const JointMat& b, const int row) {
    result.mat[row * 4 + 0] = a.mat[row * 4 + 0] * b.mat[0 * 4 + 0] + a.mat[row * 4 + 1] * b.mat[1 * 4 + 0] +
                              a.mat[row * 4 + 2] * b.mat[2 * 4 + 0];
    result.mat[row * 4 + 1] = a.mat[row * 4 + 0] * b.mat[0 * 4 + 1] + a.mat[row * 4 + 1] * b.mat[1 * 4 + 1] +
                              a.mat[row * 4 + 2] * b.mat[2 * 4 + 1];
    result.mat[row * 4 + 2] = a.mat[row * 4 + 0] * b.mat[0 * 4 + 2] + a.mat[row * 4 + 1] * b.mat[1 * 4 + 2] +
                              a.mat[row * 4 + 2] * b.mat[2 * 4 + 2];
    result.mat[row * 4 + 3] = a.mat[row * 4 + 0] * b.mat[0 * 4 + 3] + a.mat[row * 4 + 1] * b.mat[1 * 4 + 3] +
                              a.mat[row * 4 + 2] * b.mat[2 * 4 + 3] + a.mat[row * 4 + 3];
}

/// Section 5: result = a * b. By value, because the text's references go wrong when the result is an operand.
void MultiplyJoints(JointMat& result, const JointMat a, const JointMat b) {
    MultiplyRow(result, a, b, 0);
    MultiplyRow(result, a, b, 1);
    MultiplyRow(result, a, b, 2);
}

} // namespace

/// Section 3.
void TransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint) {
    for (int i = firstJoint; i <= lastJoint; i++) {
        TransformJoint(jointMats[i], jointMats[parents[i]]);
    }
}

/// Section 4.
void UntransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint) {
    for (int i = lastJoint; i >= firstJoint; i--) {
        UntransformJoint(jointMats[i], jointMats[parents[i]]);
    }
}

/// Section 5.
void TransformJoints(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints) {
    for (int i = 0; i < numJoints; i++) {
        MultiplyJoints(result[i], joints1[i], joints2[i]);
    }
}

} // namespace paper_c

#ifdef POSELANE_HAVE_SSE2

namespace paper_sse {
namespace {

constexpr Aligned4<unsigned> SIMD_SP_clearFirstThree = ALIGN4_INIT4(0x00000000u, 0x00000000u, 0x00000000u, 0xFFFFFFFFu);

} // namespace

/// Appendix A. Adding the translation adds +0 to the rotation as well, which turns the C's -0 into +0.
void TransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint) {
    ptrdiff_t eax = static_cast<ptrdiff_t>(lastJoint) - firstJoint;
    if (eax < 0) {
        return;
    }
    const int* const edi = parents + firstJoint + eax;
    JointMat* ecx = jointMats + firstJoint;
    eax = -eax;
    // loopJoint:
    do {
        const JointMat* const edx = jointMats + edi[eax];
        const __m128 xmm0 = _mm_loadu_ps(ecx->mat + 0); // xmm0 = m0, m1, m2, t0
        const __m128 xmm1 = _mm_loadu_ps(ecx->mat + 4); // xmm1 = m3, m4, m5, t1
        const __m128 xmm2 = _mm_loadu_ps(ecx->mat + 8); // xmm2 = m6, m7, m8, t2

        __m128 xmm7 = _mm_loadu_ps(edx->mat + 0);
        __m128 xmm4 = pshufd<R_SHUFFLE_D(0, 0, 0, 0)>(xmm7);
        xmm4 = _mm_mul_ps(xmm4, xmm0);
        __m128 xmm5 = pshufd<R_SHUFFLE_D(1, 1, 1, 1)>(xmm7);
        xmm5 = _mm_mul_ps(xmm5, xmm1);
        xmm4 = _mm_add_ps(xmm4, xmm5);
        __m128 xmm6 = pshufd<R_SHUFFLE_D(2, 2, 2, 2)>(xmm7);
        xmm6 = _mm_mul_ps(xmm6, xmm2);
        xmm4 = _mm_add_ps(xmm4, xmm6);
        xmm7 = _mm_and_ps(xmm7, SIMD_SP_clearFirstThree);
        xmm4 = _mm_add_ps(xmm4, xmm7);
        _mm_storeu_ps(ecx->mat + 0, xmm4);

        __m128 xmm3 = _mm_loadu_ps(edx->mat + 4);
        xmm5 = pshufd<R_SHUFFLE_D(0, 0, 0, 0)>(xmm3);
        xmm5 = _mm_mul_ps(xmm5, xmm0);
        xmm6 = pshufd<R_SHUFFLE_D(1, 1, 1, 1)>(xmm3);
        xmm6 = _mm_mul_ps(xmm6, xmm1);
        xmm5 = _mm_add_ps(xmm5, xmm6);
        xmm4 = pshufd<R_SHUFFLE_D(2, 2, 2, 2)>(xmm3);
        xmm4 = _mm_mul_ps(xmm4, xmm2);
        xmm5 = _mm_add_ps(xmm5, xmm4);
        xmm3 = _mm_and_ps(xmm3, SIMD_SP_clearFirstThree);
        xmm5 = _mm_add_ps(xmm5, xmm3);
        _mm_storeu_ps(ecx->mat + 4, xmm5);

        xmm7 = _mm_loadu_ps(edx->mat + 8);
        xmm6 = pshufd<R_SHUFFLE_D(0, 0, 0, 0)>(xmm7);
        xmm6 = _mm_mul_ps(xmm6, xmm0);
        xmm4 = pshufd<R_SHUFFLE_D(1, 1, 1, 1)>(xmm7);
        xmm4 = _mm_mul_ps(xmm4, xmm1);
        xmm6 = _mm_add_ps(xmm6, xmm4);
        xmm3 = pshufd<R_SHUFFLE_D(2, 2, 2, 2)>(xmm7);
        xmm3 = _mm_mul_ps(xmm3, xmm2);
        xmm6 = _mm_add_ps(xmm6, xmm3);
        xmm7 = _mm_and_ps(xmm7, SIMD_SP_clearFirstThree);
        xmm6 = _mm_add_ps(xmm6, xmm7);
        _mm_storeu_ps(ecx->mat + 8, xmm6);

        ecx += 1;
        eax += 1;
    } while (eax <= 0);
}

/// Appendix B.
void UntransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint) {
    ptrdiff_t eax = static_cast<ptrdiff_t>(lastJoint) - firstJoint;
    if (eax < 0) {
        return;
    }
    JointMat* const esi = jointMats;
    const int* const edi = parents + firstJoint;
    ptrdiff_t ecx = lastJoint;
    // loopJoint:
    do {
        const JointMat* const edx = esi + edi[eax];
        float* const m = esi[ecx].mat;
        __m128 xmm0 = _mm_loadu_ps(m + 0); // xmm0 = m0, m1, m2, t0
        __m128 xmm1 = _mm_loadu_ps(m + 4); // xmm1 = m3, m4, m5, t1
        __m128 xmm2 = _mm_loadu_ps(m + 8); // xmm2 = m6, m7, m8, t2

        __m128 xmm7 = _mm_load_ss(edx->mat + 3);
        xmm7 = pshufd<R_SHUFFLE_D(1, 2, 3, 0)>(xmm7);
        xmm0 = _mm_sub_ps(xmm0, xmm7);
        __m128 xmm6 = _mm_load_ss(edx->mat + 7);
        xmm6 = pshufd<R_SHUFFLE_D(1, 2, 3, 0)>(xmm6);
        xmm1 = _mm_sub_ps(xmm1, xmm6);
        __m128 xmm5 = _mm_load_ss(edx->mat + 11);
        xmm5 = pshufd<R_SHUFFLE_D(1, 2, 3, 0)>(xmm5);
        xmm2 = _mm_sub_ps(xmm2, xmm5);

        ecx -= 1;
        eax -= 1;

        xmm7 = _mm_loadu_ps(edx->mat + 0);
        __m128 xmm3 = pshufd<R_SHUFFLE_D(0, 0, 0, 0)>(xmm7);
        xmm3 = _mm_mul_ps(xmm3, xmm0);
        __m128 xmm4 = pshufd<R_SHUFFLE_D(1, 1, 1, 1)>(xmm7);
        xmm4 = _mm_mul_ps(xmm4, xmm0);
        xmm5 = pshufd<R_SHUFFLE_D(2, 2, 2, 2)>(xmm7);
        xmm5 = _mm_mul_ps(xmm5, xmm0);

        xmm7 = _mm_loadu_ps(edx->mat + 4);
        xmm0 = pshufd<R_SHUFFLE_D(0, 0, 0, 0)>(xmm7);
        xmm0 = _mm_mul_ps(xmm0, xmm1);
        xmm3 = _mm_add_ps(xmm3, xmm0);
        xmm6 = pshufd<R_SHUFFLE_D(1, 1, 1, 1)>(xmm7);
        xmm6 = _mm_mul_ps(xmm6, xmm1);
        xmm4 = _mm_add_ps(xmm4, xmm6);
        xmm0 = pshufd<R_SHUFFLE_D(2, 2, 2, 2)>(xmm7);
        xmm0 = _mm_mul_ps(xmm0, xmm1);
        xmm5 = _mm_add_ps(xmm5, xmm0);

        xmm7 = _mm_loadu_ps(edx->mat + 8);
        xmm6 = pshufd<R_SHUFFLE_D(0, 0, 0, 0)>(xmm7);
        xmm6 = _mm_mul_ps(xmm6, xmm2);
        xmm3 = _mm_add_ps(xmm3, xmm6);
        _mm_storeu_ps(m + 0, xmm3);
        xmm1 = pshufd<R_SHUFFLE_D(1, 1, 1, 1)>(xmm7);
        xmm1 = _mm_mul_ps(xmm1, xmm2);
        xmm4 = _mm_add_ps(xmm4, xmm1);
        _mm_storeu_ps(m + 4, xmm4);
        xmm6 = pshufd<R_SHUFFLE_D(2, 2, 2, 2)>(xmm7);
        xmm6 = _mm_mul_ps(xmm6, xmm2);
        xmm5 = _mm_add_ps(xmm5, xmm6);
        _mm_storeu_ps(m + 8, xmm5);
    } while (eax >= 0);
}

/// Appendix C. The result may be either operand: a row is stored only after everything that it comes from was loaded.
void TransformJoints(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints) {
    if (numJoints <= 0) {
        return;
    }
    const JointMat* const ecx = joints1 + numJoints;
    const JointMat* const edx = joints2 + numJoints;
    JointMat* const edi = result + numJoints;
    ptrdiff_t eax = -static_cast<ptrdiff_t>(numJoints);
    // loopJoint:
    do {
        const __m128 xmm0 = _mm_loadu_ps(edx[eax].mat + 0);
        const __m128 xmm1 = _mm_loadu_ps(edx[eax].mat + 4);
        const __m128 xmm2 = _mm_loadu_ps(edx[eax].mat + 8);

        __m128 xmm7 = _mm_loadu_ps(ecx[eax].mat + 0);
        __m128 xmm3 = pshufd<R_SHUFFLE_D(0, 0, 0, 0)>(xmm7);
        xmm3 = _mm_mul_ps(xmm3, xmm0);
        __m128 xmm4 = pshufd<R_SHUFFLE_D(1, 1, 1, 1)>(xmm7);
        xmm4 = _mm_mul_ps(xmm4, xmm1);
        xmm3 = _mm_add_ps(xmm3, xmm4);
        __m128 xmm5 = pshufd<R_SHUFFLE_D(2, 2, 2, 2)>(xmm7);
        xmm5 = _mm_mul_ps(xmm5, xmm2);
        xmm3 = _mm_add_ps(xmm3, xmm5);
        xmm7 = _mm_and_ps(xmm7, SIMD_SP_clearFirstThree);
        xmm3 = _mm_add_ps(xmm3, xmm7);
        _mm_storeu_ps(edi[eax].mat + 0, xmm3);

        xmm7 = _mm_loadu_ps(ecx[eax].mat + 4);
        xmm3 = pshufd<R_SHUFFLE_D(0, 0, 0, 0)>(xmm7);
        xmm3 = _mm_mul_ps(xmm3, xmm0);
        xmm4 = pshufd<R_SHUFFLE_D(1, 1, 1, 1)>(xmm7);
        xmm4 = _mm_mul_ps(xmm4, xmm1);
        xmm3 = _mm_add_ps(xmm3, xmm4);
        xmm5 = pshufd<R_SHUFFLE_D(2, 2, 2, 2)>(xmm7);
        xmm5 = _mm_mul_ps(xmm5, xmm2);
        xmm3 = _mm_add_ps(xmm3, xmm5);
        xmm7 = _mm_and_ps(xmm7, SIMD_SP_clearFirstThree);
        xmm3 = _mm_add_ps(xmm3, xmm7);
        _mm_storeu_ps(edi[eax].mat + 4, xmm3);

        xmm7 = _mm_loadu_ps(ecx[eax].mat + 8);
        xmm3 = pshufd<R_SHUFFLE_D(0, 0, 0, 0)>(xmm7);
        xmm3 = _mm_mul_ps(xmm3, xmm0);
        xmm4 = pshufd<R_SHUFFLE_D(1, 1, 1, 1)>(xmm7);
        xmm4 = _mm_mul_ps(xmm4, xmm1);
        xmm3 = _mm_add_ps(xmm3, xmm4);
        xmm5 = pshufd<R_SHUFFLE_D(2, 2, 2, 2)>(xmm7);
        xmm5 = _mm_mul_ps(xmm5, xmm2);
        xmm3 = _mm_add_ps(xmm3, xmm5);
        xmm7 = _mm_and_ps(xmm7, SIMD_SP_clearFirstThree);
        xmm3 = _mm_add_ps(xmm3, xmm7);
        _mm_storeu_ps(edi[eax].mat + 8, xmm3);

        eax += 1;
    } while (eax < 0);
}

} // namespace paper_sse

#endif

} // namespace poselane
