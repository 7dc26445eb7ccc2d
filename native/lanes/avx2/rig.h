// SPDX-License-Identifier: MIT
//
// Eight poses in lanes, with AVX2. See scalar/rig.h for what the functions do.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../rig/each.h"
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
    static Floats select(Mask mask, Floats a, Floats b) { return _mm256_blendv_ps(b, a, mask); }
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

    static Quads gather(const float* values, const uint32_t* rows) {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(values + rows[0])),
                                    _mm_loadu_ps(values + rows[4]), 1);
    }
    static Quads mix(Quads a, Quads b, const float* spreadT) {
        const Quads t = _mm256_loadu_ps(spreadT);
        return add(a, sub(mul(t, b), mul(t, a)));
    }

    /// The rows at rows[4q], to gather several quads from each.
    struct Rows {
        const float* row[2];

        POSELANE_ALWAYS_INLINE Rows(const float* values, const uint32_t* rows)
            : row{values + rows[0], values + rows[4]} {}
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
