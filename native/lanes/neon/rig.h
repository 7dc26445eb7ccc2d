// SPDX-License-Identifier: MIT
//
// Four poses in lanes, with NEON. See scalar/rig.h for what the functions do.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../rig/each.h"
#include "floats.h"

namespace poselane {
namespace {

struct LanesNeon : FloatsNeon {
    static constexpr int kQuads = 4;
    using Quads = Floats;
    using Mask = Bits;

    static Floats clampToOne(Floats a) {
        const Floats one = vdupq_n_f32(1.0f);
        return vbslq_f32(vcltq_f32(one, a), one, a);
    }

    static Mask isGreater(Floats a, Floats b) { return vcgtq_f32(a, b); }
    static Mask isZero(Floats a) { return vceqzq_f32(a); }
    static Floats select(Mask mask, Floats a, Floats b) { return vbslq_f32(mask, a, b); }
    static Mask maskOf(unsigned bits) {
        const uint32_t bit[4] = {1, 2, 4, 8};
        return vtstq_u32(vdupq_n_u32(bits), vld1q_u32(bit));
    }
    static Floats signs(Mask mask) { return floatsOf(signBits(mask)); }
    static Floats negativeSigns(Floats a) { return signs(vcltzq_f32(a)); }
    static Floats flip(Floats a, Floats signs) { return flipBits(a, bitsOf(signs)); }
    static Floats bothSigns(Floats a, Floats b) { return floatsOf(vandq_u32(bitsOf(a), bitsOf(b))); }
    static void storeWhere(Mask mask, float* p, Floats x) { store(p, select(mask, x, load(p))); }

    static Quads gather(const float* values, const uint32_t* rows) { return load(values + rows[0]); }
    static Quads mix(Quads a, Quads b, const float* spreadT) {
        const Quads t = load(spreadT);
        return add(a, sub(mul(t, b), mul(t, a)));
    }

    /// The rows at rows[4q], to gather several quads from each.
    struct Rows {
        const float* row[1];

        POSELANE_ALWAYS_INLINE Rows(const float* values, const uint32_t* rows) : row{values + rows[0]} {}
        template <int at> POSELANE_ALWAYS_INLINE Quads gather() const { return load(row[0] + at); }
    };
    // No intrinsic writes past the caches.
    static void streamLine(float* to, const float* from) {
        for (int i = 0; i < 16; i += 4) {
            store(to + i, load(from + i));
        }
    }
    static POSELANE_ALWAYS_INLINE void toFloats(const Quads (&quads)[kQuads], Floats (&floats)[4]) {
        each<4>([&](auto i) POSELANE_INLINED { floats[i] = quads[i]; });
        transpose(floats[0], floats[1], floats[2], floats[3]);
    }
    static Quads quadOf(float x, float y, float z, float w) {
        const float quad[4] = {x, y, z, w};
        return load(quad);
    }
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
