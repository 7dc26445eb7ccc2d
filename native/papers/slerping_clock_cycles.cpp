// SPDX-License-Identifier: LGPL-2.1-or-later
//
//     SSE Optimized Spherical Linear Interpolation between Quaternions
//     SSE Optimized Linear Interpolation between Quaternions
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
// A port of "Slerping Clock Cycles" (J.M.P. van Waveren, 27 February 2005): the C of its text, and its
// listings of section 6 and appendices A and B as intrinsics, one per instruction, in the listings' order. Changed:
// - what the surviving copy of the paper lost or garbled is restored (Lerp's z line, operands of the listings);
// - SlerpJoints and LerpJoints in C have the appendices' edges of `lerp`: <= 0 does nothing, >= 1 or NaN copies;
// - every routine exists for plain lists of quaternions too, and SlerpOptimized with an exact square root;
// - loads and stores need no alignment, offsets are pointer-sized, and numJoints <= 0 does nothing;
// - sin_c3 is the text's 8.3333315e-03, the only value that reaches the paper's accuracy (the appendix lost a 3);
// - SIMD_SP_tiny and SIMD_SP_absMask, used but never defined, are 1e-10 and 0x7fffffff.
#include "papers.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "../core/always_inline.h"
#include "listing.h"
#include "reciprocal_sqrt.h"

namespace poselane {
namespace paper_c {
namespace {

/// The first line of every routine.
float CosOmega(const Quaternion& from, const Quaternion& to) {
    return from.x * to.x + from.y * to.y + from.z * to.z + from.w * to.w;
}

/// The last lines of every routine. Each element of `result` depends only on the same element of the others, so
/// `result` can be one of them.
void AddScaled(const Quaternion& from, float scale0, const Quaternion& to, float scale1, Quaternion& result) {
    result.x = scale0 * from.x + scale1 * to.x;
    result.y = scale0 * from.y + scale1 * to.y;
    result.z = scale0 * from.z + scale1 * to.z;
    result.w = scale0 * from.w + scale1 * to.w;
}

/// Section 3. The trigonometry is C's, in double: C++'s float overloads would round it differently.
POSELANE_ALWAYS_INLINE void SlerpC(const Quaternion& from, const Quaternion& to, float t, Quaternion& result) {
    float scale0, scale1;
    const float cosom = CosOmega(from, to);
    const float absCosom = fabsf(cosom);
    if ((1.0f - absCosom) > 1e-6f) {
        const float omega = static_cast<float>(acos(static_cast<double>(absCosom)));
        const float sinom = static_cast<float>(1.0 / sin(static_cast<double>(omega)));
        scale0 = static_cast<float>(sin(static_cast<double>((1.0f - t) * omega)) * static_cast<double>(sinom));
        scale1 = static_cast<float>(sin(static_cast<double>(t * omega)) * static_cast<double>(sinom));
    } else {
        scale0 = 1.0f - t;
        scale1 = t;
    }
    scale1 = (cosom >= 0.0f) ? scale1 : -scale1;
    AddScaled(from, scale0, to, scale1, result);
}

/// Section 4, with the z line that the surviving copy misprints; sqrt and division are C's, in double.
POSELANE_ALWAYS_INLINE void LerpC(const Quaternion& from, const Quaternion& to, float t, Quaternion& result) {
    const float cosom = CosOmega(from, to);
    const float scale0 = 1.0f - t;
    const float scale1 = (cosom >= 0.0f) ? t : -t;
    AddScaled(from, scale0, to, scale1, result);
    const float square = result.x * result.x + result.y * result.y + result.z * result.z + result.w * result.w;
    const float s = static_cast<float>(1.0 / sqrt(static_cast<double>(square)));
    result.x *= s;
    result.y *= s;
    result.z *= s;
    result.w *= s;
}

/// Section 5, the first routine: no arc cosine, and one sine less. The functions are C's again, in double.
POSELANE_ALWAYS_INLINE void SlerpTransformedC(const Quaternion& from, const Quaternion& to, float t,
                                              Quaternion& result) {
    float scale0, scale1;
    const float cosom = CosOmega(from, to);
    const float absCosom = fabsf(cosom);
    if ((1.0f - absCosom) > 1e-6f) {
        const float sinSqr = 1.0f - absCosom * absCosom;
        const float sinom = static_cast<float>(1.0 / sqrt(static_cast<double>(sinSqr)));
        const float omega =
            static_cast<float>(atan2(static_cast<double>(sinSqr * sinom), static_cast<double>(absCosom)));
        scale0 = static_cast<float>(sin(static_cast<double>((1.0f - t) * omega)) * static_cast<double>(sinom));
        scale1 = static_cast<float>(sin(static_cast<double>(t * omega)) * static_cast<double>(sinom));
    } else {
        scale0 = 1.0f - t;
        scale1 = t;
    }
    scale1 = (cosom >= 0.0f) ? scale1 : -scale1;
    AddScaled(from, scale0, to, scale1, result);
}

float ExactReciprocalSqrt(float x) { return 1.0f / sqrtf(x); }

/// Section 5, the last routine, with either reciprocal square root.
template <float (*reciprocalSqrt)(float)>
POSELANE_ALWAYS_INLINE void SlerpOptimizedC(const Quaternion& from, const Quaternion& to, float t, Quaternion& result) {
    float scale0, scale1;
    const float cosom = CosOmega(from, to);
    const float absCosom = fabsf(cosom);
    if ((1.0f - absCosom) > 1e-6f) {
        const float sinSqr = 1.0f - absCosom * absCosom;
        const float sinom = reciprocalSqrt(sinSqr);
        const float omega = ATanPositive(sinSqr * sinom, absCosom);
        scale0 = SinZeroHalfPI((1.0f - t) * omega) * sinom;
        scale1 = SinZeroHalfPI(t * omega) * sinom;
    } else {
        scale0 = 1.0f - t;
        scale1 = t;
    }
    scale1 = (cosom >= 0.0f) ? scale1 : -scale1;
    AddScaled(from, scale0, to, scale1, result);
}

template <void (*interpolate)(const Quaternion&, const Quaternion&, float, Quaternion&)>
void InterpolateQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    for (int i = 0; i < count; i++) {
        interpolate(from[i], to[i], t, result[i]);
    }
}

/// Section 6.
void Vec4Lerp(const Vec4& from, const Vec4& to, const float t, Vec4& result) {
    const float s = 1.0f - t;
    result.x = from.x * s + to.x * t;
    result.y = from.y * s + to.y * t;
    result.z = from.z * s + to.z * t;
    result.w = from.w * s + to.w * t;
}

/// The edges of `lerp`, which the paper's C lacks. True if they leave nothing to interpolate.
bool DoneAtLerpEdge(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints) {
    if (lerp <= 0.0f) {
        return true;
    }
    if (lerp < 1.0f) {
        return false;
    }
    for (int i = 0; i < numJoints; i++) {
        joints[index[i]] = blendJoints[index[i]];
    }
    return true;
}

} // namespace

/// Section 5.
float ReciprocalSqrt(float x) { return ReciprocalSqrtC(x); }

/// Section 5.
float SinZeroHalfPI(float a) {
    const float s = a * a;
    float t = -2.39e-08f;
    t *= s;
    t += 2.7526e-06f;
    t *= s;
    t += -1.98409e-04f;
    t *= s;
    t += 8.3333315e-03f;
    t *= s;
    t += -1.6666666664e-01f;
    t *= s;
    t += 1.0f;
    t *= a;
    return t;
}

/// Section 5. The surviving copy has lost everything between the first two lines of the polynomial and the next
/// routine; the coefficients and their order are those of section 6 and appendix A.
float ATanPositive(float y, float x) {
    float a, d;
    if (y > x) {
        a = -x / y;
        d = static_cast<float>(3.14159265358979323846 / 2);
    } else {
        a = y / x;
        d = 0.0f;
    }
    const float s = a * a;
    float t = 0.0028662257f;
    t *= s;
    t += -0.0161657367f;
    t *= s;
    t += 0.0429096138f;
    t *= s;
    t += -0.0752896400f;
    t *= s;
    t += 0.1065626393f;
    t *= s;
    t += -0.1420889944f;
    t *= s;
    t += 0.1999355085f;
    t *= s;
    t += -0.3333314528f;
    t *= s;
    t += 1.0f;
    t *= a;
    t += d;
    return t;
}

void Slerp(const Quaternion& from, const Quaternion& to, float t, Quaternion& result) { SlerpC(from, to, t, result); }

void SlerpTransformed(const Quaternion& from, const Quaternion& to, float t, Quaternion& result) {
    SlerpTransformedC(from, to, t, result);
}

void SlerpOptimized(const Quaternion& from, const Quaternion& to, float t, Quaternion& result) {
    SlerpOptimizedC<ReciprocalSqrtC>(from, to, t, result);
}

void SlerpOptimizedExact(const Quaternion& from, const Quaternion& to, float t, Quaternion& result) {
    SlerpOptimizedC<ExactReciprocalSqrt>(from, to, t, result);
}

void Lerp(const Quaternion& from, const Quaternion& to, float t, Quaternion& result) { LerpC(from, to, t, result); }

void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    InterpolateQuats<SlerpC>(result, from, to, t, count);
}

void SlerpTransformedQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    InterpolateQuats<SlerpTransformedC>(result, from, to, t, count);
}

void SlerpOptimizedQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    InterpolateQuats<SlerpOptimizedC<ReciprocalSqrtC>>(result, from, to, t, count);
}

void SlerpOptimizedExactQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    InterpolateQuats<SlerpOptimizedC<ExactReciprocalSqrt>>(result, from, to, t, count);
}

void LerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    InterpolateQuats<LerpC>(result, from, to, t, count);
}

/// Section 6.
void SlerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints) {
    if (DoneAtLerpEdge(joints, blendJoints, lerp, index, numJoints)) {
        return;
    }
    for (int i = 0; i < numJoints; i++) {
        const int j = index[i];
        SlerpC(joints[j].q, blendJoints[j].q, lerp, joints[j].q);
        Vec4Lerp(joints[j].t, blendJoints[j].t, lerp, joints[j].t);
    }
}

/// Section 7 times this routine without listing it: SlerpJoints with the Lerp of section 4.
void LerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints) {
    if (DoneAtLerpEdge(joints, blendJoints, lerp, index, numJoints)) {
        return;
    }
    for (int i = 0; i < numJoints; i++) {
        const int j = index[i];
        LerpC(joints[j].q, blendJoints[j].q, lerp, joints[j].q);
        Vec4Lerp(joints[j].t, blendJoints[j].t, lerp, joints[j].t);
    }
}

} // namespace paper_c

#ifdef POSELANE_HAVE_SSE2

