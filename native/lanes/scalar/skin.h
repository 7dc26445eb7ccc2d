// SPDX-License-Identifier: MIT
//
// Vertices in lanes, in plain C++: one. This file defines the functions that the other skin.h implement for 4, 8 or 16
// vertices at once.
//
// The matrices of a mesh's joints lie one after another, kMatrixFloats apart: row-major 3x4, or where kColumns says so
// column-major 4x4. A `Matrix` is the matrix of one vertex, in registers.
#pragma once

#include "rig.h"

namespace poselane {
namespace {

struct SkinLanes1 : Lanes1 {
    static constexpr bool kColumns = false;
    static constexpr int kMatrixFloats = 12;
    struct Matrix {
        float element[12];
    };

    static POSELANE_ALWAYS_INLINE Matrix scaled(const float* matrix, float weight) {
        Matrix m;
        for (int i = 0; i < 12; i++) {
            m.element[i] = weight * matrix[i];
        }
        return m;
    }
    static POSELANE_ALWAYS_INLINE Matrix sum(const Matrix& a, const Matrix& b) {
        Matrix m;
        for (int i = 0; i < 12; i++) {
            m.element[i] = a.element[i] + b.element[i];
        }
        return m;
    }
    /// Element by element, those of kWidth vertices in lanes. `matrix(i)` is that of the i-th.
    template <class OfVertex> static POSELANE_ALWAYS_INLINE void toElements(OfVertex matrix, Floats (&m)[3][4]) {
        const Matrix only = matrix(Number<0>());
        memcpy(m, only.element, sizeof(m));
    }
    /// x y z of one vertex after another.
    static POSELANE_ALWAYS_INLINE void storeVertices(float* to, const Floats (&vertices)[3]) {
        memcpy(to, vertices, sizeof(vertices));
    }

    /// The second where either is a NaN, and where both are zeros.
    static Floats min(Floats a, Floats b) { return a < b ? a : b; }
    static Floats max(Floats a, Floats b) { return a > b ? a : b; }
};

} // namespace
} // namespace poselane
