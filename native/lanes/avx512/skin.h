// SPDX-License-Identifier: MIT
//
// Sixteen vertices in lanes, with AVX-512 (F, DQ, VL). See scalar/skin.h for what the functions do.
#pragma once

#include "rig.h"

namespace poselane {
namespace {

struct SkinLanes16 : Lanes16 {
    /// A matrix is one register, and its columns are the quarters: the one row that is not needed is left out while the
    /// quarters are transposed.
    static constexpr bool kColumns = true;
    static constexpr int kMatrixFloats = 16;
    using Matrix = __m512;

    static POSELANE_ALWAYS_INLINE Matrix scaled(const float* matrix, float weight) {
        return mul(_mm512_set1_ps(weight), load(matrix));
    }
    static POSELANE_ALWAYS_INLINE Matrix sum(Matrix a, Matrix b) { return add(a, b); }
    template <class OfVertex> static POSELANE_ALWAYS_INLINE void toElements(OfVertex matrix, Floats (&m)[3][4]) {
        // The rows of four vertices each, in the order of their columns.
        Floats rows[3][4];
        each<4>([&](auto four) POSELANE_INLINED {
            constexpr int kFirst = decltype(four)::value * 4;
            const Matrix a = matrix(Number<kFirst>());
            const Matrix b = matrix(Number<kFirst + 1>());
            const Matrix c = matrix(Number<kFirst + 2>());
            const Matrix d = matrix(Number<kFirst + 3>());
            const __m512 even0 = _mm512_unpacklo_ps(a, c), odd0 = _mm512_unpacklo_ps(b, d);
            const __m512 even1 = _mm512_unpackhi_ps(a, c), odd1 = _mm512_unpackhi_ps(b, d);
            rows[0][four] = _mm512_unpacklo_ps(even0, odd0);
            rows[1][four] = _mm512_unpackhi_ps(even0, odd0);
            rows[2][four] = _mm512_unpacklo_ps(even1, odd1);
        });
        each<3>([&](auto row) POSELANE_INLINED {
            const Floats(&r)[4] = rows[row];
            const __m512 low01 = _mm512_shuffle_f32x4(r[0], r[1], 0x44), low23 = _mm512_shuffle_f32x4(r[2], r[3], 0x44);
            const __m512 high01 = _mm512_shuffle_f32x4(r[0], r[1], 0xee);
            const __m512 high23 = _mm512_shuffle_f32x4(r[2], r[3], 0xee);
            m[row][0] = _mm512_shuffle_f32x4(low01, low23, 0x88);
            m[row][1] = _mm512_shuffle_f32x4(low01, low23, 0xdd);
            m[row][2] = _mm512_shuffle_f32x4(high01, high23, 0x88);
            m[row][3] = _mm512_shuffle_f32x4(high01, high23, 0xdd);
        });
    }
    static POSELANE_ALWAYS_INLINE void storeVertices(float* to, const Floats (&vertices)[3]) {
        const __m512 x = vertices[0], y = vertices[1], z = vertices[2];
        // Sources of x and y (16 on: y), then of z (16 on) for the gaps.
        const __m512 xy0 =
            _mm512_permutex2var_ps(x, _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5), y);
        const __m512 xy1 =
            _mm512_permutex2var_ps(x, _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26), y);
        const __m512 xy2 =
            _mm512_permutex2var_ps(x, _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0), y);
        const __m512i z0 = _mm512_setr_epi32(0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0);
        const __m512i z1 = _mm512_setr_epi32(0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0);
        const __m512i z2 = _mm512_setr_epi32(10, 0, 0, 11, 0, 0, 12, 0, 0, 13, 0, 0, 14, 0, 0, 15);
        store(to, _mm512_mask_permutexvar_ps(xy0, 0x4924, z0, z));
        store(to + 16, _mm512_mask_permutexvar_ps(xy1, 0x2492, z1, z));
        store(to + 32, _mm512_mask_permutexvar_ps(xy2, 0x9249, z2, z));
    }

    static Floats min(Floats a, Floats b) { return _mm512_min_ps(a, b); }
    static Floats max(Floats a, Floats b) { return _mm512_max_ps(a, b); }
};

} // namespace
} // namespace poselane