namespace paper_sse {

// To lay the listings beside the code: appendix A is SlerpJoints, top to bottom
//     up to lerpJoints            DoneAtLerpEdge
//     loopJoint4                  loads and translations in SlerpJoints itself (LerpTranslation), then Slerp4:
//                                 transpose and cosines, SlerpScales4 (signBit … scale1), the four sums
//     "transpose to memory"       TransposeToMemory
//     loopJoint1                  SlerpJoints itself, with Slerp1 and SlerpScales1 in the same order
// and appendix B likewise LerpJoints with ScaledLerp, Lerp4 and Lerp1. The parts have names because the lists of plain
// quaternions (SlerpQuats, LerpQuats) run the same instructions.
namespace {

constexpr Aligned4<unsigned> SIMD_SP_absMask = ALIGN4_INIT1(~IEEE_SP_SIGN);
constexpr Aligned4<float> SIMD_SP_tiny = ALIGN4_INIT1(1e-10f);
constexpr Aligned4<float> SIMD_SP_halfPI = ALIGN4_INIT1(static_cast<float>(3.14159265358979323846 / 2));

constexpr Aligned4<float> SIMD_SP_sin_c0 = ALIGN4_INIT1(-2.39e-08f);
constexpr Aligned4<float> SIMD_SP_sin_c1 = ALIGN4_INIT1(2.7526e-06f);
constexpr Aligned4<float> SIMD_SP_sin_c2 = ALIGN4_INIT1(-1.98409e-04f);
constexpr Aligned4<float> SIMD_SP_sin_c3 = ALIGN4_INIT1(8.3333315e-03f);
constexpr Aligned4<float> SIMD_SP_sin_c4 = ALIGN4_INIT1(-1.6666666664e-01f);

constexpr Aligned4<float> SIMD_SP_atan_c0 = ALIGN4_INIT1(0.0028662257f);
constexpr Aligned4<float> SIMD_SP_atan_c1 = ALIGN4_INIT1(-0.0161657367f);
constexpr Aligned4<float> SIMD_SP_atan_c2 = ALIGN4_INIT1(0.0429096138f);
constexpr Aligned4<float> SIMD_SP_atan_c3 = ALIGN4_INIT1(-0.0752896400f);
constexpr Aligned4<float> SIMD_SP_atan_c4 = ALIGN4_INIT1(0.1065626393f);
constexpr Aligned4<float> SIMD_SP_atan_c5 = ALIGN4_INIT1(-0.1420889944f);
constexpr Aligned4<float> SIMD_SP_atan_c6 = ALIGN4_INIT1(0.1999355085f);
constexpr Aligned4<float> SIMD_SP_atan_c7 = ALIGN4_INIT1(-0.3333314528f);

/// Appendix A, macro TRANSPOSE_4x4.
inline void TRANSPOSE_4x4(__m128& reg0, __m128& reg1, __m128& reg2, __m128& reg3) {
    __m128 reg4 = reg2;                                          // reg4 =  8,  9, 10, 11
    reg2 = _mm_unpacklo_ps(reg2, reg3);                          // reg2 =  8, 12,  9, 13
    reg4 = _mm_unpackhi_ps(reg4, reg3);                          // reg4 = 10, 14, 11, 15
    reg3 = reg0;                                                 // reg3 =  0,  1,  2,  3
    reg0 = _mm_unpacklo_ps(reg0, reg1);                          // reg0 =  0,  4,  1,  5
    reg3 = _mm_unpackhi_ps(reg3, reg1);                          // reg3 =  2,  6,  3,  7
    reg1 = reg0;                                                 // reg1 =  0,  4,  1,  5
    reg0 = _mm_shuffle_ps(reg0, reg2, R_SHUFFLE_PS(0, 1, 0, 1)); // reg0 =  0,  4,  8, 12
    reg1 = _mm_shuffle_ps(reg1, reg2, R_SHUFFLE_PS(2, 3, 2, 3)); // reg1 =  1,  5,  9, 13
    reg2 = reg3;                                                 // reg2 =  2,  6,  3,  7
    reg2 = _mm_shuffle_ps(reg2, reg4, R_SHUFFLE_PS(0, 1, 0, 1)); // reg2 =  2,  6, 10, 14
    reg3 = _mm_shuffle_ps(reg3, reg4, R_SHUFFLE_PS(2, 3, 2, 3)); // reg3 =  3,  7, 11, 15
}

/// Both appendices, "transpose ... to memory": all four quaternions were loaded before the first is stored here,
/// which is why a joint that the index names twice in one group of four has its quaternion blended only once.
inline void TransposeToMemory(Quaternion& a0, Quaternion& a1, Quaternion& a2, Quaternion& a3, __m128 xmm0, __m128 xmm1,
                              __m128 xmm2, __m128 xmm3) {
    __m128 xmm7 = xmm0;
    __m128 xmm6 = xmm2;
    xmm0 = _mm_unpacklo_ps(xmm0, xmm1);
    xmm2 = _mm_unpacklo_ps(xmm2, xmm3);
    _mm_storel_pi(reinterpret_cast<__m64*>(&a0.x), xmm0);
    _mm_storel_pi(reinterpret_cast<__m64*>(&a0.z), xmm2);
    _mm_storeh_pi(reinterpret_cast<__m64*>(&a1.x), xmm0);
    _mm_storeh_pi(reinterpret_cast<__m64*>(&a1.z), xmm2);
    xmm7 = _mm_unpackhi_ps(xmm7, xmm1);
    xmm6 = _mm_unpackhi_ps(xmm6, xmm3);
    _mm_storel_pi(reinterpret_cast<__m64*>(&a2.x), xmm7);
    _mm_storel_pi(reinterpret_cast<__m64*>(&a2.z), xmm6);
    _mm_storeh_pi(reinterpret_cast<__m64*>(&a3.x), xmm7);
    _mm_storeh_pi(reinterpret_cast<__m64*>(&a3.z), xmm6);
}

/// Both appendices, "lerp ... translations". Returns what the listings leave in the register.
inline __m128 LerpTranslation(JointQuat& joint, const JointQuat& blendJoint, __m128 lerp) {
    __m128 xmm7 = _mm_loadu_ps(&blendJoint.t.x);
    xmm7 = _mm_sub_ps(xmm7, _mm_loadu_ps(&joint.t.x));
    xmm7 = _mm_mul_ps(xmm7, lerp);
    xmm7 = _mm_add_ps(xmm7, _mm_loadu_ps(&joint.t.x));
    _mm_storeu_ps(&joint.t.x, xmm7);
    return xmm7;
}

/// Both appendices, up to label lerpJoints. True if the edges of `lerp` leave nothing to interpolate.
inline bool DoneAtLerpEdge(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index,
                           int numJoints) {
    __m128 xmm7 = _mm_set_ss(lerp);
    xmm7 = _mm_cmpnle_ss(xmm7, SIMD_SP_zero);
    if ((_mm_movemask_ps(xmm7) & 1) == 0 || numJoints <= 0) {
        return true;
    }
    xmm7 = _mm_set_ss(lerp);
    xmm7 = _mm_cmpnlt_ss(xmm7, SIMD_SP_one);
    if ((_mm_movemask_ps(xmm7) & 1) == 0) {
        return false;
    }
    const int* const edx = index + numJoints;
    ptrdiff_t eax = -static_cast<ptrdiff_t>(numJoints);
    // loopCopy:
    do {
        const ptrdiff_t ecx = edx[eax];
        eax += 1;
        const __m128 xmm0 = _mm_loadu_ps(&blendJoints[ecx].q.x);
        const __m128 xmm1 = _mm_loadu_ps(&blendJoints[ecx].t.x);
        _mm_storeu_ps(&joints[ecx].q.x, xmm0);
        _mm_storeu_ps(&joints[ecx].t.x, xmm1);
    } while (eax < 0);
    return true;
}

/// The same for plain lists: where there is nothing to interpolate, `result` is a copy of `from` or of `to`.
inline bool DoneAtLerpEdge(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    __m128 xmm7 = _mm_set_ss(t);
    xmm7 = _mm_cmpnle_ss(xmm7, SIMD_SP_zero);
    const Quaternion* source = from;
    if ((_mm_movemask_ps(xmm7) & 1) != 0) {
        xmm7 = _mm_set_ss(t);
        xmm7 = _mm_cmpnlt_ss(xmm7, SIMD_SP_one);
        if ((_mm_movemask_ps(xmm7) & 1) == 0) {
            return count <= 0;
        }
        source = to;
    }
    for (ptrdiff_t i = 0; i < count; i++) {
        _mm_storeu_ps(&result[i].x, _mm_loadu_ps(&source[i].x));
    }
    return true;
}

/// Appendix A, loopJoint4, from the cosines in xmm0 to the scales that it leaves in xmm5 and xmm6.
POSELANE_ALWAYS_INLINE void SlerpScales4(__m128 xmm0, float lerp, __m128& xmm5, __m128& xmm6) {
    __m128 xmm1 = xmm0;
    __m128 xmm2 = xmm0;
    xmm1 = _mm_and_ps(xmm1, SIMD_SP_signBit); // xmm1 = signBit
    xmm0 = _mm_xor_ps(xmm0, xmm1);
    xmm2 = _mm_mul_ps(xmm2, xmm2);
    __m128 xmm4 = _mm_setzero_ps();
    __m128 xmm3 = SIMD_SP_one;
    xmm3 = _mm_sub_ps(xmm3, xmm2); // xmm3 = sin^2 (the listing: "scale0")
    xmm4 = _mm_cmpeq_ps(xmm4, xmm3);
    xmm4 = _mm_and_ps(xmm4, SIMD_SP_tiny);    // if values are zero replace them with a tiny number
    xmm3 = _mm_and_ps(xmm3, SIMD_SP_absMask); // make sure the values are positive
    xmm3 = _mm_or_ps(xmm3, xmm4);
    xmm2 = xmm3;
    xmm4 = _mm_rsqrt_ps(xmm2);
    xmm2 = _mm_mul_ps(xmm2, xmm4);
    xmm2 = _mm_mul_ps(xmm2, xmm4);
    xmm2 = _mm_sub_ps(xmm2, SIMD_SP_rsqrt_c0);
    xmm4 = _mm_mul_ps(xmm4, SIMD_SP_rsqrt_c1);
    xmm2 = _mm_mul_ps(xmm2, xmm4);
    xmm3 = _mm_mul_ps(xmm3, xmm2); // xmm3 = sqrt( scale0 )

    // omega0 = atan2( xmm3, xmm0 )
    xmm4 = xmm0;
    xmm0 = _mm_min_ps(xmm0, xmm3);
    xmm3 = _mm_max_ps(xmm3, xmm4);
    xmm4 = _mm_cmpeq_ps(xmm4, xmm0);
    xmm5 = _mm_rcp_ps(xmm3);
    xmm3 = _mm_mul_ps(xmm3, xmm5);
    xmm3 = _mm_mul_ps(xmm3, xmm5);
    xmm5 = _mm_add_ps(xmm5, xmm5);
    xmm5 = _mm_sub_ps(xmm5, xmm3); // xmm5 = 1 / y or 1 / x
    xmm0 = _mm_mul_ps(xmm0, xmm5); // xmm0 = x / y or y / x
    xmm3 = xmm4;
    xmm3 = _mm_and_ps(xmm3, SIMD_SP_signBit);
    xmm0 = _mm_xor_ps(xmm0, xmm3);           // xmm0 = -x / y or y / x
    xmm4 = _mm_and_ps(xmm4, SIMD_SP_halfPI); // xmm4 = HALF_PI or 0.0f
    xmm3 = xmm0;
    xmm3 = _mm_mul_ps(xmm3, xmm3); // xmm3 = s
    xmm5 = SIMD_SP_atan_c0;
    xmm5 = _mm_mul_ps(xmm5, xmm3);
    xmm5 = _mm_add_ps(xmm5, SIMD_SP_atan_c1);
    xmm5 = _mm_mul_ps(xmm5, xmm3);
    xmm5 = _mm_add_ps(xmm5, SIMD_SP_atan_c2);
    xmm5 = _mm_mul_ps(xmm5, xmm3);
    xmm5 = _mm_add_ps(xmm5, SIMD_SP_atan_c3);
    xmm5 = _mm_mul_ps(xmm5, xmm3);
    xmm5 = _mm_add_ps(xmm5, SIMD_SP_atan_c4);
    xmm5 = _mm_mul_ps(xmm5, xmm3);
    xmm5 = _mm_add_ps(xmm5, SIMD_SP_atan_c5);
    xmm5 = _mm_mul_ps(xmm5, xmm3);
    xmm5 = _mm_add_ps(xmm5, SIMD_SP_atan_c6);
    xmm5 = _mm_mul_ps(xmm5, xmm3);
    xmm5 = _mm_add_ps(xmm5, SIMD_SP_atan_c7);
    xmm5 = _mm_mul_ps(xmm5, xmm3);
    xmm5 = _mm_add_ps(xmm5, SIMD_SP_one);
    xmm5 = _mm_mul_ps(xmm5, xmm0);
    xmm5 = _mm_add_ps(xmm5, xmm4); // xmm5 = omega0

    xmm6 = _mm_set_ss(lerp); // xmm6 = lerp
    xmm6 = _mm_shuffle_ps(xmm6, xmm6, R_SHUFFLE_PS(0, 0, 0, 0));
    xmm6 = _mm_mul_ps(xmm6, xmm5); // xmm6 = omega1
    xmm5 = _mm_sub_ps(xmm5, xmm6); // xmm5 = omega0

    // scale0 = sin( xmm5 ) * xmm2
    // scale1 = sin( xmm6 ) * xmm2
    xmm3 = xmm5;
    __m128 xmm7 = xmm6;
    xmm3 = _mm_mul_ps(xmm3, xmm3);
    xmm7 = _mm_mul_ps(xmm7, xmm7);
    xmm4 = SIMD_SP_sin_c0;
    xmm0 = SIMD_SP_sin_c0;
    xmm4 = _mm_mul_ps(xmm4, xmm3);
    xmm0 = _mm_mul_ps(xmm0, xmm7);
    xmm4 = _mm_add_ps(xmm4, SIMD_SP_sin_c1);
    xmm0 = _mm_add_ps(xmm0, SIMD_SP_sin_c1);
    xmm4 = _mm_mul_ps(xmm4, xmm3);
    xmm0 = _mm_mul_ps(xmm0, xmm7);
    xmm4 = _mm_add_ps(xmm4, SIMD_SP_sin_c2);
    xmm0 = _mm_add_ps(xmm0, SIMD_SP_sin_c2);
    xmm4 = _mm_mul_ps(xmm4, xmm3);
    xmm0 = _mm_mul_ps(xmm0, xmm7);
    xmm4 = _mm_add_ps(xmm4, SIMD_SP_sin_c3);
    xmm0 = _mm_add_ps(xmm0, SIMD_SP_sin_c3);
    xmm4 = _mm_mul_ps(xmm4, xmm3);
    xmm0 = _mm_mul_ps(xmm0, xmm7);
    xmm4 = _mm_add_ps(xmm4, SIMD_SP_sin_c4);
    xmm0 = _mm_add_ps(xmm0, SIMD_SP_sin_c4);
    xmm4 = _mm_mul_ps(xmm4, xmm3);
    xmm0 = _mm_mul_ps(xmm0, xmm7);
    xmm4 = _mm_add_ps(xmm4, SIMD_SP_one);
    xmm0 = _mm_add_ps(xmm0, SIMD_SP_one);
    xmm5 = _mm_mul_ps(xmm5, xmm4);
    xmm6 = _mm_mul_ps(xmm6, xmm0);
    xmm5 = _mm_mul_ps(xmm5, xmm2); // xmm5 = scale0
    xmm6 = _mm_mul_ps(xmm6, xmm2); // xmm6 = scale1
    xmm6 = _mm_xor_ps(xmm6, xmm1);
}

/// Appendix A, loopJoint1, from the cosine in xmm0's first lane to the scales in those of xmm5 and xmm6.
/// (The other lanes reach no result: both scales are spread from their first lane.)
POSELANE_ALWAYS_INLINE void SlerpScales1(__m128 xmm0, float lerp, __m128& xmm5, __m128& xmm6) {
    __m128 xmm1 = xmm0;
    __m128 xmm2 = xmm0;
    xmm1 = _mm_and_ps(xmm1, SIMD_SP_signBit); // xmm1 = signBit
    xmm0 = _mm_xor_ps(xmm0, xmm1);
    xmm2 = _mm_mul_ss(xmm2, xmm2);
    __m128 xmm4 = _mm_setzero_ps();
    __m128 xmm3 = _mm_load_ss(SIMD_SP_one.lanes);
    xmm3 = _mm_sub_ss(xmm3, xmm2); // xmm3 = sin^2 (the listing: "scale0")
    xmm4 = _mm_cmpeq_ss(xmm4, xmm3);
    xmm4 = _mm_and_ps(xmm4, SIMD_SP_tiny);    // if values are zero replace them with a tiny number
    xmm3 = _mm_and_ps(xmm3, SIMD_SP_absMask); // make sure the values are positive
    xmm3 = _mm_or_ps(xmm3, xmm4);
    xmm2 = _mm_move_ss(xmm2, xmm3);
    xmm4 = _mm_move_ss(xmm4, _mm_rsqrt_ss(xmm2));
    xmm2 = _mm_mul_ss(xmm2, xmm4);
    xmm2 = _mm_mul_ss(xmm2, xmm4);
    xmm2 = _mm_sub_ss(xmm2, SIMD_SP_rsqrt_c0);
    xmm4 = _mm_mul_ss(xmm4, SIMD_SP_rsqrt_c1);
    xmm2 = _mm_mul_ss(xmm2, xmm4);
    xmm3 = _mm_mul_ss(xmm3, xmm2); // xmm3 = sqrt( scale0 )

    // omega0 = atan2( xmm3, xmm0 )
    xmm4 = _mm_move_ss(xmm4, xmm0);
    xmm0 = _mm_min_ss(xmm0, xmm3);
    xmm3 = _mm_max_ss(xmm3, xmm4);
    xmm4 = _mm_cmpeq_ss(xmm4, xmm0);
    xmm5 = _mm_rcp_ss(xmm3);
    xmm3 = _mm_mul_ss(xmm3, xmm5);
    xmm3 = _mm_mul_ss(xmm3, xmm5);
    xmm5 = _mm_add_ss(xmm5, xmm5);
    xmm5 = _mm_sub_ss(xmm5, xmm3); // xmm5 = 1 / y or 1 / x
    xmm0 = _mm_mul_ss(xmm0, xmm5); // xmm0 = x / y or y / x
    xmm3 = _mm_move_ss(xmm3, xmm4);
    xmm3 = _mm_and_ps(xmm3, SIMD_SP_signBit);
    xmm0 = _mm_xor_ps(xmm0, xmm3);           // xmm0 = -x / y or y / x
    xmm4 = _mm_and_ps(xmm4, SIMD_SP_halfPI); // xmm4 = HALF_PI or 0.0f
    xmm3 = _mm_move_ss(xmm3, xmm0);
    xmm3 = _mm_mul_ss(xmm3, xmm3); // xmm3 = s
    xmm5 = _mm_load_ss(SIMD_SP_atan_c0.lanes);
    xmm5 = _mm_mul_ss(xmm5, xmm3);
    xmm5 = _mm_add_ss(xmm5, SIMD_SP_atan_c1);
    xmm5 = _mm_mul_ss(xmm5, xmm3);
    xmm5 = _mm_add_ss(xmm5, SIMD_SP_atan_c2);
    xmm5 = _mm_mul_ss(xmm5, xmm3);
    xmm5 = _mm_add_ss(xmm5, SIMD_SP_atan_c3);
    xmm5 = _mm_mul_ss(xmm5, xmm3);
    xmm5 = _mm_add_ss(xmm5, SIMD_SP_atan_c4);
    xmm5 = _mm_mul_ss(xmm5, xmm3);
    xmm5 = _mm_add_ss(xmm5, SIMD_SP_atan_c5);
    xmm5 = _mm_mul_ss(xmm5, xmm3);
    xmm5 = _mm_add_ss(xmm5, SIMD_SP_atan_c6);
    xmm5 = _mm_mul_ss(xmm5, xmm3);
    xmm5 = _mm_add_ss(xmm5, SIMD_SP_atan_c7);
    xmm5 = _mm_mul_ss(xmm5, xmm3);
    xmm5 = _mm_add_ss(xmm5, SIMD_SP_one);
    xmm5 = _mm_mul_ss(xmm5, xmm0);
    xmm5 = _mm_add_ss(xmm5, xmm4); // xmm5 = omega0

    xmm6 = _mm_set_ss(lerp);       // xmm6 = lerp
    xmm6 = _mm_mul_ss(xmm6, xmm5); // xmm6 = omega1
    xmm5 = _mm_sub_ss(xmm5, xmm6); // xmm5 = omega0

    // scale0 = sin( xmm5 ) * xmm2
    // scale1 = sin( xmm6 ) * xmm2
    xmm3 = _mm_move_ss(xmm3, xmm5);
    __m128 xmm7 = xmm6;
    xmm3 = _mm_mul_ss(xmm3, xmm3);
    xmm7 = _mm_mul_ss(xmm7, xmm7);
    xmm4 = _mm_load_ss(SIMD_SP_sin_c0.lanes);
    xmm0 = _mm_load_ss(SIMD_SP_sin_c0.lanes);
    xmm4 = _mm_mul_ss(xmm4, xmm3);
    xmm0 = _mm_mul_ss(xmm0, xmm7);
    xmm4 = _mm_add_ss(xmm4, SIMD_SP_sin_c1);
    xmm0 = _mm_add_ss(xmm0, SIMD_SP_sin_c1);
    xmm4 = _mm_mul_ss(xmm4, xmm3);
    xmm0 = _mm_mul_ss(xmm0, xmm7);
    xmm4 = _mm_add_ss(xmm4, SIMD_SP_sin_c2);
    xmm0 = _mm_add_ss(xmm0, SIMD_SP_sin_c2);
    xmm4 = _mm_mul_ss(xmm4, xmm3);
    xmm0 = _mm_mul_ss(xmm0, xmm7);
    xmm4 = _mm_add_ss(xmm4, SIMD_SP_sin_c3);
    xmm0 = _mm_add_ss(xmm0, SIMD_SP_sin_c3);
    xmm4 = _mm_mul_ss(xmm4, xmm3);
    xmm0 = _mm_mul_ss(xmm0, xmm7);
    xmm4 = _mm_add_ss(xmm4, SIMD_SP_sin_c4);
    xmm0 = _mm_add_ss(xmm0, SIMD_SP_sin_c4);
    xmm4 = _mm_mul_ss(xmm4, xmm3);
    xmm0 = _mm_mul_ss(xmm0, xmm7);
    xmm4 = _mm_add_ss(xmm4, SIMD_SP_one);
    xmm0 = _mm_add_ss(xmm0, SIMD_SP_one);
    xmm5 = _mm_mul_ss(xmm5, xmm4);
    xmm6 = _mm_mul_ss(xmm6, xmm0);
    xmm5 = _mm_mul_ss(xmm5, xmm2); // xmm5 = scale0
    xmm6 = _mm_mul_ss(xmm6, xmm2); // xmm6 = scale1
    xmm6 = _mm_xor_ps(xmm6, xmm1);
}

/// Appendix A, loopJoint4, between its loads and its stores: four quaternions of `joints` in xmm0 to xmm3, and of
/// `blendJoints` in xmm4 to xmm6 (where the listing's registers end, and it loads the fourth later). Leaves the
/// interpolated x, y, z and w in xmm0 to xmm3.
POSELANE_ALWAYS_INLINE void Slerp4(__m128& xmm0, __m128& xmm1, __m128& xmm2, __m128& xmm3, __m128 xmm4, __m128 xmm5,
                                   __m128 xmm6, const Quaternion& blendQuatA3, float lerp) {
    TRANSPOSE_4x4(xmm0, xmm1, xmm2, xmm3);
    const __m128 jointQuat0 = xmm0;
    const __m128 jointQuat1 = xmm1;
    const __m128 jointQuat2 = xmm2;
    const __m128 jointQuat3 = xmm3;

    __m128 xmm7 = _mm_loadu_ps(&blendQuatA3.x);
    TRANSPOSE_4x4(xmm4, xmm5, xmm6, xmm7);
    const __m128 blendQuat0 = xmm4;
    const __m128 blendQuat1 = xmm5;
    const __m128 blendQuat2 = xmm6;
    const __m128 blendQuat3 = xmm7;

    // lerp quaternions
    xmm0 = _mm_mul_ps(xmm0, xmm4);
    xmm1 = _mm_mul_ps(xmm1, xmm5);
    xmm0 = _mm_add_ps(xmm0, xmm1);
    xmm2 = _mm_mul_ps(xmm2, xmm6);
    xmm0 = _mm_add_ps(xmm0, xmm2);
    xmm3 = jointQuat3;
    xmm3 = _mm_mul_ps(xmm3, blendQuat3);
    xmm0 = _mm_add_ps(xmm0, xmm3); // xmm0 = cosom
    SlerpScales4(xmm0, lerp, xmm5, xmm6);

    xmm0 = jointQuat0;
    xmm0 = _mm_mul_ps(xmm0, xmm5);
    xmm1 = blendQuat0;
    xmm1 = _mm_mul_ps(xmm1, xmm6);
    xmm0 = _mm_add_ps(xmm0, xmm1);
    xmm1 = jointQuat1;
    xmm1 = _mm_mul_ps(xmm1, xmm5);
    xmm2 = blendQuat1;
    xmm2 = _mm_mul_ps(xmm2, xmm6);
    xmm1 = _mm_add_ps(xmm1, xmm2);
    xmm2 = jointQuat2;
    xmm2 = _mm_mul_ps(xmm2, xmm5);
    xmm3 = blendQuat2;
    xmm3 = _mm_mul_ps(xmm3, xmm6);
    xmm2 = _mm_add_ps(xmm2, xmm3);
    xmm3 = jointQuat3;
    xmm3 = _mm_mul_ps(xmm3, xmm5);
    xmm4 = blendQuat3;
    xmm4 = _mm_mul_ps(xmm4, xmm6);
    xmm3 = _mm_add_ps(xmm3, xmm4);
}

/// Appendix A, loopJoint1, between its loads and its store: one quaternion each of `joints` and `blendJoints`.
POSELANE_ALWAYS_INLINE __m128 Slerp1(__m128 xmm0, __m128 xmm1, float lerp) {
    const __m128 jointQuat0 = xmm0;
    const __m128 blendQuat0 = xmm1;

    // lerp quaternions
    xmm1 = _mm_mul_ps(xmm1, xmm0);
    xmm0 = _mm_movehl_ps(xmm0, xmm1);
    xmm1 = _mm_add_ps(xmm1, xmm0);
    xmm0 = xmm1;
    xmm0 = _mm_shuffle_ps(xmm0, xmm0, R_SHUFFLE_PS(1, 0, 2, 3));
    xmm0 = _mm_add_ss(xmm0, xmm1); // xmm0 = cosom
    __m128 xmm5, xmm6;
    SlerpScales1(xmm0, lerp, xmm5, xmm6);

    xmm5 = _mm_shuffle_ps(xmm5, xmm5, R_SHUFFLE_PS(0, 0, 0, 0));
    xmm5 = _mm_mul_ps(xmm5, jointQuat0);
    xmm6 = _mm_shuffle_ps(xmm6, xmm6, R_SHUFFLE_PS(0, 0, 0, 0));
    xmm6 = _mm_mul_ps(xmm6, blendQuat0);
    xmm5 = _mm_add_ps(xmm5, xmm6);
    return xmm5;
}

/// Appendix B, loopJoint4, between its loads and its stores, as Slerp4. Leaves x, y, z and w in xmm4 to xmm7.
POSELANE_ALWAYS_INLINE void Lerp4(__m128 xmm0, __m128 xmm1, __m128 xmm2, __m128 xmm3, __m128& xmm4, __m128& xmm5,
                                  __m128& xmm6, __m128& xmm7, const Quaternion& blendQuatA3, float scaledLerp) {
    TRANSPOSE_4x4(xmm0, xmm1, xmm2, xmm3);
    const __m128 jointQuat3 = xmm3;

    xmm7 = _mm_loadu_ps(&blendQuatA3.x);
    TRANSPOSE_4x4(xmm4, xmm5, xmm6, xmm7);
    const __m128 blendQuat3 = xmm7;

    // lerp quaternions
    xmm3 = xmm0;
    xmm3 = _mm_mul_ps(xmm3, xmm4);
    xmm7 = xmm1;
    xmm7 = _mm_mul_ps(xmm7, xmm5);
    xmm3 = _mm_add_ps(xmm3, xmm7);
    xmm7 = xmm2;
    xmm7 = _mm_mul_ps(xmm7, xmm6);
    xmm3 = _mm_add_ps(xmm3, xmm7);
    xmm7 = jointQuat3;
    xmm7 = _mm_mul_ps(xmm7, blendQuat3);
    xmm3 = _mm_add_ps(xmm3, xmm7);            // xmm3 = cosom
    xmm3 = _mm_and_ps(xmm3, SIMD_SP_signBit); // xmm3 = signBit
    xmm7 = _mm_set_ss(scaledLerp);
    xmm7 = _mm_shuffle_ps(xmm7, xmm7, R_SHUFFLE_PS(0, 0, 0, 0));
    xmm7 = _mm_xor_ps(xmm7, xmm3); // xmm7 = scaledLerp ^ signBit

    xmm4 = _mm_mul_ps(xmm4, xmm7);
    xmm4 = _mm_add_ps(xmm4, xmm0);
    xmm0 = xmm4;
    xmm0 = _mm_mul_ps(xmm0, xmm0);
    xmm5 = _mm_mul_ps(xmm5, xmm7);
    xmm5 = _mm_add_ps(xmm5, xmm1);
    xmm1 = xmm5;
    xmm1 = _mm_mul_ps(xmm1, xmm1);
    xmm0 = _mm_add_ps(xmm0, xmm1);
    xmm6 = _mm_mul_ps(xmm6, xmm7);
    xmm6 = _mm_add_ps(xmm6, xmm2);
    xmm2 = xmm6;
    xmm2 = _mm_mul_ps(xmm2, xmm2);
    xmm0 = _mm_add_ps(xmm0, xmm2);
    xmm7 = _mm_mul_ps(xmm7, blendQuat3);
    xmm7 = _mm_add_ps(xmm7, jointQuat3);
    xmm1 = xmm7;
    xmm1 = _mm_mul_ps(xmm1, xmm1);
    xmm0 = _mm_add_ps(xmm0, xmm1);

    xmm2 = _mm_rsqrt_ps(xmm0);
    xmm0 = _mm_mul_ps(xmm0, xmm2);
    xmm0 = _mm_mul_ps(xmm0, xmm2);
    xmm0 = _mm_sub_ps(xmm0, SIMD_SP_rsqrt_c0);
    xmm2 = _mm_mul_ps(xmm2, SIMD_SP_rsqrt_c1);
    xmm0 = _mm_mul_ps(xmm0, xmm2);

    xmm4 = _mm_mul_ps(xmm4, xmm0);
    xmm5 = _mm_mul_ps(xmm5, xmm0);
    xmm6 = _mm_mul_ps(xmm6, xmm0);
    xmm7 = _mm_mul_ps(xmm7, xmm0);
}

/// Appendix B, loopJoint1, between its loads and its store, with the scaled lerp spread in xmm7. The upper half of xmm3
/// holds old values (in the listing a translation), which do not affect the result.
POSELANE_ALWAYS_INLINE __m128 Lerp1(__m128 xmm0, __m128 xmm1, __m128 xmm3, __m128 xmm7) {
    // lerp quaternions
    __m128 xmm2 = xmm0;
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm3 = _mm_movehl_ps(xmm3, xmm2);
    xmm2 = _mm_add_ps(xmm2, xmm3);
    xmm3 = xmm2;
    xmm3 = _mm_shuffle_ps(xmm3, xmm3, R_SHUFFLE_PS(1, 0, 2, 3));
    xmm3 = _mm_add_ss(xmm3, xmm2); // xmm3 = cosom
    xmm3 = _mm_shuffle_ps(xmm3, xmm3, R_SHUFFLE_PS(0, 0, 0, 0));
    xmm3 = _mm_and_ps(xmm3, SIMD_SP_signBit); // xmm3 = signBit
    xmm3 = _mm_xor_ps(xmm3, xmm7);            // xmm3 = scaledLerp ^ signBit
    xmm1 = _mm_mul_ps(xmm1, xmm3);
    xmm1 = _mm_add_ps(xmm1, xmm0); // xmm1 = jointQuat + scale * blendQuat

    xmm0 = xmm1;
    xmm0 = _mm_mul_ps(xmm0, xmm0);
    xmm2 = _mm_movehl_ps(xmm2, xmm0);
    xmm0 = _mm_add_ps(xmm0, xmm2);
    xmm2 = xmm0;
    xmm2 = _mm_shuffle_ps(xmm2, xmm2, R_SHUFFLE_PS(1, 0, 2, 3));
    xmm0 = _mm_add_ss(xmm0, xmm2);

    xmm2 = _mm_move_ss(xmm2, _mm_rsqrt_ss(xmm0));
    xmm0 = _mm_mul_ss(xmm0, xmm2);
    xmm0 = _mm_mul_ss(xmm0, xmm2);
    xmm0 = _mm_sub_ss(xmm0, SIMD_SP_rsqrt_c0);
    xmm2 = _mm_mul_ss(xmm2, SIMD_SP_rsqrt_c1);
    xmm0 = _mm_mul_ss(xmm0, xmm2);
    xmm0 = _mm_shuffle_ps(xmm0, xmm0, R_SHUFFLE_PS(0, 0, 0, 0));
    xmm1 = _mm_mul_ps(xmm1, xmm0);
    return xmm1;
}

/// Appendix B, before its loops. Both scales are divided by 1 - lerp, which the renormalization undoes.
inline float ScaledLerp(float lerp) {
    __m128 xmm7 = _mm_set_ss(lerp);
    __m128 xmm6 = _mm_load_ss(SIMD_SP_one.lanes);
    xmm6 = _mm_sub_ss(xmm6, xmm7);
    xmm7 = _mm_div_ss(xmm7, xmm6);
    return _mm_cvtss_f32(xmm7);
}

} // namespace

/// Appendix A. The entry test of loopJoint4 is the listing's `jge` (its last line has `jle`): exactly four joints go
/// through loopJoint1, which adds up the dot product in another order.
void SlerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints) {
    if (DoneAtLerpEdge(joints, blendJoints, lerp, index, numJoints)) {
        return;
    }
    // lerpJoints:
    const int* const edx = index + numJoints;
    ptrdiff_t eax = -static_cast<ptrdiff_t>(numJoints);
    eax += 4;
    if (eax < 0) {
        // loopJoint4:
        do {
            __m128 xmm3 = _mm_set_ss(lerp);
            xmm3 = _mm_shuffle_ps(xmm3, xmm3, R_SHUFFLE_PS(0, 0, 0, 0));

            const ptrdiff_t a0 = edx[eax - 4];
            LerpTranslation(joints[a0], blendJoints[a0], xmm3);
            __m128 xmm0 = _mm_loadu_ps(&joints[a0].q.x);
            __m128 xmm4 = _mm_loadu_ps(&blendJoints[a0].q.x);

            const ptrdiff_t a1 = edx[eax - 3];
            LerpTranslation(joints[a1], blendJoints[a1], xmm3);
            __m128 xmm1 = _mm_loadu_ps(&joints[a1].q.x);
            __m128 xmm5 = _mm_loadu_ps(&blendJoints[a1].q.x);

            const ptrdiff_t a2 = edx[eax - 2];
            LerpTranslation(joints[a2], blendJoints[a2], xmm3);
            __m128 xmm2 = _mm_loadu_ps(&joints[a2].q.x);
            __m128 xmm6 = _mm_loadu_ps(&blendJoints[a2].q.x);

            const ptrdiff_t a3 = edx[eax - 1];
            LerpTranslation(joints[a3], blendJoints[a3], xmm3);
            xmm3 = _mm_loadu_ps(&joints[a3].q.x);

            Slerp4(xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, xmm6, blendJoints[a3].q, lerp);

            eax += 4;
            TransposeToMemory(joints[a0].q, joints[a1].q, joints[a2].q, joints[a3].q, xmm0, xmm1, xmm2, xmm3);
        } while (eax <= 0);
    }

    // done4:
    eax -= 4;
    if (eax == 0) {
        return;
    }
    // loopJoint1:
    do {
        __m128 xmm3 = _mm_set_ss(lerp);
        xmm3 = _mm_shuffle_ps(xmm3, xmm3, R_SHUFFLE_PS(0, 0, 0, 0));

        const ptrdiff_t ecx = edx[eax];
        LerpTranslation(joints[ecx], blendJoints[ecx], xmm3);
        __m128 xmm0 = _mm_loadu_ps(&joints[ecx].q.x);
        __m128 xmm1 = _mm_loadu_ps(&blendJoints[ecx].q.x);
        const __m128 xmm5 = Slerp1(xmm0, xmm1, lerp);
        _mm_storeu_ps(&joints[ecx].q.x, xmm5);
        eax += 1;
    } while (eax < 0);
}

