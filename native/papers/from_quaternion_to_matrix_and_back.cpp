// SPDX-License-Identifier: LGPL-2.1-or-later
//
//     SSE Optimized Quaternion to Matrix Conversion
//     SSE Optimized Matrix to Quaternion Conversion
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
// A port of "From Quaternion to Matrix and Back" (J.M.P. van Waveren, 27 February 2005): both C versions of
// each conversion, and appendices A and B as intrinsics, one per instruction, in the listings' order. Changed here:
// - what the surviving copy of the paper lost or garbled is restored (the w case's `q[3]`, s1 and s2, the x case's k2,
//   a matrix element of the first blueprint, operands of the listings);
// - ReciprocalSqrt reads 32 bits, as the `long` of 2005 did; paper_c_exact does without that approximation;
// - loads and stores need no alignment, offsets are pointer-sized, and numJoints <= 0 does nothing;
// - Convention::gltf exchanges the signs of the products with w, or the elements that they are extracted from.
#include "papers.h"

#include <math.h>
#include <stddef.h>

#include "listing.h"
#include "reciprocal_sqrt.h"

namespace poselane {
namespace {

/// Where the papers' m[row * 4 + column] lies: glTF's rotation is the transpose. The listings know only `id`.
template <Convention convention> constexpr int Element(int row, int column) {
    return convention == Convention::id ? row * 4 + column : column * 4 + row;
}

} // namespace

namespace paper_c {
namespace {

/// Section 3, the first routine. Negating w is what exchanging the signs of wx2, wy2 and wz2 comes to, bit for bit.
template <Convention convention>
void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, const int numJoints) {
    for (int i = 0; i < numJoints; i++) {
        const float* q = &jointQuats[i].q.x;
        float* m = jointMats[i].mat;

        m[0 * 4 + 3] = jointQuats[i].t.x;
        m[1 * 4 + 3] = jointQuats[i].t.y;
        m[2 * 4 + 3] = jointQuats[i].t.z;

        const float w = convention == Convention::id ? q[3] : -q[3];
        const float x2 = q[0] + q[0];
        const float y2 = q[1] + q[1];
        const float z2 = q[2] + q[2];
        {
            const float xx2 = q[0] * x2;
            const float yy2 = q[1] * y2;
            const float zz2 = q[2] * z2;
            m[0 * 4 + 0] = 1.0f - yy2 - zz2;
            m[1 * 4 + 1] = 1.0f - xx2 - zz2;
            m[2 * 4 + 2] = 1.0f - xx2 - yy2;
        }
        {
            const float yz2 = q[1] * z2;
            const float wx2 = w * x2;
            m[2 * 4 + 1] = yz2 - wx2;
            m[1 * 4 + 2] = yz2 + wx2;
        }
        {
            const float xy2 = q[0] * y2;
            const float wz2 = w * z2;
            m[1 * 4 + 0] = xy2 - wz2;
            m[0 * 4 + 1] = xy2 + wz2;
        }
        {
            const float xz2 = q[0] * z2;
            const float wy2 = w * y2;
            m[0 * 4 + 2] = xz2 - wy2;
            m[2 * 4 + 0] = xz2 + wy2;
        }
    }
}

} // namespace
} // namespace paper_c

namespace {

/// Section 4, the first routine, with either reciprocal square root.
template <Convention convention, float (*reciprocalSqrt)(float)>
void ConvertJointMatsToJointQuatsC(JointQuat* jointQuats, const JointMat* jointMats, const int numJoints) {
    constexpr int m01 = Element<convention>(0, 1), m10 = Element<convention>(1, 0);
    constexpr int m02 = Element<convention>(0, 2), m20 = Element<convention>(2, 0);
    constexpr int m12 = Element<convention>(1, 2), m21 = Element<convention>(2, 1);
    for (int i = 0; i < numJoints; i++) {
        float* q = &jointQuats[i].q.x;
        const float* m = jointMats[i].mat;

        if (m[0 * 4 + 0] + m[1 * 4 + 1] + m[2 * 4 + 2] > 0.0f) {
            const float t = +m[0 * 4 + 0] + m[1 * 4 + 1] + m[2 * 4 + 2] + 1.0f;
            const float s = reciprocalSqrt(t) * 0.5f;
            q[3] = s * t;
            q[2] = (m[m01] - m[m10]) * s;
            q[1] = (m[m20] - m[m02]) * s;
            q[0] = (m[m12] - m[m21]) * s;
        } else if (m[0 * 4 + 0] > m[1 * 4 + 1] && m[0 * 4 + 0] > m[2 * 4 + 2]) {
            const float t = +m[0 * 4 + 0] - m[1 * 4 + 1] - m[2 * 4 + 2] + 1.0f;
            const float s = reciprocalSqrt(t) * 0.5f;
            q[0] = s * t;
            q[1] = (m[m01] + m[m10]) * s;
            q[2] = (m[m20] + m[m02]) * s;
            q[3] = (m[m12] - m[m21]) * s;
        } else if (m[1 * 4 + 1] > m[2 * 4 + 2]) {
            const float t = -m[0 * 4 + 0] + m[1 * 4 + 1] - m[2 * 4 + 2] + 1.0f;
            const float s = reciprocalSqrt(t) * 0.5f;
            q[1] = s * t;
            q[0] = (m[m01] + m[m10]) * s;
            q[3] = (m[m20] - m[m02]) * s;
            q[2] = (m[m12] + m[m21]) * s;
        } else {
            const float t = -m[0 * 4 + 0] - m[1 * 4 + 1] + m[2 * 4 + 2] + 1.0f;
            const float s = reciprocalSqrt(t) * 0.5f;
            q[2] = s * t;
            q[3] = (m[m01] - m[m10]) * s;
            q[0] = (m[m20] + m[m02]) * s;
            q[1] = (m[m12] + m[m21]) * s;
        }

        jointQuats[i].t.x = m[0 * 4 + 3];
        jointQuats[i].t.y = m[1 * 4 + 3];
        jointQuats[i].t.z = m[2 * 4 + 3];
        jointQuats[i].t.w = 0.0f;
    }
}

} // namespace

