// SPDX-License-Identifier: LGPL-2.1-or-later
//
//     SSE Optimized Spherical Linear Interpolation between Quaternions
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
// A port of the listing in "Benefits of Intel Advanced Vector Extensions For Quaternion Spherical Linear Interpolation
// (Slerp)" (Pallavi Mehrotra and Richard Hubbard, Intel), which says that it was ported from "Slerping Clock Cycles",
// appendix A: hence the notice above. One intrinsic per intrinsic, in the listing's order. Changed in this port:
// - HALF_PI is pi / 2, not 22 / 7 / 2; sqrtC1 is RSQRT_C1, not RSQRT_C0; and the Newton step that refines sinom
//   is kept, where the listing overwrites its result (as printed it is wrong by 1.1e-3);
// - the masks are constants, where the listing's are zero until an initialization function has run; the comparison has
//   its predicate, and zero is zero, not a register xor itself;
// - the second half of the unrolled loop is a second call of the same kernel, a list need not be aligned, and the
//   variables that the listing has at file scope are parameters;
// - what 16 does not divide goes through the same kernel by masked moves, as the document proposes, in place of its
//   scalar loop, which computes something else (3.5e-3 away).
//
// Compiled with -mavx. Nothing here may leave the object but SlerpQuats: an inline function or a template with external
// linkage could replace its twin in an object for every CPU.
#ifndef __AVX__
#error "compile this file, and no other of its directory, with -mavx (MSVC: /arch:AVX)"
#endif

#include "papers.h"

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../core/always_inline.h"

// Some constants needed when calculating sin(x)
#define SINC0 (-2.39e-08f)
#define SINC1 2.7526e-06f
#define SINC2 (-1.98409e-04f)
#define SINC3 8.3333315e-03f
#define SINC4 (-1.666666664e-01f)

// Some constants needed for Newton-Rapson iteration
#define RSQRT_C0 3.0f
#define RSQRT_C1 (-0.5f)

// Some constants needed when calculating arc tangent
#define ATANC0 0.0028662257f
#define ATANC1 (-0.0161657367f)
#define ATANC2 0.0429096138f
#define ATANC3 (-0.0752896400f)
#define ATANC4 0.1065626393f
#define ATANC5 (-0.1420889944f)
#define ATANC6 0.1999355085f
#define ATANC7 (-0.3333314528f)

// General purpose constants
#define ALL_ONES 1.0f
#define CLEAR_SIGN_BIT 0x7fffffffu
#define SET_SIGN_BIT 0x80000000u
#define HALF_PI static_cast<float>(3.14159265358979323846 / 2)
#define TINY 0.1e-09f