/// Appendix B, with the loops of appendix A.
void LerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints) {
    if (DoneAtLerpEdge(joints, blendJoints, lerp, index, numJoints)) {
        return;
    }
    // lerpJoints:
    const int* const edx = index + numJoints;
    ptrdiff_t eax = -static_cast<ptrdiff_t>(numJoints);
    const float scaledLerp = ScaledLerp(lerp);
    eax += 4;
    if (eax < 0) {
        // loopJoint4:
        do {
            __m128 xmm3 = _mm_set_ss(lerp);
            xmm3 = _mm_shuffle_ps(xmm3, xmm3, R_SHUFFLE_PS(0, 0, 0, 0));

            const ptrdiff_t a0 = edx[eax - 4];
            LerpTranslation(joints[a0], blendJoints[a0], xmm3);
            __m128 xmm0 = _mm_loadu_ps(&joints[a0].q.x);
            __m128 xmm4 = _mm_loadu_ps(&blendJoints[a0].q.x);

            const ptrdiff_t a1 = edx[eax - 3];
            LerpTranslation(joints[a1], blendJoints[a1], xmm3);
            __m128 xmm1 = _mm_loadu_ps(&joints[a1].q.x);
            __m128 xmm5 = _mm_loadu_ps(&blendJoints[a1].q.x);

            const ptrdiff_t a2 = edx[eax - 2];
            LerpTranslation(joints[a2], blendJoints[a2], xmm3);
            __m128 xmm2 = _mm_loadu_ps(&joints[a2].q.x);
            __m128 xmm6 = _mm_loadu_ps(&blendJoints[a2].q.x);

            const ptrdiff_t a3 = edx[eax - 1];
            LerpTranslation(joints[a3], blendJoints[a3], xmm3);
            xmm3 = _mm_loadu_ps(&joints[a3].q.x);

            __m128 xmm7;
            Lerp4(xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, xmm6, xmm7, blendJoints[a3].q, scaledLerp);

            eax += 4;
            TransposeToMemory(joints[a0].q, joints[a1].q, joints[a2].q, joints[a3].q, xmm4, xmm5, xmm6, xmm7);
        } while (eax <= 0);
    }

    // done4:
    eax -= 4;
    if (eax == 0) {
        return;
    }
    __m128 xmm6 = _mm_set_ss(lerp);
    xmm6 = _mm_shuffle_ps(xmm6, xmm6, R_SHUFFLE_PS(0, 0, 0, 0));
    __m128 xmm7 = _mm_set_ss(scaledLerp);
    xmm7 = _mm_shuffle_ps(xmm7, xmm7, R_SHUFFLE_PS(0, 0, 0, 0));
    // loopJoint1:
    do {
        const ptrdiff_t ecx = edx[eax];
        const __m128 xmm3 = LerpTranslation(joints[ecx], blendJoints[ecx], xmm6);

        // load quaternions
        const __m128 xmm0 = _mm_loadu_ps(&joints[ecx].q.x);
        __m128 xmm1 = _mm_loadu_ps(&blendJoints[ecx].q.x);

        xmm1 = Lerp1(xmm0, xmm1, xmm3, xmm7);
        _mm_storeu_ps(&joints[ecx].q.x, xmm1);
        eax += 1;
    } while (eax < 0);
}

