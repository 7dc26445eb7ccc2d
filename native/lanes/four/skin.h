// SPDX-License-Identifier: MIT
//
// Four vertices in lanes, with SSE2 or NEON. See scalar/skin.h for what the functions do.
#pragma once

#include "rig.h"

namespace poselane {
namespace {

struct SkinLanes4 : Lanes4 {
    static constexpr bool kColumns = false;
    static constexpr int kMatrixFloats = 12;
    struct Matrix {
        Floats row[3];
    };

    static POSELANE_ALWAYS_INLINE Matrix scaled(const float* matrix, float weight) {
        const Floats w = set1(weight);
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
        storeInterleaved(to, vertices[0], vertices[1], vertices[2]);
    }
};

} // namespace
} // namespace poselane