namespace poselane {
namespace intel_avx {
namespace {

/// A constant from the first instruction, where a __m256 might be filled at start-up, by AVX, on any CPU.
template <typename T> struct alignas(32) Aligned8 {
    T lanes[8];
    operator __m256() const { return _mm256_load_ps(reinterpret_cast<const float*>(lanes)); }
};

template <typename T> constexpr Aligned8<T> DECLARE_INIT_M256(T value) {
    return {{value, value, value, value, value, value, value, value}};
}

// Initialize constants
constexpr Aligned8<float> sinC0 = DECLARE_INIT_M256(SINC0);
constexpr Aligned8<float> sinC1 = DECLARE_INIT_M256(SINC1);
constexpr Aligned8<float> sinC2 = DECLARE_INIT_M256(SINC2);
constexpr Aligned8<float> sinC3 = DECLARE_INIT_M256(SINC3);
constexpr Aligned8<float> sinC4 = DECLARE_INIT_M256(SINC4);
constexpr Aligned8<float> sqrtC0 = DECLARE_INIT_M256(RSQRT_C0);
constexpr Aligned8<float> sqrtC1 = DECLARE_INIT_M256(RSQRT_C1);
constexpr Aligned8<float> atanC0 = DECLARE_INIT_M256(ATANC0);
constexpr Aligned8<float> atanC1 = DECLARE_INIT_M256(ATANC1);
constexpr Aligned8<float> atanC2 = DECLARE_INIT_M256(ATANC2);
constexpr Aligned8<float> atanC3 = DECLARE_INIT_M256(ATANC3);
constexpr Aligned8<float> atanC4 = DECLARE_INIT_M256(ATANC4);
constexpr Aligned8<float> atanC5 = DECLARE_INIT_M256(ATANC5);
constexpr Aligned8<float> atanC6 = DECLARE_INIT_M256(ATANC6);
constexpr Aligned8<float> atanC7 = DECLARE_INIT_M256(ATANC7);
constexpr Aligned8<float> allOnes = DECLARE_INIT_M256(ALL_ONES);
constexpr Aligned8<float> halfPi = DECLARE_INIT_M256(HALF_PI);
constexpr Aligned8<float> tiny = DECLARE_INIT_M256(TINY);
constexpr Aligned8<uint32_t> clearSignBit = DECLARE_INIT_M256(CLEAR_SIGN_BIT);
constexpr Aligned8<uint32_t> setSignBit = DECLARE_INIT_M256(SET_SIGN_BIT);

/// One half of the unrolled loop, from its loads to the cosines: eight pairs, two to a register. The cosines are in the
/// order of the swizzle: 7, 5, 3, 1, 6, 4, 2, 0 from the highest lane.
POSELANE_ALWAYS_INLINE __m256 Cosines(const __m256 fromX, const __m256 fromY, const __m256 fromZ, const __m256 fromW,
                                      const __m256 toX, const __m256 toY, const __m256 toZ, const __m256 toW) {
    // *** Compute product terms: fromx*tox, fromy*toy, fromz*toz, fromw*tow
    __m256 ymmR0 = _mm256_mul_ps(fromX, toX); // Quaternion 0 and 1
    __m256 ymmR1 = _mm256_mul_ps(fromY, toY); // Quaternion 2 and 3
    __m256 ymmR2 = _mm256_mul_ps(fromZ, toZ); // Quaternion 4 and 5
    __m256 ymmR3 = _mm256_mul_ps(fromW, toW); // Quaternion 6 and 7

    // *** Swizzle products to prepare for additions
    // Start collecting product terms (step 1 of 2)
    __m256 ymmR4 = _mm256_unpacklo_ps(ymmR0, ymmR1); // y3, y1, x3, x1, y2, y0, x2, x0
    __m256 ymmR5 = _mm256_unpackhi_ps(ymmR0, ymmR1); // w3, w1, z3, z1, w2, w0, z2, z0
    __m256 ymmR6 = _mm256_unpacklo_ps(ymmR2, ymmR3); // y7, y5, x7, x5, y6, y4, x6, x4
    __m256 ymmR7 = _mm256_unpackhi_ps(ymmR2, ymmR3); // w7, w5, z7, z5, w6, w4, z6, z4

    // Finish collecting product terms (step 2 of 2)
    // Get x7, x5, x3, x1, x6, x4, x2, x0
    ymmR0 = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(ymmR4), _mm256_castps_pd(ymmR6)));
    // Get y7, y5, y3, y1, y6, y4, y2, y0
    ymmR1 = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(ymmR4), _mm256_castps_pd(ymmR6)));
    // Calculate first partial sum
    ymmR4 = _mm256_add_ps(ymmR0, ymmR1);
    // Get z7, z5, z3, z1, z6, z4, z2, z0
    ymmR2 = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(ymmR5), _mm256_castps_pd(ymmR7)));
    // Get w7, w5, w3, w1, w6, w4, w2, w0
    ymmR3 = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(ymmR5), _mm256_castps_pd(ymmR7)));

    // Finish adding the terms
    ymmR5 = _mm256_add_ps(ymmR2, ymmR3); // Second partial sum
    return _mm256_add_ps(ymmR4, ymmR5);  // Final sum
}