/// Appendix A without index and translations.
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    if (DoneAtLerpEdge(result, from, to, t, count)) {
        return;
    }
    result += count;
    from += count;
    to += count;
    ptrdiff_t eax = -static_cast<ptrdiff_t>(count);
    eax += 4;
    if (eax < 0) {
        do {
            __m128 xmm0 = _mm_loadu_ps(&from[eax - 4].x);
            const __m128 xmm4 = _mm_loadu_ps(&to[eax - 4].x);
            __m128 xmm1 = _mm_loadu_ps(&from[eax - 3].x);
            const __m128 xmm5 = _mm_loadu_ps(&to[eax - 3].x);
            __m128 xmm2 = _mm_loadu_ps(&from[eax - 2].x);
            const __m128 xmm6 = _mm_loadu_ps(&to[eax - 2].x);
            __m128 xmm3 = _mm_loadu_ps(&from[eax - 1].x);
            Slerp4(xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, xmm6, to[eax - 1], t);
            TransposeToMemory(result[eax - 4], result[eax - 3], result[eax - 2], result[eax - 1], xmm0, xmm1, xmm2,
                              xmm3);
            eax += 4;
        } while (eax <= 0);
    }
    eax -= 4;
    for (; eax < 0; eax++) {
        const __m128 xmm0 = _mm_loadu_ps(&from[eax].x);
        const __m128 xmm1 = _mm_loadu_ps(&to[eax].x);
        _mm_storeu_ps(&result[eax].x, Slerp1(xmm0, xmm1, t));
    }
}

