// SPDX-License-Identifier: MIT
//
// Four vertices in lanes, with SSE2. See scalar/skin.h for what the functions do.
#pragma once

#include "rig.h"

namespace poselane {
namespace {

struct SkinLanes4 : Lanes4 {
    static constexpr bool kColumns = false;
    static constexpr int kMatrixFloats = 12;
    struct Matrix {
        __m128 row[3];
    };

    static POSELANE_ALWAYS_INLINE Matrix scaled(const float* matrix, float weight) {
        const __m128 w = _mm_set1_ps(weight);
        return {{mul(w, load(matrix)), mul(w, load(matrix + 4)), mul(w, load(matrix + 8))}};
    }
    static POSELANE_ALWAYS_INLINE Matrix sum(const Matrix& a, const Matrix& b) {
        return {{add(a.row[0], b.row[0]), add(a.row[1], b.row[1]), add(a.row[2], b.row[2])}};
    }
    template <class OfVertex> static POSELANE_ALWAYS_INLINE void toElements(OfVertex matrix, Floats (&m)[3][4]) {
        Matrix each4[4];
        each<4>([&](auto i) POSELANE_INLINED { each4[i] = matrix(i); });
        each<3>([&](auto row) POSELANE_INLINED {
            const Quads quads[4] = {each4[0].row[row], each4[1].row[row], each4[2].row[row], each4[3].row[row]};
            toFloats(quads, m[row]);
        });
    }
    static POSELANE_ALWAYS_INLINE void storeVertices(float* to, const Floats (&vertices)[3]) {
        const __m128 x = vertices[0], y = vertices[1], z = vertices[2];
        // x0 x2 y0 y2, y1 y3 z1 z3, z0 z2 x1 x3
        const __m128 xy = _mm_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));
        const __m128 yz = _mm_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));
        const __m128 zx = _mm_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0));
        store(to, _mm_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0)));
        store(to + 4, _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
        store(to + 8, _mm_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1)));
    }

    static Floats lesser(Floats a, Floats b) { return _mm_min_ps(a, b); }
    static Floats greater(Floats a, Floats b) { return _mm_max_ps(a, b); }
};

} // namespace
} // namespace poselane