/// From there to the two scales of each pair, in the same order.
POSELANE_ALWAYS_INLINE void ScalesOf(const __m256 cosom, const __m256 factor, __m256& scale0, __m256& scale1) {
    // *** Compute the absolute value of above
    __m256 absCosom = _mm256_and_ps(cosom, clearSignBit);
    // Save the sign bit, used to invert scale1 later
    const __m256 signBit = _mm256_and_ps(cosom, setSignBit);

    // *** Compute 1.0 - (above squared)
    __m256 ymmR0 = _mm256_mul_ps(absCosom, absCosom);
    __m256 sinsqr = _mm256_sub_ps(allOnes, ymmR0);
    // Watch for very small values
    __m256 ymmR1 = _mm256_setzero_ps(); // Zeros
    ymmR1 = _mm256_cmp_ps(ymmR1, sinsqr, _CMP_EQ_OQ);
    ymmR1 = _mm256_and_ps(ymmR1, tiny);           // Make them tiny, not zero
    sinsqr = _mm256_and_ps(sinsqr, clearSignBit); // Make them positive
    sinsqr = _mm256_or_ps(sinsqr, ymmR1);

    // Compute 1/(square root of above)
    __m256 sinom = _mm256_rsqrt_ps(sinsqr);
    ymmR0 = _mm256_mul_ps(sinsqr, sinom);
    ymmR0 = _mm256_mul_ps(ymmR0, sinom);
    ymmR0 = _mm256_sub_ps(ymmR0, sqrtC0);
    ymmR1 = _mm256_mul_ps(sinom, sqrtC1);
    sinom = _mm256_mul_ps(ymmR0, ymmR1);
    ymmR0 = _mm256_mul_ps(sinsqr, sinom);

    // *** Compute the ArcTangent (omega = arctan(sinom*sinsqr, absCosom))
    ymmR1 = absCosom;
    absCosom = _mm256_min_ps(absCosom, ymmR0);
    ymmR0 = _mm256_max_ps(ymmR0, ymmR1);
    ymmR1 = _mm256_cmp_ps(ymmR1, absCosom, _CMP_EQ_OQ);
    __m256 ymmR2 = _mm256_rcp_ps(ymmR0);
    ymmR0 = _mm256_mul_ps(ymmR0, ymmR2);
    ymmR0 = _mm256_mul_ps(ymmR0, ymmR2);
    ymmR2 = _mm256_add_ps(ymmR2, ymmR2);
    ymmR2 = _mm256_sub_ps(ymmR2, ymmR0);
    absCosom = _mm256_mul_ps(absCosom, ymmR2);
    ymmR0 = ymmR1; // copy the mask
    ymmR0 = _mm256_and_ps(ymmR0, setSignBit);
    absCosom = _mm256_xor_ps(absCosom, ymmR0);

    // cmp mask determines contents: Pi/2 or 0.0
    ymmR1 = _mm256_and_ps(ymmR1, halfPi);

    // Finish ArcTangent calculation
    ymmR0 = _mm256_mul_ps(absCosom, absCosom);
    ymmR2 = _mm256_mul_ps(atanC0, ymmR0);
    ymmR2 = _mm256_add_ps(ymmR2, atanC1);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR0);
    ymmR2 = _mm256_add_ps(ymmR2, atanC2);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR0);
    ymmR2 = _mm256_add_ps(ymmR2, atanC3);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR0);
    ymmR2 = _mm256_add_ps(ymmR2, atanC4);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR0);
    ymmR2 = _mm256_add_ps(ymmR2, atanC5);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR0);
    ymmR2 = _mm256_add_ps(ymmR2, atanC6);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR0);
    ymmR2 = _mm256_add_ps(ymmR2, atanC7);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR0);
    ymmR2 = _mm256_add_ps(ymmR2, allOnes);
    ymmR2 = _mm256_mul_ps(ymmR2, absCosom);
    // Adjust by adding Pi/2 or 0.0
    const __m256 omega = _mm256_add_ps(ymmR2, ymmR1);

    // *** Compute the first scale factor
    ymmR1 = _mm256_mul_ps(factor, omega);
    ymmR0 = _mm256_sub_ps(omega, ymmR1);

    // Compute both scale factors
    // Compute sin(above)
    ymmR1 = ymmR0; // used to calculate scale0
    // Compute factor*omega
    const __m256 ymmR6 = _mm256_mul_ps(factor, omega);
    __m256 ymmR4 = ymmR6; // used to calculate scale1
    ymmR1 = _mm256_mul_ps(ymmR1, ymmR1);
    ymmR4 = _mm256_mul_ps(ymmR4, ymmR4); // scale1
    ymmR2 = _mm256_mul_ps(sinC0, ymmR1);
    __m256 ymmR5 = _mm256_mul_ps(sinC0, ymmR4); // scale1
    ymmR2 = _mm256_add_ps(ymmR2, sinC1);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR1);
    ymmR5 = _mm256_add_ps(ymmR5, sinC1); // scale1
    ymmR5 = _mm256_mul_ps(ymmR5, ymmR4); // scale1
    ymmR2 = _mm256_add_ps(ymmR2, sinC2);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR1);
    ymmR5 = _mm256_add_ps(ymmR5, sinC2); // scale1
    ymmR5 = _mm256_mul_ps(ymmR5, ymmR4); // scale1
    ymmR2 = _mm256_add_ps(ymmR2, sinC3);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR1);
    ymmR5 = _mm256_add_ps(ymmR5, sinC3); // scale1
    ymmR5 = _mm256_mul_ps(ymmR5, ymmR4); // scale1
    ymmR2 = _mm256_add_ps(ymmR2, sinC4);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR1);
    ymmR5 = _mm256_add_ps(ymmR5, sinC4); // scale1
    ymmR5 = _mm256_mul_ps(ymmR5, ymmR4); // scale1
    ymmR2 = _mm256_add_ps(ymmR2, allOnes);
    ymmR2 = _mm256_mul_ps(ymmR2, ymmR0);   // ymmR2 has the sin(x) for eight
    ymmR5 = _mm256_add_ps(ymmR5, allOnes); // scale1
    ymmR5 = _mm256_mul_ps(ymmR5, ymmR6);   // ymmR5 has the sin(x) for eight

    // Compute above*sinom
    scale0 = _mm256_mul_ps(ymmR2, sinom); // scale0 has the first scale factor
    scale1 = _mm256_mul_ps(ymmR5, sinom); // scale1 has the second scale factor

    // *** invert the second scale factor if that first sum of products is negative
    scale1 = _mm256_xor_ps(scale1, signBit);
}