namespace paper_c {

void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, int numJoints,
                                  Convention convention) {
    if (convention == Convention::id) {
        ConvertJointQuatsToJointMats<Convention::id>(jointMats, jointQuats, numJoints);
    } else {
        ConvertJointQuatsToJointMats<Convention::gltf>(jointMats, jointQuats, numJoints);
    }
}

void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints,
                                  Convention convention) {
    if (convention == Convention::id) {
        ConvertJointMatsToJointQuatsC<Convention::id, ReciprocalSqrtC>(jointQuats, jointMats, numJoints);
    } else {
        ConvertJointMatsToJointQuatsC<Convention::gltf, ReciprocalSqrtC>(jointQuats, jointMats, numJoints);
    }
}

} // namespace paper_c

namespace paper_c_exact {
namespace {

/// In the approximation's place, rather than 0.5 * sqrt(t) and 0.5 / sqrt(t), so that everything else stays as it was
/// published. Both forms measure alike: 2.4e-7 at most after a round trip.
float ReciprocalSqrt(float x) { return 1.0f / sqrtf(x); }

} // namespace

void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints,
                                  Convention convention) {
    if (convention == Convention::id) {
        ConvertJointMatsToJointQuatsC<Convention::id, ReciprocalSqrt>(jointQuats, jointMats, numJoints);
    } else {
        ConvertJointMatsToJointQuatsC<Convention::gltf, ReciprocalSqrt>(jointQuats, jointMats, numJoints);
    }
}

} // namespace paper_c_exact