/// Appendix B without index and translations.
void LerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    if (DoneAtLerpEdge(result, from, to, t, count)) {
        return;
    }
    result += count;
    from += count;
    to += count;
    ptrdiff_t eax = -static_cast<ptrdiff_t>(count);
    const float scaledLerp = ScaledLerp(t);
    eax += 4;
    if (eax < 0) {
        do {
            const __m128 xmm0 = _mm_loadu_ps(&from[eax - 4].x);
            __m128 xmm4 = _mm_loadu_ps(&to[eax - 4].x);
            const __m128 xmm1 = _mm_loadu_ps(&from[eax - 3].x);
            __m128 xmm5 = _mm_loadu_ps(&to[eax - 3].x);
            const __m128 xmm2 = _mm_loadu_ps(&from[eax - 2].x);
            __m128 xmm6 = _mm_loadu_ps(&to[eax - 2].x);
            const __m128 xmm3 = _mm_loadu_ps(&from[eax - 1].x);
            __m128 xmm7;
            Lerp4(xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, xmm6, xmm7, to[eax - 1], scaledLerp);
            TransposeToMemory(result[eax - 4], result[eax - 3], result[eax - 2], result[eax - 1], xmm4, xmm5, xmm6,
                              xmm7);
            eax += 4;
        } while (eax <= 0);
    }
    eax -= 4;
    __m128 xmm7 = _mm_set_ss(scaledLerp);
    xmm7 = _mm_shuffle_ps(xmm7, xmm7, R_SHUFFLE_PS(0, 0, 0, 0));
    for (; eax < 0; eax++) {
        const __m128 xmm0 = _mm_loadu_ps(&from[eax].x);
        const __m128 xmm1 = _mm_loadu_ps(&to[eax].x);
        _mm_storeu_ps(&result[eax].x, Lerp1(xmm0, xmm1, xmm0, xmm7));
    }
}

