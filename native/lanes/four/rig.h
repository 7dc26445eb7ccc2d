// SPDX-License-Identifier: MIT
//
// Four poses in lanes, with SSE2 or NEON. See scalar/rig.h for what the functions do.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../core/each.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes4 : Floats4 {
    static constexpr int kQuads = 4;
    using Quads = Floats;

    static void storeWhere(Mask mask, float* p, Floats x) { store(p, select(mask, x, load(p))); }

    static Quads gather(const float* values, const uint32_t* rows) { return load(values + rows[0]); }
    static Quads loadQuads(const float* p) { return load(p); }
    static Quads mix(Quads a, Quads b, Quads t) { return add(a, sub(mul(t, b), mul(t, a))); }

    /// The rows at rows[4q], pointers or offsets, to gather several quads from each.
    struct Rows {
        const float* row[1];

        POSELANE_ALWAYS_INLINE Rows(const float* values, const uint32_t* rows) : row{values + rows[0]} {}
        explicit POSELANE_ALWAYS_INLINE Rows(const float* const* rows) : row{rows[0]} {}
        template <int at> POSELANE_ALWAYS_INLINE Quads gather() const { return load(row[0] + at); }
    };
    static void streamLine(float* to, const float* from) {
        for (int i = 0; i < 16; i += 4) {
            stream(to + i, load(from + i));
        }
    }
    static POSELANE_ALWAYS_INLINE void toFloats(const Quads (&quads)[kQuads], Floats (&floats)[4]) {
        each<4>([&](auto i) POSELANE_INLINED { floats[i] = quads[i]; });
        transpose(floats[0], floats[1], floats[2], floats[3]);
    }
    static Quads quadOf(float x, float y, float z, float w) { return set(x, y, z, w); }
    template <int quads, class At, class Quad> static POSELANE_ALWAYS_INLINE void storeQuads(At at, Quad quad) {
        each<quads>([&](auto n) POSELANE_INLINED {
            Floats floats[4];
            quad(n, floats);
            transpose(floats[0], floats[1], floats[2], floats[3]);
            each<4>([&](auto i) POSELANE_INLINED { store(at(i) + n * 4, floats[i]); });
        });
    }
};

} // namespace
} // namespace poselane
