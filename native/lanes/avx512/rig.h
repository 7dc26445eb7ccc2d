// SPDX-License-Identifier: MIT
//
// Sixteen poses in lanes, with AVX-512 (F, DQ, VL). See scalar/rig.h for what the functions do.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../core/each.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes16 : Floats16 {
    static constexpr int kQuads = 4;
    using Quads = __m512;
    using Mask = __mmask16;

    static Floats clampToOne(Floats a) { return _mm512_min_ps(_mm512_set1_ps(1.0f), a); }

    static Mask isGreater(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
    static Mask isZero(Floats a) { return _mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_EQ_OQ); }
    static bool all(Mask mask) { return mask == 0xffff; }

    using Ints = __m512i;
    static Ints setInts(uint32_t x) { return _mm512_set1_epi32(static_cast<int>(x)); }
    static Ints loadInts(const uint32_t* p) { return _mm512_loadu_si512(p); }
    static void storeInts(uint32_t* p, Ints x) { _mm512_storeu_si512(p, x); }
    static Ints addInts(Ints a, Ints b) { return _mm512_add_epi32(a, b); }
    static Ints mulInts(Ints a, Ints b) { return _mm512_mullo_epi32(a, b); }
    static Ints addWhere(Mask mask, Ints a, Ints b) { return _mm512_mask_add_epi32(a, mask, a, b); }
    static Floats select(Mask mask, Floats a, Floats b) { return _mm512_mask_mov_ps(b, mask, a); }
    static bool any(Mask mask) { return mask != 0; }
    static Mask maskOf(unsigned bits) { return static_cast<Mask>(bits); }
    static Floats signs(Mask mask) { return _mm512_maskz_mov_ps(mask, _mm512_set1_ps(-0.0f)); }
    static Floats negativeSigns(Floats a) { return signs(_mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_LT_OQ)); }
    static Floats flip(Floats a, Floats signs) { return _mm512_xor_ps(a, signs); }
    static Floats bothSigns(Floats a, Floats b) { return _mm512_and_ps(a, b); }
    static void storeWhere(Mask mask, float* p, Floats x) { _mm512_mask_storeu_ps(p, mask, x); }

    static Floats fraction(const double* times, Floats start, Floats next, Floats& interval) {
        const auto half = [&](int i, __m256 from, __m256 to, __m256& seconds) {
            const __m512d start8 = _mm512_cvtps_pd(from), interval8 = _mm512_sub_pd(_mm512_cvtps_pd(to), start8);
            seconds = _mm512_cvtpd_ps(interval8);
            return _mm512_cvtpd_ps(_mm512_div_pd(_mm512_sub_pd(_mm512_loadu_pd(times + i), start8), interval8));
        };
        __m256 low, high;
        const __m256 s0 = half(0, _mm512_castps512_ps256(start), _mm512_castps512_ps256(next), low);
        const __m256 s1 = half(8, _mm512_extractf32x8_ps(start, 1), _mm512_extractf32x8_ps(next, 1), high);
        interval = _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
        return _mm512_insertf32x8(_mm512_castps256_ps512(s0), s1, 1);
    }

    // A masked broadcast is only a load. An insertion would also need a shuffle.
    static POSELANE_ALWAYS_INLINE Quads gather(const float* values, const uint32_t* rows) {
        Quads quads = _mm512_castps128_ps512(_mm_loadu_ps(values + rows[0]));
        quads = _mm512_mask_broadcast_f32x4(quads, 0x00f0, _mm_loadu_ps(values + rows[4]));
        quads = _mm512_mask_broadcast_f32x4(quads, 0x0f00, _mm_loadu_ps(values + rows[8]));
        return _mm512_mask_broadcast_f32x4(quads, 0xf000, _mm_loadu_ps(values + rows[12]));
    }
    template <int i> static Floats everyElement(Floats x) { return _mm512_permute_ps(x, i * 0x55); }
    static Quads mix(Quads a, Quads b, Quads t) { return add(a, sub(mul(t, b), mul(t, a))); }

    /// The rows at rows[4q], pointers or offsets, to gather several quads from each.
    struct Rows {
        const float* row[4];

        POSELANE_ALWAYS_INLINE Rows(const float* values, const uint32_t* rows)
            : row{values + rows[0], values + rows[4], values + rows[8], values + rows[12]} {}
        explicit POSELANE_ALWAYS_INLINE Rows(const float* const* rows) : row{rows[0], rows[4], rows[8], rows[12]} {}
        template <int at> POSELANE_ALWAYS_INLINE Quads gather() const {
            Quads quads = _mm512_castps128_ps512(_mm_loadu_ps(row[0] + at));
            quads = _mm512_mask_broadcast_f32x4(quads, 0x00f0, _mm_loadu_ps(row[1] + at));
            quads = _mm512_mask_broadcast_f32x4(quads, 0x0f00, _mm_loadu_ps(row[2] + at));
            return _mm512_mask_broadcast_f32x4(quads, 0xf000, _mm_loadu_ps(row[3] + at));
        }
    };
    static void streamLine(float* to, const float* from) { _mm512_stream_ps(to, _mm512_loadu_ps(from)); }
    static POSELANE_ALWAYS_INLINE void toFloats(const Quads (&quads)[kQuads], Floats (&floats)[4]) {
        transpose(quads[0], quads[1], quads[2], quads[3], floats);
    }
    /// All quads of a pose at once: 48 or 64 bytes.
    template <int quads, class At, class Quad> static POSELANE_ALWAYS_INLINE void storeQuads(At at, Quad quad) {
        if constexpr (quads == 1) {
            Floats floats[4], turned[4];
            quad(Number<0>(), floats);
            transpose(floats[0], floats[1], floats[2], floats[3], turned);
            each<4>([&](auto i) POSELANE_INLINED {
                each<4>([&](auto quarter) POSELANE_INLINED {
                    _mm_storeu_ps(at(quarter * 4 + i), _mm512_extractf32x4_ps(turned[i], quarter));
                });
            });
            return;
        }
        Floats turned[4][4];
        each<quads>([&](auto n) POSELANE_INLINED {
            Floats floats[4];
            quad(n, floats);
            transpose(floats[0], floats[1], floats[2], floats[3], turned[n]);
        });
        each<4>([&](auto i) POSELANE_INLINED {
            const Floats last = turned[quads - 1][i];
            // Quarters: 0 and 1 of two vectors each, 2 and 3 of them; then all of one pose.
            const Floats low01 = _mm512_shuffle_f32x4(turned[0][i], turned[1][i], 0x44);
            const Floats low23 = _mm512_shuffle_f32x4(turned[2][i], last, 0x44);
            const Floats high01 = _mm512_shuffle_f32x4(turned[0][i], turned[1][i], 0xee);
            const Floats high23 = _mm512_shuffle_f32x4(turned[2][i], last, 0xee);
            storePose<quads>(at(i), _mm512_shuffle_f32x4(low01, low23, 0x88));
            storePose<quads>(at(4 + i), _mm512_shuffle_f32x4(low01, low23, 0xdd));
            storePose<quads>(at(8 + i), _mm512_shuffle_f32x4(high01, high23, 0x88));
            storePose<quads>(at(12 + i), _mm512_shuffle_f32x4(high01, high23, 0xdd));
        });
    }

private:
    template <int quads> static POSELANE_ALWAYS_INLINE void storePose(float* to, Floats x) {
        if (quads == 4) {
            store(to, x);
        } else {
            _mm256_storeu_ps(to, _mm512_castps512_ps256(x));
            _mm_storeu_ps(to + 8, _mm512_extractf32x4_ps(x, 2));
        }
    }
    static POSELANE_ALWAYS_INLINE void transpose(__m512 a, __m512 b, __m512 c, __m512 d, __m512 (&result)[4]) {
        const __m512 even0 = _mm512_unpacklo_ps(a, c), even1 = _mm512_unpackhi_ps(a, c);
        const __m512 odd0 = _mm512_unpacklo_ps(b, d), odd1 = _mm512_unpackhi_ps(b, d);
        result[0] = _mm512_unpacklo_ps(even0, odd0);
        result[1] = _mm512_unpackhi_ps(even0, odd0);
        result[2] = _mm512_unpacklo_ps(even1, odd1);
        result[3] = _mm512_unpackhi_ps(even1, odd1);
    }
};

} // namespace
} // namespace poselane