namespace {

// Section 6's listings of single functions, each for four numbers in the registers that it names.

/// "calculates the reciprocal square root of the four floating point numbers stored in the 'xmm0' register"
inline __m128 ReciprocalSqrt4(__m128 xmm0) {
    __m128 xmm1 = _mm_rsqrt_ps(xmm0);
    xmm0 = _mm_mul_ps(xmm0, xmm1);
    xmm0 = _mm_mul_ps(xmm0, xmm1);
    xmm0 = _mm_sub_ps(xmm0, SIMD_SP_rsqrt_c0);
    xmm1 = _mm_mul_ps(xmm1, SIMD_SP_rsqrt_c1);
    xmm0 = _mm_mul_ps(xmm0, xmm1);
    return xmm0;
}

/// "calculates four sines for the angles stored in 'xmm0' and the result is stored in 'xmm2'"
inline __m128 SinZeroHalfPI4(__m128 xmm0) {
    __m128 xmm1 = xmm0;
    xmm1 = _mm_mul_ps(xmm1, xmm1);
    __m128 xmm2 = SIMD_SP_sin_c0;
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_sin_c1);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_sin_c2);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_sin_c3);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_sin_c4);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_one);
    xmm2 = _mm_mul_ps(xmm2, xmm0);
    return xmm2;
}