/// Between the loads and the stores of one half.
POSELANE_ALWAYS_INLINE void Scales(const __m256 fromX, const __m256 fromY, const __m256 fromZ, const __m256 fromW,
                                   const __m256 toX, const __m256 toY, const __m256 toZ, const __m256 toW,
                                   const __m256 factor, __m256& scale0, __m256& scale1) {
    ScalesOf(Cosines(fromX, fromY, fromZ, fromW, toX, toY, toZ, toW), factor, scale0, scale1);
}

/// Two results: their scales (0x00, 0x55, 0xAA or 0xFF of `scale0` and `scale1`) spread over their 128-bit lanes.
template <int order>
POSELANE_ALWAYS_INLINE __m256 Scaled(const __m256 scale0, const __m256 scale1, const __m256 from, const __m256 to) {
    const __m256 ymmR6 = _mm256_shuffle_ps(scale0, scale0, order);
    const __m256 ymmR7 = _mm256_shuffle_ps(scale1, scale1, order);
    const __m256 ymmR0 = _mm256_mul_ps(ymmR6, from);
    const __m256 ymmR1 = _mm256_mul_ps(ymmR7, to);
    return _mm256_add_ps(ymmR0, ymmR1);
}

/// One half of the unrolled loop.
POSELANE_ALWAYS_INLINE void SlerpEight(float* pResults, const float* pFromQuat, const float* pToQuat,
                                       const __m256 factor) {
    // Load From-Quat and To-Quat 0 and 1, 2 and 3, 4 and 5, 6 and 7, each into one register
    const __m256 fromX = _mm256_loadu_ps(pFromQuat);
    const __m256 fromY = _mm256_loadu_ps(pFromQuat + 2 * 4);
    const __m256 fromZ = _mm256_loadu_ps(pFromQuat + 4 * 4);
    const __m256 fromW = _mm256_loadu_ps(pFromQuat + 6 * 4);
    const __m256 toX = _mm256_loadu_ps(pToQuat);
    const __m256 toY = _mm256_loadu_ps(pToQuat + 2 * 4);
    const __m256 toZ = _mm256_loadu_ps(pToQuat + 4 * 4);
    const __m256 toW = _mm256_loadu_ps(pToQuat + 6 * 4);

    __m256 scale0, scale1;
    Scales(fromX, fromY, fromZ, fromW, toX, toY, toZ, toW, factor, scale0, scale1);

    // *** Compute the final results by scaling, adding, then storing
    _mm256_storeu_ps(pResults, Scaled<0x00>(scale0, scale1, fromX, toX));
    _mm256_storeu_ps(pResults + 2 * 4, Scaled<0x55>(scale0, scale1, fromY, toY));
    _mm256_storeu_ps(pResults + 4 * 4, Scaled<0xAA>(scale0, scale1, fromZ, toZ));
    _mm256_storeu_ps(pResults + 6 * 4, Scaled<0xFF>(scale0, scale1, fromW, toW));
}

