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
// Definitions that several of the papers' listings share: the shuffle macros, aligned constants, `pshufd`. Changed in
// this port: constants are typed objects, with 32 bits where the listings say `unsigned long`.
#pragma once

#include "papers.h"

#ifdef POSELANE_HAVE_SSE2

#include <emmintrin.h>

// Macros, as in the listings, because an instruction's immediate has to be a literal even at -O0.
#define R_SHUFFLE_PS(x, y, z, w) (((w)&3) << 6 | ((z)&3) << 4 | ((y)&3) << 2 | ((x)&3))
#define R_SHUFFLE_D(x, y, z, w) R_SHUFFLE_PS(x, y, z, w)

namespace poselane {
namespace paper_sse {
// Unnamed, in a header, on purpose: no symbol of one object may stand in for that of another.
namespace {

/// A memory operand of the listings. A __m128 might be filled at start-up; this is a constant from the first
/// instruction.
template <typename T> struct alignas(16) Aligned4 {
    T lanes[4];
    operator __m128() const { return _mm_load_ps(reinterpret_cast<const float*>(lanes)); }
};

template <typename T> constexpr Aligned4<T> ALIGN4_INIT1(T i) { return {{i, i, i, i}}; }

template <typename T> constexpr Aligned4<T> ALIGN4_INIT4(T i0, T i1, T i2, T i3) { return {{i0, i1, i2, i3}}; }

constexpr unsigned IEEE_SP_ZERO = 0;
constexpr unsigned IEEE_SP_SIGN = 0x80000000u;

constexpr Aligned4<unsigned> SIMD_SP_signBit = ALIGN4_INIT1(IEEE_SP_SIGN);
constexpr Aligned4<float> SIMD_SP_zero = ALIGN4_INIT1(0.0f);
constexpr Aligned4<float> SIMD_SP_one = ALIGN4_INIT1(1.0f);
constexpr Aligned4<float> SIMD_SP_rsqrt_c0 = ALIGN4_INIT1(3.0f);
constexpr Aligned4<float> SIMD_SP_rsqrt_c1 = ALIGN4_INIT1(-0.5f);

/// The integer shuffle, which the papers use on floats because it copies and swizzles at once.
template <int order> inline __m128 pshufd(__m128 source) {
    return _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(source), order));
}

} // namespace
} // namespace paper_sse
} // namespace poselane

#endif
