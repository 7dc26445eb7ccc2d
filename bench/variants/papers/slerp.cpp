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
// "Slerping Clock Cycles": appendix A's loop of four put together from the functions of section 6, so that others can
// take their places: the arc cosine "approximated directly with a polynomial" (section 5) and "lower degree
// polynomials" (section 7), which the paper mentions and does not list. Theirs are those of its source, Abramowitz and
// Stegun.
#include "../../../native/papers/slerping_clock_cycles.cpp"

#include "variants.h"

namespace poselane {
namespace paper_sse {
namespace {

inline __m128 Polynomial(__m128, float c) { return _mm_set1_ps(c); }

/// c + x * (…), by Horner's scheme.
template <typename... Floats> inline __m128 Polynomial(__m128 x, float c, Floats... rest) {
    return _mm_add_ps(_mm_mul_ps(Polynomial(x, rest...), x), _mm_set1_ps(c));
}

/// 4.4.46: within 2e-8 in exact arithmetic.
inline __m128 ACos7Four(__m128 x) {
    const __m128 root = _mm_sqrt_ps(_mm_sub_ps(SIMD_SP_one, x));
    return _mm_mul_ps(root, Polynomial(x, 1.5707963050f, -0.2145988016f, 0.0889789874f, -0.0501743046f, 0.0308918810f,
                                       -0.0170881256f, 0.0066700901f, -0.0012624911f));
}

/// 4.4.45: within 6.8e-5.
inline __m128 ACos3Four(__m128 x) {
    const __m128 root = _mm_sqrt_ps(_mm_sub_ps(SIMD_SP_one, x));
    return _mm_mul_ps(root, Polynomial(x, 1.5707288f, -0.2121144f, 0.0742610f, -0.0187293f));
}

/// 4.4.47: within 1.2e-5, with the quotient of section 6.
inline __m128 ATan9Four(__m128 y, __m128 x) {
    const __m128 steep = _mm_cmpeq_ps(x, _mm_min_ps(x, y));
    const __m128 a = Rcpps(_mm_min_ps(x, y), _mm_max_ps(x, y));
    const __m128 angle =
        _mm_mul_ps(a, Polynomial(_mm_mul_ps(a, a), 0.9998660f, -0.3302995f, 0.1801410f, -0.0851330f, 0.0208351f));
    return _mm_add_ps(_mm_xor_ps(angle, _mm_and_ps(steep, SIMD_SP_signBit)), _mm_and_ps(steep, SIMD_SP_halfPI));
}

/// 4.3.96: within 1.7e-4.
inline __m128 Sin4Four(__m128 a) { return _mm_mul_ps(a, Polynomial(_mm_mul_ps(a, a), 1.0f, -0.16605f, 0.00761f)); }

template <__m128 (*acos)(__m128)> inline __m128 OfCosine(__m128, __m128 cosine) {
    // Rounding can leave a cosine above 1, which has no root.
    return acos(_mm_min_ps(cosine, SIMD_SP_one));
}

/// SlerpScales4 and Slerp4, with these two functions. `angle` is of the sine and the cosine.
template <__m128 (*angle)(__m128, __m128), __m128 (*sine)(__m128)>
void SlerpQuatsBy(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    const __m128 lerp = _mm_set1_ps(t);
    for (ptrdiff_t i = 0; i < count; i += 4) {
        __m128 x0 = _mm_loadu_ps(&from[i].x), y0 = _mm_loadu_ps(&from[i + 1].x);
        __m128 z0 = _mm_loadu_ps(&from[i + 2].x), w0 = _mm_loadu_ps(&from[i + 3].x);
        __m128 x1 = _mm_loadu_ps(&to[i].x), y1 = _mm_loadu_ps(&to[i + 1].x);
        __m128 z1 = _mm_loadu_ps(&to[i + 2].x), w1 = _mm_loadu_ps(&to[i + 3].x);
        TRANSPOSE_4x4(x0, y0, z0, w0);
        TRANSPOSE_4x4(x1, y1, z1, w1);
        __m128 cosom = _mm_add_ps(_mm_mul_ps(x0, x1), _mm_mul_ps(y0, y1));
        cosom = _mm_add_ps(_mm_add_ps(cosom, _mm_mul_ps(z0, z1)), _mm_mul_ps(w0, w1));

        const __m128 sign = _mm_and_ps(cosom, SIMD_SP_signBit);
        cosom = _mm_xor_ps(cosom, sign);
        __m128 sinSqr = _mm_sub_ps(SIMD_SP_one, _mm_mul_ps(cosom, cosom));
        const __m128 tiny = _mm_and_ps(_mm_cmpeq_ps(_mm_setzero_ps(), sinSqr), SIMD_SP_tiny);
        sinSqr = _mm_or_ps(_mm_and_ps(sinSqr, SIMD_SP_absMask), tiny);
        const __m128 sinom = ReciprocalSqrt4(sinSqr);
        const __m128 omega = angle(_mm_mul_ps(sinSqr, sinom), cosom);
        const __m128 omega1 = _mm_mul_ps(lerp, omega);
        const __m128 scale0 = _mm_mul_ps(sine(_mm_sub_ps(omega, omega1)), sinom);
        const __m128 scale1 = _mm_xor_ps(_mm_mul_ps(sine(omega1), sinom), sign);

        TransposeToMemory(result[i], result[i + 1], result[i + 2], result[i + 3],
                          _mm_add_ps(_mm_mul_ps(x0, scale0), _mm_mul_ps(x1, scale1)),
                          _mm_add_ps(_mm_mul_ps(y0, scale0), _mm_mul_ps(y1, scale1)),
                          _mm_add_ps(_mm_mul_ps(z0, scale0), _mm_mul_ps(z1, scale1)),
                          _mm_add_ps(_mm_mul_ps(w0, scale0), _mm_mul_ps(w1, scale1)));
    }
}

} // namespace

void SlerpQuatsRcpps(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    SlerpQuatsBy<ATanPositive4<Rcpps>, SinZeroHalfPI4>(result, from, to, t, count);
}

void SlerpQuatsDivps(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    SlerpQuatsBy<ATanPositive4<Divps>, SinZeroHalfPI4>(result, from, to, t, count);
}

void SlerpQuatsACos7(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    SlerpQuatsBy<OfCosine<ACos7Four>, SinZeroHalfPI4>(result, from, to, t, count);
}

void SlerpQuatsACos3(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    SlerpQuatsBy<OfCosine<ACos3Four>, SinZeroHalfPI4>(result, from, to, t, count);
}

void SlerpQuatsATan9(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    SlerpQuatsBy<ATan9Four, SinZeroHalfPI4>(result, from, to, t, count);
}

void SlerpQuatsATan9Sin4(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    SlerpQuatsBy<ATan9Four, Sin4Four>(result, from, to, t, count);
}

void ACos7(float* result, const float* cosine, int count) { OverLists<ACos7Four>(result, count, cosine); }

void ACos3(float* result, const float* cosine, int count) { OverLists<ACos3Four>(result, count, cosine); }

void ATan9(float* result, const float* y, const float* x, int count) { OverLists<ATan9Four>(result, count, y, x); }

void Sin4(float* result, const float* a, int count) { OverLists<Sin4Four>(result, count, a); }

} // namespace paper_sse
} // namespace poselane