namespace paper_c_blueprint {
namespace {

/// Section 3, the second routine: the products in the listing's order.
template <Convention convention>
void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, const int numJoints) {
    for (int i = 0; i < numJoints; i++) {
        const float* q = &jointQuats[i].q.x;
        float* m = jointMats[i].mat;

        const float x2 = q[0] + q[0];
        const float y2 = q[1] + q[1];
        const float z2 = q[2] + q[2];
        // The text's doubles w here, and uses that nowhere.
        const float w = convention == Convention::id ? q[3] : -q[3];

        const float yy2 = q[1] * y2;
        const float xy2 = q[0] * y2;
        const float xz2 = q[0] * z2;
        const float yz2 = q[1] * z2;
        const float zz2 = q[2] * z2;
        const float wz2 = w * z2;
        const float wy2 = w * y2;
        const float wx2 = w * x2;
        const float xx2 = q[0] * x2;

        m[0 * 4 + 0] = -yy2 - zz2 + 1.0f;
        m[0 * 4 + 1] = xy2 + wz2;
        m[0 * 4 + 2] = xz2 - wy2;
        m[0 * 4 + 3] = jointQuats[i].t.x;

        m[1 * 4 + 0] = xy2 - wz2;
        m[1 * 4 + 1] = -xx2 - zz2 + 1.0f;
        m[1 * 4 + 2] = yz2 + wx2;
        m[1 * 4 + 3] = jointQuats[i].t.y;

        m[2 * 4 + 0] = xz2 + wy2;
        m[2 * 4 + 1] = yz2 - wx2;
        m[2 * 4 + 2] = -xx2 - yy2 + 1.0f;
        m[2 * 4 + 3] = jointQuats[i].t.z;
    }
}

/// Section 4, the second routine: the four cases differ in three signs and in where the components go.
template <Convention convention>
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, const int numJoints) {
    constexpr int m01 = Element<convention>(0, 1), m10 = Element<convention>(1, 0);
    constexpr int m02 = Element<convention>(0, 2), m20 = Element<convention>(2, 0);
    constexpr int m12 = Element<convention>(1, 2), m21 = Element<convention>(2, 1);
    for (int i = 0; i < numJoints; i++) {
        float s0, s1, s2;
        int k0, k1, k2, k3;

        float* q = &jointQuats[i].q.x;
        const float* m = jointMats[i].mat;

        if (m[0 * 4 + 0] + m[1 * 4 + 1] + m[2 * 4 + 2] > 0.0f) {
            k0 = 3;
            k1 = 2;
            k2 = 1;
            k3 = 0;
            s0 = 1.0f;
            s1 = 1.0f;
            s2 = 1.0f;
        } else if (m[0 * 4 + 0] > m[1 * 4 + 1] && m[0 * 4 + 0] > m[2 * 4 + 2]) {
            k0 = 0;
            k1 = 1;
            k2 = 2;
            k3 = 3;
            s0 = 1.0f;
            s1 = -1.0f;
            s2 = -1.0f;
        } else if (m[1 * 4 + 1] > m[2 * 4 + 2]) {
            k0 = 1;
            k1 = 0;
            k2 = 3;
            k3 = 2;
            s0 = -1.0f;
            s1 = 1.0f;
            s2 = -1.0f;
        } else {
            k0 = 2;
            k1 = 3;
            k2 = 0;
            k3 = 1;
            s0 = -1.0f;
            s1 = -1.0f;
            s2 = 1.0f;
        }
        const float t = s0 * m[0 * 4 + 0] + s1 * m[1 * 4 + 1] + s2 * m[2 * 4 + 2] + 1.0f;
        const float s = paper_c::ReciprocalSqrtC(t) * 0.5f;
        q[k0] = s * t;
        q[k1] = (m[m01] - s2 * m[m10]) * s;
        q[k2] = (m[m20] - s1 * m[m02]) * s;
        q[k3] = (m[m12] - s0 * m[m21]) * s;

        jointQuats[i].t.x = m[0 * 4 + 3];
        jointQuats[i].t.y = m[1 * 4 + 3];
        jointQuats[i].t.z = m[2 * 4 + 3];
        jointQuats[i].t.w = 0.0f;
    }
}

} // namespace

void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, int numJoints,
                                  Convention convention) {
    if (convention == Convention::id) {
        ConvertJointQuatsToJointMats<Convention::id>(jointMats, jointQuats, numJoints);
    } else {
        ConvertJointQuatsToJointMats<Convention::gltf>(jointMats, jointQuats, numJoints);
    }
}

void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints,
                                  Convention convention) {
    if (convention == Convention::id) {
        ConvertJointMatsToJointQuats<Convention::id>(jointQuats, jointMats, numJoints);
    } else {
        ConvertJointMatsToJointQuats<Convention::gltf>(jointQuats, jointMats, numJoints);
    }
}

} // namespace paper_c_blueprint

#ifdef POSELANE_HAVE_SSE2

