// SPDX-License-Identifier: MIT
//
// Four poses in lanes, with SSE2. See scalar/rig.h for what the functions do.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../rig/each.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes4 : Floats4 {
    static constexpr int kQuads = 4;
    using Quads = __m128;
    using Mask = __m128;

    // The second operand is what comes back where one is a NaN, and where both are zeros.
    static Floats clampToOne(Floats a) { return _mm_min_ps(_mm_set1_ps(1.0f), a); }

    static Mask isGreater(Floats a, Floats b) { return _mm_cmpgt_ps(a, b); }
    static Mask isZero(Floats a) { return _mm_cmpeq_ps(a, _mm_setzero_ps()); }
    static Floats select(Mask mask, Floats a, Floats b) {
        return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
    }
    static Mask maskOf(unsigned bits) {
        const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
        return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(bits)), bit), bit));
    }
    static Floats signs(Mask mask) { return _mm_and_ps(mask, _mm_set1_ps(-0.0f)); }
    static Floats negativeSigns(Floats a) { return signs(_mm_cmplt_ps(a, _mm_setzero_ps())); }
    static Floats flip(Floats a, Floats signs) { return _mm_xor_ps(a, signs); }
    static Floats bothSigns(Floats a, Floats b) { return _mm_and_ps(a, b); }
    static void storeWhere(Mask mask, float* p, Floats x) { store(p, select(mask, x, load(p))); }

    static Quads gather(const float* values, const uint32_t* rows) { return _mm_loadu_ps(values + rows[0]); }
    static Quads mix(Quads a, Quads b, const float* spreadT) {
        const Quads t = _mm_loadu_ps(spreadT);
        return add(a, sub(mul(t, b), mul(t, a)));
    }

    /// The rows at rows[4q], to gather several quads from each.
    struct Rows {
        const float* row[1];

        POSELANE_ALWAYS_INLINE Rows(const float* values, const uint32_t* rows) : row{values + rows[0]} {}
        template <int at> POSELANE_ALWAYS_INLINE Quads gather() const { return _mm_loadu_ps(row[0] + at); }
    };
    static void streamLine(float* to, const float* from) {
        for (int i = 0; i < 16; i += 4) {
            _mm_stream_ps(to + i, _mm_loadu_ps(from + i));
        }
    }
    static POSELANE_ALWAYS_INLINE void toFloats(const Quads (&quads)[kQuads], Floats (&floats)[4]) {
        transpose(quads[0], quads[1], quads[2], quads[3], floats);
    }
    static Quads quadOf(float x, float y, float z, float w) { return _mm_setr_ps(x, y, z, w); }
    template <int quads, class At, class Quad> static POSELANE_ALWAYS_INLINE void storeQuads(At at, Quad quad) {
        each<quads>([&](auto n) POSELANE_INLINED {
            Floats floats[4], turned[4];
            quad(n, floats);
            transpose(floats[0], floats[1], floats[2], floats[3], turned);
            each<4>([&](auto i) POSELANE_INLINED { store(at(i) + n * 4, turned[i]); });
        });
    }

private:
    static POSELANE_ALWAYS_INLINE void transpose(__m128 a, __m128 b, __m128 c, __m128 d, __m128 (&result)[4]) {
        const __m128 even0 = _mm_unpacklo_ps(a, c), even1 = _mm_unpackhi_ps(a, c);
        const __m128 odd0 = _mm_unpacklo_ps(b, d), odd1 = _mm_unpackhi_ps(b, d);
        result[0] = _mm_unpacklo_ps(even0, odd0);
        result[1] = _mm_unpackhi_ps(even0, odd0);
        result[2] = _mm_unpacklo_ps(even1, odd1);
        result[3] = _mm_unpackhi_ps(even1, odd1);
    }
};

} // namespace
} // namespace poselane