/// Which of two quaternions to move: both, the first or neither.
constexpr int32_t moveMasks[3][8] = {
    {0, 0, 0, 0, 0, 0, 0, 0},
    {-1, -1, -1, -1, 0, 0, 0, 0},
    {-1, -1, -1, -1, -1, -1, -1, -1},
};

/// Two quaternions of a list that ends: where they are, and which of them there are.
struct Pair {
    ptrdiff_t offset;
    __m256i mask;
};

POSELANE_ALWAYS_INLINE Pair PairAt(const int first, const int count) {
    const int moved = count - first >= 2 ? 2 : count - first == 1 ? 1 : 0;
    return {moved > 0 ? first * 4 : 0, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(moveMasks[moved]))};
}

/// SlerpEight for `count` <= 8 pairs. The others are zeros, which the kernel takes without a NaN, and never stored.
POSELANE_ALWAYS_INLINE void SlerpUpToEight(float* pResults, const float* pFromQuat, const float* pToQuat,
                                           const int count, const __m256 factor) {
    const Pair x = PairAt(0, count), y = PairAt(2, count), z = PairAt(4, count), w = PairAt(6, count);
    const __m256 fromX = _mm256_maskload_ps(pFromQuat + x.offset, x.mask);
    const __m256 fromY = _mm256_maskload_ps(pFromQuat + y.offset, y.mask);
    const __m256 fromZ = _mm256_maskload_ps(pFromQuat + z.offset, z.mask);
    const __m256 fromW = _mm256_maskload_ps(pFromQuat + w.offset, w.mask);
    const __m256 toX = _mm256_maskload_ps(pToQuat + x.offset, x.mask);
    const __m256 toY = _mm256_maskload_ps(pToQuat + y.offset, y.mask);
    const __m256 toZ = _mm256_maskload_ps(pToQuat + z.offset, z.mask);
    const __m256 toW = _mm256_maskload_ps(pToQuat + w.offset, w.mask);

    __m256 scale0, scale1;
    Scales(fromX, fromY, fromZ, fromW, toX, toY, toZ, toW, factor, scale0, scale1);

    _mm256_maskstore_ps(pResults + x.offset, x.mask, Scaled<0x00>(scale0, scale1, fromX, toX));
    _mm256_maskstore_ps(pResults + y.offset, y.mask, Scaled<0x55>(scale0, scale1, fromY, toY));
    _mm256_maskstore_ps(pResults + z.offset, z.mask, Scaled<0xAA>(scale0, scale1, fromZ, toZ));
    _mm256_maskstore_ps(pResults + w.offset, w.mask, Scaled<0xFF>(scale0, scale1, fromW, toW));
}

} // namespace

/// The listing's ProcessOptimizedKernel.
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    const __m256 factor = _mm256_set1_ps(t);

    // Operate on all the quaternions
    for (; count >= 16; count -= 16) {
        SlerpEight(&result[0].x, &from[0].x, &to[0].x, factor);
        // Unrolled once - repeat the above for another eight quaternions
        SlerpEight(&result[8].x, &from[8].x, &to[8].x, factor);
        result += 16;
        from += 16;
        to += 16;
    }

    // Handle any remaining quaternions
    for (; count > 0; count -= 8) {
        SlerpUpToEight(&result[0].x, &from[0].x, &to[0].x, count, factor);
        if (count <= 8) {
            break;
        }
        result += 8;
        from += 8;
        to += 8;
    }
}

} // namespace intel_avx
} // namespace poselane