/// The first listing's quotient.
inline __m128 Divps(__m128 xmm0, __m128 xmm1) { return _mm_div_ps(xmm0, xmm1); }

/// The second listing's, "instead of using the slow 'divps' instruction".
inline __m128 Rcpps(__m128 xmm0, __m128 xmm1) {
    __m128 xmm2 = _mm_rcp_ps(xmm1);
    xmm1 = _mm_mul_ps(xmm1, xmm2);
    xmm1 = _mm_mul_ps(xmm1, xmm2);
    xmm2 = _mm_add_ps(xmm2, xmm2);
    xmm2 = _mm_sub_ps(xmm2, xmm1); // xmm2 = (y > x) ? 1 / y : 1 / x
    xmm0 = _mm_mul_ps(xmm0, xmm2);
    return xmm0;
}

/// "The parameters 'x' and 'y' are assumed to be stored in 'xmm0' and 'xmm1' respectively."
template <__m128 (*divide)(__m128, __m128)> inline __m128 ATanPositive4(__m128 xmm1, __m128 xmm0) {
    __m128 xmm3 = xmm0;
    xmm0 = _mm_min_ps(xmm0, xmm1);   // xmm0 = (y > x) ? x : y
    xmm1 = _mm_max_ps(xmm1, xmm3);   // xmm1 = (y > x) ? y : x
    xmm3 = _mm_cmpeq_ps(xmm3, xmm0); // xmm3 = (y > x) ? 0xFFFFFFFF : 0x00000000
    xmm0 = divide(xmm0, xmm1);       // xmm0 = (y > x) ? x / y : y / x
    xmm1 = xmm3;
    xmm1 = _mm_and_ps(xmm1, SIMD_SP_signBit); // xmm1 = (y > x) ? 0x80000000 : 0x00000000
    xmm0 = _mm_xor_ps(xmm0, xmm1);            // xmm0 = (y > x) ? -x / y : y / x
    xmm3 = _mm_and_ps(xmm3, SIMD_SP_halfPI);  // xmm3 = (y > x) ? PI/2 : 0.0f
    xmm1 = xmm0;
    xmm1 = _mm_mul_ps(xmm1, xmm1); // xmm1 = s
    __m128 xmm2 = SIMD_SP_atan_c0;
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_atan_c1);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_atan_c2);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_atan_c3);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_atan_c4);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_atan_c5);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_atan_c6);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_atan_c7);
    xmm2 = _mm_mul_ps(xmm2, xmm1);
    xmm2 = _mm_add_ps(xmm2, SIMD_SP_one);
    xmm2 = _mm_mul_ps(xmm2, xmm0);
    xmm2 = _mm_add_ps(xmm2, xmm3);
    return xmm2;
}

/// The last one to three numbers of a list, and ones in place of those that it lacks.
inline __m128 LoadLast(const float* list, int count) {
    Aligned4<float> last = SIMD_SP_one;
    memcpy(last.lanes, list, static_cast<size_t>(count) * sizeof(float));
    return last;
}

/// A listing over lists, which the paper leaves out. Where in a list a number stands does not change its result.
template <auto listing, typename... Lists> void OverLists(float* result, int count, Lists... lists) {
    ptrdiff_t i = 0;
    for (; count - i >= 4; i += 4) {
        _mm_storeu_ps(result + i, listing(_mm_loadu_ps(lists + i)...));
    }
    const int left = static_cast<int>(count - i);
    if (left > 0) {
        Aligned4<float> last;
        _mm_store_ps(last.lanes, listing(LoadLast(lists + i, left)...));
        memcpy(result + i, last.lanes, static_cast<size_t>(left) * sizeof(float));
    }
}

} // namespace

/// Section 6.
void ReciprocalSqrt(float* result, const float* x, int count) { OverLists<ReciprocalSqrt4>(result, count, x); }

/// Section 6.
void SinZeroHalfPI(float* result, const float* a, int count) { OverLists<SinZeroHalfPI4>(result, count, a); }

/// Section 6, "the complete arc tangent function".
void ATanPositive(float* result, const float* y, const float* x, int count) {
    OverLists<ATanPositive4<Rcpps>>(result, count, y, x);
}

/// Section 6, "the logic for the arc tangent approximation", with the polynomial of the complete function.
void ATanPositiveDivps(float* result, const float* y, const float* x, int count) {
    OverLists<ATanPositive4<Divps>>(result, count, y, x);
}

} // namespace paper_sse

#endif

} // namespace poselane