namespace paper_sse {
namespace {

constexpr Aligned4<unsigned> SIMD_SP_quat2mat_x0 = ALIGN4_INIT4(IEEE_SP_ZERO, IEEE_SP_SIGN, IEEE_SP_SIGN, IEEE_SP_SIGN);
constexpr Aligned4<unsigned> SIMD_SP_quat2mat_x1 = ALIGN4_INIT4(IEEE_SP_SIGN, IEEE_SP_ZERO, IEEE_SP_SIGN, IEEE_SP_SIGN);
constexpr Aligned4<unsigned> SIMD_SP_quat2mat_x2 = ALIGN4_INIT4(IEEE_SP_ZERO, IEEE_SP_SIGN, IEEE_SP_SIGN, IEEE_SP_SIGN);

/// x1 for glTF's matrices, not in the paper: the products with w have the opposite signs, zz2 has the same.
constexpr Aligned4<unsigned> SIMD_SP_quat2mat_x1_gltf =
    ALIGN4_INIT4(IEEE_SP_SIGN, IEEE_SP_SIGN, IEEE_SP_ZERO, IEEE_SP_ZERO);

constexpr Aligned4<unsigned> SIMD_SP_not = ALIGN4_INIT1(0xFFFFFFFFu);
constexpr Aligned4<unsigned> SIMD_DW_mat2quatShuffle0 = ALIGN4_INIT1(3u << 0 | 2u << 8 | 1u << 16 | 0u << 24);
constexpr Aligned4<unsigned> SIMD_DW_mat2quatShuffle1 = ALIGN4_INIT1(0u << 0 | 1u << 8 | 2u << 16 | 3u << 24);
constexpr Aligned4<unsigned> SIMD_DW_mat2quatShuffle2 = ALIGN4_INIT1(1u << 0 | 0u << 8 | 3u << 16 | 2u << 24);
constexpr Aligned4<unsigned> SIMD_DW_mat2quatShuffle3 = ALIGN4_INIT1(2u << 0 | 3u << 8 | 0u << 16 | 1u << 24);
constexpr Aligned4<float> SIMD_SP_mat2quat_rsqrt_c1 = ALIGN4_INIT1(-0.5f * 0.5f);

/// Appendix B, what loopMat4 repeats for each of its four matrices and loopMat1 has once more: the off-diagonal
/// elements, which take scalar code, and the stores. The first lanes are the current matrix's: xmm0, xmm1, xmm2 = the
/// signs s0, s1, s2, xmm6 = -s, xmm7 = s * t; `shuffle` = its k0, k1, k2, k3.
template <Convention convention>
inline void StoreJointQuat(JointQuat& jointQuat, const JointMat& jointMat, const unsigned char* shuffle, __m128 xmm0,
                           __m128 xmm1, __m128 xmm2, __m128 xmm6, __m128 xmm7) {
    const float* const m = jointMat.mat;
    float* const q = &jointQuat.q.x;

    int ecx = shuffle[0];        // ecx = k0
    _mm_store_ss(q + ecx, xmm7); // q[k0] = s * t;

    int edx = shuffle[1]; // edx = k1
    __m128 xmm4 = _mm_load_ss(m + Element<convention>(1, 0));
    xmm4 = _mm_xor_ps(xmm4, xmm2);
    xmm4 = _mm_sub_ss(xmm4, _mm_load_ss(m + Element<convention>(0, 1)));
    xmm4 = _mm_mul_ss(xmm4, xmm6);
    _mm_store_ss(q + edx, xmm4); // q[k1] = (m[0 * 4 + 1] - s2 * m[1 * 4 + 0]) * s;

    ecx = shuffle[2]; // ecx = k2
    __m128 xmm3 = _mm_load_ss(m + Element<convention>(0, 2));
    xmm3 = _mm_xor_ps(xmm3, xmm1);
    xmm3 = _mm_sub_ss(xmm3, _mm_load_ss(m + Element<convention>(2, 0)));
    xmm3 = _mm_mul_ss(xmm3, xmm6);
    _mm_store_ss(q + ecx, xmm3); // q[k2] = (m[2 * 4 + 0] - s1 * m[0 * 4 + 2]) * s;

    edx = shuffle[3]; // edx = k3
    xmm4 = _mm_load_ss(m + Element<convention>(2, 1));
    xmm4 = _mm_xor_ps(xmm4, xmm0);
    xmm4 = _mm_sub_ss(xmm4, _mm_load_ss(m + Element<convention>(1, 2)));
    xmm4 = _mm_mul_ss(xmm4, xmm6);
    _mm_store_ss(q + edx, xmm4); // q[k3] = (m[1 * 4 + 2] - s0 * m[2 * 4 + 1]) * s;

    jointQuat.t.x = m[0 * 4 + 3]; // q[4] = m[0 * 4 + 3];
    jointQuat.t.y = m[1 * 4 + 3]; // q[5] = m[1 * 4 + 3];
    jointQuat.t.z = m[2 * 4 + 3]; // q[6] = m[2 * 4 + 3];
    jointQuat.t.w = 0.0f;         // q[7] = 0.0f;
}

/// Appendix B, the shuffle before the next of loopMat4's matrices.
inline __m128 NextLane(__m128 xmm) { return _mm_shuffle_ps(xmm, xmm, R_SHUFFLE_PS(1, 2, 3, 0)); }

/// Appendix B. Its conditions are `cmpnlt`, >= or unordered, where the C has >: at ties the sign may differ.
template <Convention convention>
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, const int numJoints) {
    alignas(16) unsigned char shuffle[16];
    __m128 xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, xmm6, xmm7;

    if (numJoints <= 0) {
        return;
    }
    ptrdiff_t eax = numJoints & ~3;
    const JointMat* esi = jointMats;
    JointQuat* edi = jointQuats;
    if (eax != 0) {
        esi += eax;
        eax = -eax;
        // loopMat4:
        do {
            xmm5 = _mm_load_ss(&esi[eax + 3].mat[0 * 4 + 0]);
            xmm6 = _mm_load_ss(&esi[eax + 3].mat[1 * 4 + 1]);
            xmm7 = _mm_load_ss(&esi[eax + 3].mat[2 * 4 + 2]);
            xmm5 = _mm_shuffle_ps(xmm5, xmm5, R_SHUFFLE_PS(3, 0, 1, 2));
            xmm6 = _mm_shuffle_ps(xmm6, xmm6, R_SHUFFLE_PS(3, 0, 1, 2));
            xmm7 = _mm_shuffle_ps(xmm7, xmm7, R_SHUFFLE_PS(3, 0, 1, 2));
            xmm0 = _mm_load_ss(&esi[eax + 2].mat[0 * 4 + 0]);
            xmm1 = _mm_load_ss(&esi[eax + 2].mat[1 * 4 + 1]);
            xmm2 = _mm_load_ss(&esi[eax + 2].mat[2 * 4 + 2]);
            xmm5 = _mm_move_ss(xmm5, xmm0);
            xmm6 = _mm_move_ss(xmm6, xmm1);
            xmm7 = _mm_move_ss(xmm7, xmm2);
            xmm5 = _mm_shuffle_ps(xmm5, xmm5, R_SHUFFLE_PS(3, 0, 1, 2));
            xmm6 = _mm_shuffle_ps(xmm6, xmm6, R_SHUFFLE_PS(3, 0, 1, 2));
            xmm7 = _mm_shuffle_ps(xmm7, xmm7, R_SHUFFLE_PS(3, 0, 1, 2));
            xmm0 = _mm_load_ss(&esi[eax + 1].mat[0 * 4 + 0]);
            xmm1 = _mm_load_ss(&esi[eax + 1].mat[1 * 4 + 1]);
            xmm2 = _mm_load_ss(&esi[eax + 1].mat[2 * 4 + 2]);
            xmm5 = _mm_move_ss(xmm5, xmm0);
            xmm6 = _mm_move_ss(xmm6, xmm1);
            xmm7 = _mm_move_ss(xmm7, xmm2);
            xmm5 = _mm_shuffle_ps(xmm5, xmm5, R_SHUFFLE_PS(3, 0, 1, 2));
            xmm6 = _mm_shuffle_ps(xmm6, xmm6, R_SHUFFLE_PS(3, 0, 1, 2));
            xmm7 = _mm_shuffle_ps(xmm7, xmm7, R_SHUFFLE_PS(3, 0, 1, 2));
            xmm0 = _mm_load_ss(&esi[eax + 0].mat[0 * 4 + 0]);
            xmm1 = _mm_load_ss(&esi[eax + 0].mat[1 * 4 + 1]);
            xmm2 = _mm_load_ss(&esi[eax + 0].mat[2 * 4 + 2]);
            xmm5 = _mm_move_ss(xmm5, xmm0);
            xmm6 = _mm_move_ss(xmm6, xmm1);
            xmm7 = _mm_move_ss(xmm7, xmm2);
            // -----------------
            xmm0 = xmm5;
            xmm0 = _mm_add_ps(xmm0, xmm6);
            xmm0 = _mm_add_ps(xmm0, xmm7);
            xmm0 = _mm_cmpnlt_ps(xmm0, SIMD_SP_zero); // xmm0 = m[0 * 4 + 0] + m[1 * 4 + 1] + m[2 * 4 + 2] >= 0.0f
            xmm1 = xmm5;
            xmm2 = xmm5;
            xmm1 = _mm_cmpnlt_ps(xmm1, xmm6);
            xmm2 = _mm_cmpnlt_ps(xmm2, xmm7);
            xmm2 = _mm_and_ps(xmm2, xmm1); // xmm2 = m[0 * 4 + 0] >= m[1 * 4 + 1] && m[0 * 4 + 0] >= m[2 * 4 + 2]
            xmm4 = xmm6;
            xmm4 = _mm_cmpnlt_ps(xmm4, xmm7); // xmm4 = m[1 * 4 + 1] >= m[2 * 4 + 2]
            xmm1 = xmm0;
            xmm1 = _mm_andnot_ps(xmm1, xmm2);
            xmm2 = _mm_or_ps(xmm2, xmm0);
            xmm3 = xmm2;
            xmm2 = _mm_andnot_ps(xmm2, xmm4);
            xmm3 = _mm_or_ps(xmm3, xmm2);
            xmm3 = _mm_xor_ps(xmm3, SIMD_SP_not);
            xmm0 = _mm_and_ps(xmm0, SIMD_DW_mat2quatShuffle0);
            xmm4 = xmm1;
            xmm4 = _mm_and_ps(xmm4, SIMD_DW_mat2quatShuffle1);
            xmm0 = _mm_or_ps(xmm0, xmm4);
            xmm4 = xmm2;
            xmm4 = _mm_and_ps(xmm4, SIMD_DW_mat2quatShuffle2);
            xmm0 = _mm_or_ps(xmm0, xmm4);
            xmm4 = xmm3;
            xmm4 = _mm_and_ps(xmm4, SIMD_DW_mat2quatShuffle3);
            xmm4 = _mm_or_ps(xmm4, xmm0);
            _mm_store_ps(reinterpret_cast<float*>(shuffle), xmm4);
            xmm0 = xmm2;
            xmm0 = _mm_or_ps(xmm0, xmm3); // xmm0 = xmm2 | xmm3 = s0
            xmm2 = _mm_or_ps(xmm2, xmm1); // xmm2 = xmm1 | xmm2 = s2
            xmm1 = _mm_or_ps(xmm1, xmm3); // xmm1 = xmm1 | xmm3 = s1
            xmm0 = _mm_and_ps(xmm0, SIMD_SP_signBit);
            xmm1 = _mm_and_ps(xmm1, SIMD_SP_signBit);
            xmm2 = _mm_and_ps(xmm2, SIMD_SP_signBit);
            xmm5 = _mm_xor_ps(xmm5, xmm0);
            xmm6 = _mm_xor_ps(xmm6, xmm1);
            xmm7 = _mm_xor_ps(xmm7, xmm2);
            xmm5 = _mm_add_ps(xmm5, xmm6);
            xmm7 = _mm_add_ps(xmm7, SIMD_SP_one);
            xmm5 = _mm_add_ps(xmm5, xmm7); // xmm5 = t
            xmm7 = xmm5;                   // xmm7 = t
            xmm6 = _mm_rsqrt_ps(xmm5);
            xmm5 = _mm_mul_ps(xmm5, xmm6);
            xmm5 = _mm_mul_ps(xmm5, xmm6);
            xmm5 = _mm_sub_ps(xmm5, SIMD_SP_rsqrt_c0);
            xmm6 = _mm_mul_ps(xmm6, SIMD_SP_mat2quat_rsqrt_c1);
            xmm6 = _mm_mul_ps(xmm6, xmm5);            // xmm6 = s
            xmm7 = _mm_mul_ps(xmm7, xmm6);            // xmm7 = s * t
            xmm6 = _mm_xor_ps(xmm6, SIMD_SP_signBit); // xmm6 = -s
            // -----------------
            edi += 4;
            StoreJointQuat<convention>(edi[-4], esi[eax + 0], shuffle + 0 * 4, xmm0, xmm1, xmm2, xmm6, xmm7);
            xmm6 = NextLane(xmm6);
            xmm7 = NextLane(xmm7);
            xmm0 = NextLane(xmm0);
            xmm1 = NextLane(xmm1);
            xmm2 = NextLane(xmm2);
            StoreJointQuat<convention>(edi[-3], esi[eax + 1], shuffle + 1 * 4, xmm0, xmm1, xmm2, xmm6, xmm7);
            xmm6 = NextLane(xmm6);
            xmm7 = NextLane(xmm7);
            xmm0 = NextLane(xmm0);
            xmm1 = NextLane(xmm1);
            xmm2 = NextLane(xmm2);
            StoreJointQuat<convention>(edi[-2], esi[eax + 2], shuffle + 2 * 4, xmm0, xmm1, xmm2, xmm6, xmm7);
            xmm6 = NextLane(xmm6);
            xmm7 = NextLane(xmm7);
            xmm0 = NextLane(xmm0);
            xmm1 = NextLane(xmm1);
            xmm2 = NextLane(xmm2);
            StoreJointQuat<convention>(edi[-1], esi[eax + 3], shuffle + 3 * 4, xmm0, xmm1, xmm2, xmm6, xmm7);
            eax += 4;
        } while (eax < 0);
    }

    // done4:
    eax = numJoints & 3;
    if (eax == 0) {
        return;
    }
    esi += eax;
    eax = -eax;
    // loopMat1:
    do {
        xmm5 = _mm_load_ss(&esi[eax].mat[0 * 4 + 0]);
        xmm6 = _mm_load_ss(&esi[eax].mat[1 * 4 + 1]);
        xmm7 = _mm_load_ss(&esi[eax].mat[2 * 4 + 2]);
        // -----------------
        xmm0 = xmm5;
        xmm0 = _mm_add_ss(xmm0, xmm6);
        xmm0 = _mm_add_ss(xmm0, xmm7);
        xmm0 = _mm_cmpnlt_ss(xmm0, SIMD_SP_zero); // xmm0 = m[0 * 4 + 0] + m[1 * 4 + 1] + m[2 * 4 + 2] >= 0.0f
        xmm1 = xmm5;
        xmm2 = xmm5;
        xmm1 = _mm_cmpnlt_ss(xmm1, xmm6);
        xmm2 = _mm_cmpnlt_ss(xmm2, xmm7);
        xmm2 = _mm_and_ps(xmm2, xmm1); // xmm2 = m[0 * 4 + 0] >= m[1 * 4 + 1] && m[0 * 4 + 0] >= m[2 * 4 + 2]
        xmm4 = xmm6;
        xmm4 = _mm_cmpnlt_ss(xmm4, xmm7); // xmm4 = m[1 * 4 + 1] >= m[2 * 4 + 2]
        xmm1 = xmm0;
        xmm1 = _mm_andnot_ps(xmm1, xmm2);
        xmm2 = _mm_or_ps(xmm2, xmm0);
        xmm3 = xmm2;
        xmm2 = _mm_andnot_ps(xmm2, xmm4);
        xmm3 = _mm_or_ps(xmm3, xmm2);
        xmm3 = _mm_xor_ps(xmm3, SIMD_SP_not);
        xmm0 = _mm_and_ps(xmm0, SIMD_DW_mat2quatShuffle0);
        xmm4 = xmm1;
        xmm4 = _mm_and_ps(xmm4, SIMD_DW_mat2quatShuffle1);
        xmm0 = _mm_or_ps(xmm0, xmm4);
        xmm4 = xmm2;
        xmm4 = _mm_and_ps(xmm4, SIMD_DW_mat2quatShuffle2);
        xmm0 = _mm_or_ps(xmm0, xmm4);
        xmm4 = xmm3;
        xmm4 = _mm_and_ps(xmm4, SIMD_DW_mat2quatShuffle3);
        xmm4 = _mm_or_ps(xmm4, xmm0);
        _mm_store_ps(reinterpret_cast<float*>(shuffle), xmm4);
        xmm0 = xmm2;
        xmm0 = _mm_or_ps(xmm0, xmm3); // xmm0 = xmm2 | xmm3 = s0
        xmm2 = _mm_or_ps(xmm2, xmm1); // xmm2 = xmm1 | xmm2 = s2
        xmm1 = _mm_or_ps(xmm1, xmm3); // xmm1 = xmm1 | xmm3 = s1
        xmm0 = _mm_and_ps(xmm0, SIMD_SP_signBit);
        xmm1 = _mm_and_ps(xmm1, SIMD_SP_signBit);
        xmm2 = _mm_and_ps(xmm2, SIMD_SP_signBit);
        xmm5 = _mm_xor_ps(xmm5, xmm0);
        xmm6 = _mm_xor_ps(xmm6, xmm1);
        xmm7 = _mm_xor_ps(xmm7, xmm2);
        xmm5 = _mm_add_ss(xmm5, xmm6);
        xmm7 = _mm_add_ss(xmm7, SIMD_SP_one);
        xmm5 = _mm_add_ss(xmm5, xmm7);  // xmm5 = t
        xmm7 = _mm_move_ss(xmm7, xmm5); // xmm7 = t
        xmm6 = _mm_move_ss(xmm6, _mm_rsqrt_ss(xmm5));
        xmm5 = _mm_mul_ss(xmm5, xmm6);
        xmm5 = _mm_mul_ss(xmm5, xmm6);
        xmm5 = _mm_sub_ss(xmm5, SIMD_SP_rsqrt_c0);
        xmm6 = _mm_mul_ss(xmm6, SIMD_SP_mat2quat_rsqrt_c1);
        xmm6 = _mm_mul_ss(xmm6, xmm5);            // xmm6 = s
        xmm7 = _mm_mul_ss(xmm7, xmm6);            // xmm7 = s * t
        xmm6 = _mm_xor_ps(xmm6, SIMD_SP_signBit); // xmm6 = -s
        // -----------------
        edi += 1;
        StoreJointQuat<convention>(edi[-1], esi[eax], shuffle, xmm0, xmm1, xmm2, xmm6, xmm7);
        eax += 1;
    } while (eax < 0);
}

} // namespace

