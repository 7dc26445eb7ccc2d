// SPDX-License-Identifier: MIT
//
// Eight poses in lanes, with AVX2. See scalar/rig.h for what the functions do.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../core/each.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes8 : Floats8 {
    static constexpr int kQuads = 4;
    using Quads = __m256;
    using Mask = __m256;

    static Floats clampToOne(Floats a) { return _mm256_min_ps(_mm256_set1_ps(1.0f), a); }

    static Mask isGreater(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
    static Mask isZero(Floats a) { return _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_EQ_OQ); }
    static bool all(Mask mask) { return _mm256_movemask_ps(mask) == 0xff; }

    using Ints = __m256i;
    static Ints setInts(uint32_t x) { return _mm256_set1_epi32(static_cast<int>(x)); }
    static Ints loadInts(const uint32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
    static void storeInts(uint32_t* p, Ints x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x); }
    static Ints addInts(Ints a, Ints b) { return _mm256_add_epi32(a, b); }
    static Ints mulInts(Ints a, Ints b) { return _mm256_mullo_epi32(a, b); }
    static Ints addWhere(Mask mask, Ints a, Ints b) {
        return _mm256_add_epi32(a, _mm256_and_si256(_mm256_castps_si256(mask), b));
    }
    static Floats select(Mask mask, Floats a, Floats b) { return _mm256_blendv_ps(b, a, mask); }
    static bool any(Mask mask) { return _mm256_movemask_ps(mask) != 0; }
    static Mask maskOf(unsigned bits) {
        const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        const __m256i set = _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), bit);
        return _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, bit));
    }
    static Floats signs(Mask mask) { return _mm256_and_ps(mask, _mm256_set1_ps(-0.0f)); }
    static Floats negativeSigns(Floats a) { return signs(_mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_LT_OQ)); }
    static Floats flip(Floats a, Floats signs) { return _mm256_xor_ps(a, signs); }
    static Floats bothSigns(Floats a, Floats b) { return _mm256_and_ps(a, b); }
    static void storeWhere(Mask mask, float* p, Floats x) { store(p, select(mask, x, load(p))); }

    static Floats fraction(const double* times, Floats start, Floats next, Floats& interval) {
        const auto half = [&](int i, __m128 from, __m128 to, __m128& seconds) {
            const __m256d start4 = _mm256_cvtps_pd(from), interval4 = _mm256_sub_pd(_mm256_cvtps_pd(to), start4);
            seconds = _mm256_cvtpd_ps(interval4);
            return _mm256_cvtpd_ps(_mm256_div_pd(_mm256_sub_pd(_mm256_loadu_pd(times + i), start4), interval4));
        };
        __m128 low, high;
        const __m128 s0 = half(0, _mm256_castps256_ps128(start), _mm256_castps256_ps128(next), low);
        const __m128 s1 = half(4, _mm256_extractf128_ps(start, 1), _mm256_extractf128_ps(next, 1), high);
        interval = _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
        return _mm256_insertf128_ps(_mm256_castps128_ps256(s0), s1, 1);
    }

    static Quads gather(const float* values, const uint32_t* rows) {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(values + rows[0])),
                                    _mm_loadu_ps(values + rows[4]), 1);
    }
    template <int i> static Floats everyElement(Floats x) { return _mm256_permute_ps(x, i * 0x55); }
    static Quads mix(Quads a, Quads b, Quads t) { return add(a, sub(mul(t, b), mul(t, a))); }

    /// The rows at rows[4q], pointers or offsets, to gather several quads from each.
    struct Rows {
        const float* row[2];

        POSELANE_ALWAYS_INLINE Rows(const float* values, const uint32_t* rows)
            : row{values + rows[0], values + rows[4]} {}
        explicit POSELANE_ALWAYS_INLINE Rows(const float* const* rows) : row{rows[0], rows[4]} {}
        template <int at> POSELANE_ALWAYS_INLINE Quads gather() const {
            return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row[0] + at)), _mm_loadu_ps(row[1] + at),
                                        1);
        }
    };
    static void streamLine(float* to, const float* from) {
        _mm256_stream_ps(to, _mm256_loadu_ps(from));
        _mm256_stream_ps(to + 8, _mm256_loadu_ps(from + 8));
    }
    static POSELANE_ALWAYS_INLINE void toFloats(const Quads (&quads)[kQuads], Floats (&floats)[4]) {
        transpose(quads[0], quads[1], quads[2], quads[3], floats);
    }
    /// Two quads at once: 32 bytes.
    template <int quads, class At, class Quad> static POSELANE_ALWAYS_INLINE void storeQuads(At at, Quad quad) {
        Floats floats[4], first[4], second[4];
        each<quads / 2>([&](auto pair) POSELANE_INLINED {
            quad(Number<pair * 2>(), floats);
            transpose(floats[0], floats[1], floats[2], floats[3], first);
            quad(Number<pair * 2 + 1>(), floats);
            transpose(floats[0], floats[1], floats[2], floats[3], second);
            each<4>([&](auto i) POSELANE_INLINED {
                store(at(i) + pair * 8, _mm256_permute2f128_ps(first[i], second[i], 0x20));
                store(at(4 + i) + pair * 8, _mm256_permute2f128_ps(first[i], second[i], 0x31));
            });
        });
        if constexpr (quads % 2 != 0) {
            constexpr int kLast = (quads - 1) * 4;
            quad(Number<quads - 1>(), floats);
            transpose(floats[0], floats[1], floats[2], floats[3], first);
            each<4>([&](auto i) POSELANE_INLINED {
                _mm_storeu_ps(at(i) + kLast, _mm256_castps256_ps128(first[i]));
                _mm_storeu_ps(at(4 + i) + kLast, _mm256_extractf128_ps(first[i], 1));
            });
        }
    }

private:
    static POSELANE_ALWAYS_INLINE void transpose(__m256 a, __m256 b, __m256 c, __m256 d, __m256 (&result)[4]) {
        const __m256 even0 = _mm256_unpacklo_ps(a, c), even1 = _mm256_unpackhi_ps(a, c);
        const __m256 odd0 = _mm256_unpacklo_ps(b, d), odd1 = _mm256_unpackhi_ps(b, d);
        result[0] = _mm256_unpacklo_ps(even0, odd0);
        result[1] = _mm256_unpackhi_ps(even0, odd0);
        result[2] = _mm256_unpacklo_ps(even1, odd1);
        result[3] = _mm256_unpackhi_ps(even1, odd1);
    }
};

} // namespace
} // namespace poselane
