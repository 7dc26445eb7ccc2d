// SPDX-License-Identifier: MIT
//
// Eight vertices in lanes, with AVX2. See scalar/skin.h for what the functions do.
#pragma once

#include "rig.h"

namespace poselane {
namespace {

struct SkinLanes8 : Lanes8 {
    static constexpr bool kColumns = false;
    static constexpr int kMatrixFloats = 12;
    struct Matrix {
        __m256 row01;
        __m128 row2;
    };

    static POSELANE_ALWAYS_INLINE Matrix scaled(const float* matrix, float weight) {
        const __m256 w = _mm256_set1_ps(weight);
        return {mul(w, load(matrix)), _mm_mul_ps(_mm256_castps256_ps128(w), _mm_loadu_ps(matrix + 8))};
    }
    static POSELANE_ALWAYS_INLINE Matrix sum(const Matrix& a, const Matrix& b) {
        return {add(a.row01, b.row01), _mm_add_ps(a.row2, b.row2)};
    }
    template <class OfVertex> static POSELANE_ALWAYS_INLINE void toElements(OfVertex matrix, Floats (&m)[3][4]) {
        // Each row: that of vertex i in the first half, of vertex 4 + i in the second.
        Quads rows[3][4];
        each<4>([&](auto i) POSELANE_INLINED {
            const Matrix a = matrix(i);
            const Matrix b = matrix(Number<4 + decltype(i)::value>());
            rows[0][i] = _mm256_insertf128_ps(a.row01, _mm256_castps256_ps128(b.row01), 1);
            rows[1][i] = _mm256_permute2f128_ps(a.row01, b.row01, 0x31);
            rows[2][i] = _mm256_insertf128_ps(_mm256_castps128_ps256(a.row2), b.row2, 1);
        });
        each<3>([&](auto row) POSELANE_INLINED { toFloats(rows[row], m[row]); });
    }
    static POSELANE_ALWAYS_INLINE void storeVertices(float* to, const Floats (&vertices)[3]) {
        const __m256 x = vertices[0], y = vertices[1], z = vertices[2];
        // In each half: x0 x2 y0 y2, y1 y3 z1 z3, z0 z2 x1 x3.
        const __m256 xy = _mm256_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));
        const __m256 yz = _mm256_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));
        const __m256 zx = _mm256_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0));
        // Thirds of what belongs to vertices 0 to 3, and to 4 to 7.
        const __m256 first = _mm256_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0));
        const __m256 second = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
        const __m256 third = _mm256_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1));
        store(to, _mm256_insertf128_ps(first, _mm256_castps256_ps128(second), 1));
        store(to + 8, _mm256_blend_ps(third, first, 0xf0));
        store(to + 16, _mm256_permute2f128_ps(second, third, 0x31));
    }

    static Floats min(Floats a, Floats b) { return _mm256_min_ps(a, b); }
    static Floats max(Floats a, Floats b) { return _mm256_max_ps(a, b); }
};

} // namespace
} // namespace poselane