/// Appendix A; the lane comments are those of Convention::id. The fourth lanes of the first two rows compute elements
/// of the third.
void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, int numJoints,
                                  Convention convention) {
    if (numJoints <= 0) {
        return;
    }
    const __m128 quat2mat_x1 = convention == Convention::id ? SIMD_SP_quat2mat_x1 : SIMD_SP_quat2mat_x1_gltf;
    const JointQuat* const esi = jointQuats + numJoints;
    JointMat* edi = jointMats;
    ptrdiff_t eax = -static_cast<ptrdiff_t>(numJoints);
    // loopQuat:
    do {
        __m128 xmm0 = _mm_loadu_ps(&esi[eax].q.x); // xmm0 = q.x, q.y, q.z, q.w
        __m128 xmm6 = _mm_loadu_ps(&esi[eax].t.x); // xmm6 = t.x, t.y, t.z, t.w
        float* const m = edi->mat;
        edi += 1;
        __m128 xmm1 = xmm0;            // xmm1 = x, y, z, w
        xmm1 = _mm_add_ps(xmm1, xmm1); // xmm1 = x2, y2, z2, w2
        eax += 1;

        // calculate the 9 products
        __m128 xmm2 = pshufd<R_SHUFFLE_D(1, 0, 0, 1)>(xmm0); // xmm2 = y, x, x, y
        __m128 xmm3 = pshufd<R_SHUFFLE_D(1, 1, 2, 2)>(xmm1); // xmm3 = y2, y2, z2, z2
        xmm2 = _mm_mul_ps(xmm2, xmm3);                       // xmm2 = yy2, xy2, xz2, yz2
        __m128 xmm4 = pshufd<R_SHUFFLE_D(2, 3, 3, 3)>(xmm0); // xmm4 = z, w, w, w
        __m128 xmm5 = pshufd<R_SHUFFLE_D(2, 2, 1, 0)>(xmm1); // xmm5 = z2, z2, y2, x2
        xmm4 = _mm_mul_ps(xmm4, xmm5);                       // xmm4 = zz2, wz2, wy2, wx2
        xmm0 = _mm_mul_ss(xmm0, xmm1);                       // xmm0 = xx2, y, z, w

        // calculate the last two elements of the third row
        __m128 xmm7 = _mm_load_ss(SIMD_SP_one.lanes);                // xmm7 = 1, 0, 0, 0
        xmm7 = _mm_sub_ss(xmm7, xmm0);                               // xmm7 = -xx2+1, 0, 0, 0
        xmm7 = _mm_sub_ss(xmm7, xmm2);                               // xmm7 = -xx2-yy2+1, 0, 0, 0
        xmm7 = _mm_shuffle_ps(xmm7, xmm6, R_SHUFFLE_PS(0, 1, 2, 3)); // xmm7 = -xx2-yy2+1, 0, t.z, t.w

        // calculate first row
        xmm2 = _mm_xor_ps(xmm2, SIMD_SP_quat2mat_x0); // xmm2 = yy2, -xy2, -xz2, -yz2
        xmm4 = _mm_xor_ps(xmm4, quat2mat_x1);         // xmm4 = -zz2, wz2, -wy2, -wx2
        xmm4 = _mm_add_ss(xmm4, SIMD_SP_one);         // xmm4 = -zz2+1, wz2, -wy2, -wx2
        xmm3 = xmm4;                                  // xmm3 = -zz2+1, wz2, -wy2, -wx2
        xmm3 = _mm_sub_ps(xmm3, xmm2);                // xmm3 = -yy2-zz2+1, xy2+wz2, xz2-wy2, yz2-wx2
        _mm_storeu_ps(m + 0 * 4 + 0, xmm3);           // row0 = -yy2-zz2+1, xy2+wz2, xz2-wy2, yz2-wx2
        _mm_store_ss(m + 0 * 4 + 3, xmm6);            // row0 = -yy2-zz2+1, xy2+wz2, xz2-wy2, t.x

        // calculate second row
        xmm2 = _mm_move_ss(xmm2, xmm0);                              // xmm2 = xx2, -xy2, -xz2, -yz2
        xmm4 = _mm_xor_ps(xmm4, SIMD_SP_quat2mat_x2);                // xmm4 = -zz2+1, -wz2, wy2, wx2
        xmm4 = _mm_sub_ps(xmm4, xmm2);                               // xmm4 = -xx2-zz2+1, xy2-wz2, xz2+wy2, yz2+wx2
        xmm6 = _mm_shuffle_ps(xmm6, xmm6, R_SHUFFLE_PS(1, 2, 3, 0)); // xmm6 = t.y, t.z, t.w, t.x
        xmm4 = _mm_shuffle_ps(xmm4, xmm4, R_SHUFFLE_PS(1, 0, 3, 2)); // xmm4 = xy2-wz2, -xx2-zz2+1, yz2+wx2, xz2+wy2
        _mm_storeu_ps(m + 1 * 4 + 0, xmm4);                          // row1 = xy2-wz2, -xx2-zz2+1, yz2+wx2, xz2+wy2
        _mm_store_ss(m + 1 * 4 + 3, xmm6);                           // row1 = xy2-wz2, -xx2-zz2+1, yz2+wx2, t.y

        // calculate third row
        xmm3 = _mm_movehl_ps(xmm3, xmm4);                            // xmm3 = yz2+wx2, xz2+wy2, xz2-wy2, yz2-wx2
        xmm3 = _mm_shuffle_ps(xmm3, xmm7, R_SHUFFLE_PS(1, 3, 0, 2)); // xmm3 = xz2+wy2, yz2-wx2, -xx2-yy2+1, t.z
        _mm_storeu_ps(m + 2 * 4 + 0, xmm3);                          // row2 = xz2+wy2, yz2-wx2, -xx2-yy2+1, t.z
    } while (eax < 0);
}

/// Appendix B.
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints,
                                  Convention convention) {
    if (convention == Convention::id) {
        ConvertJointMatsToJointQuats<Convention::id>(jointQuats, jointMats, numJoints);
    } else {
        ConvertJointMatsToJointQuats<Convention::gltf>(jointQuats, jointMats, numJoints);
    }
}

} // namespace paper_sse

#endif

} // namespace poselane
