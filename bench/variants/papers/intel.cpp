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
// Intel's document before its optimisations, and with aligned loads. All share the arithmetic of the port, which is
// included here, once more for each kind of load. Compiled with -mavx.
#include "../../../native/papers/benefits_of_avx.cpp"

#include "variants.h"

namespace poselane {
namespace intel_avx {
namespace {

/// Quaternions i and i + 4 of eight into one register.
POSELANE_ALWAYS_INLINE __m256 LoadTwo(const Quaternion* quats, int i) {
    const __m256 low = _mm256_loadu_ps(&quats[i & ~1].x), high = _mm256_loadu_ps(&quats[(i & ~1) + 4].x);
    return (i & 1) == 0 ? _mm256_permute2f128_ps(low, high, 0x20) : _mm256_permute2f128_ps(low, high, 0x31);
}

/// Between quaternions (i, i + 4 in register i) and components in order; either way.
POSELANE_ALWAYS_INLINE void Transpose(__m256& r0, __m256& r1, __m256& r2, __m256& r3) {
    const __m256 xy01 = _mm256_unpacklo_ps(r0, r1), zw01 = _mm256_unpackhi_ps(r0, r1);
    const __m256 xy23 = _mm256_unpacklo_ps(r2, r3), zw23 = _mm256_unpackhi_ps(r2, r3);
    r0 = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(xy01), _mm256_castps_pd(xy23)));
    r1 = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(xy01), _mm256_castps_pd(xy23)));
    r2 = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(zw01), _mm256_castps_pd(zw23)));
    r3 = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(zw01), _mm256_castps_pd(zw23)));
}

POSELANE_ALWAYS_INLINE __m256 Mix(__m256 scale0, __m256 from, __m256 scale1, __m256 to) {
    return _mm256_add_ps(_mm256_mul_ps(scale0, from), _mm256_mul_ps(scale1, to));
}

} // namespace

void SlerpQuatsUnrolled(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    const __m256 factor = _mm256_broadcast_ss(&t);
    for (ptrdiff_t i = 0; i < count; i += 16) {
        SlerpEight(&result[i].x, &from[i].x, &to[i].x, factor);
        SlerpEight(&result[i + 8].x, &from[i + 8].x, &to[i + 8].x, factor);
    }
}

void SlerpQuatsNotUnrolled(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    const __m256 factor = _mm256_broadcast_ss(&t);
    for (ptrdiff_t i = 0; i < count; i += 8) {
        SlerpEight(&result[i].x, &from[i].x, &to[i].x, factor);
    }
}

void SlerpQuatsStraight(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    const __m256 factor = _mm256_broadcast_ss(&t);
    for (ptrdiff_t i = 0; i < count; i += 8) {
        __m256 x0 = LoadTwo(from + i, 0), y0 = LoadTwo(from + i, 1), z0 = LoadTwo(from + i, 2),
               w0 = LoadTwo(from + i, 3);
        __m256 x1 = LoadTwo(to + i, 0), y1 = LoadTwo(to + i, 1), z1 = LoadTwo(to + i, 2), w1 = LoadTwo(to + i, 3);
        Transpose(x0, y0, z0, w0);
        Transpose(x1, y1, z1, w1);
        __m256 cosom = _mm256_add_ps(_mm256_mul_ps(x0, x1), _mm256_mul_ps(y0, y1));
        cosom = _mm256_add_ps(cosom, _mm256_mul_ps(z0, z1));
        cosom = _mm256_add_ps(cosom, _mm256_mul_ps(w0, w1));
        __m256 scale0, scale1;
        ScalesOf(cosom, factor, scale0, scale1);

        __m256 x = Mix(scale0, x0, scale1, x1), y = Mix(scale0, y0, scale1, y1);
        __m256 z = Mix(scale0, z0, scale1, z1), w = Mix(scale0, w0, scale1, w1);
        Transpose(x, y, z, w);
        _mm256_storeu_ps(&result[i + 0].x, _mm256_permute2f128_ps(x, y, 0x20));
        _mm256_storeu_ps(&result[i + 2].x, _mm256_permute2f128_ps(z, w, 0x20));
        _mm256_storeu_ps(&result[i + 4].x, _mm256_permute2f128_ps(x, y, 0x31));
        _mm256_storeu_ps(&result[i + 6].x, _mm256_permute2f128_ps(z, w, 0x31));
    }
}

} // namespace intel_avx
} // namespace poselane

#define intel_avx intel_avx_aligned
#define _mm256_loadu_ps _mm256_load_ps
#define _mm256_storeu_ps _mm256_store_ps
#include "../../../native/papers/benefits_of_avx.cpp"
