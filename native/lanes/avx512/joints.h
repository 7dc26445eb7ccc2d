// SPDX-License-Identifier: MIT
//
// The Lanes of AVX-512 (F, BW, DQ, VL): 16 floats. See scalar/joints.h for what the functions do.
#pragma once

#ifndef __AVX512BW__
#error "compile this for AVX-512"
#endif

#include <limits.h>

#include "../../core/each.h"
#include "../../core/joint.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes : Floats16 {
#ifdef POSELANE_FAST
    static Floats mulAdd(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
    static Floats negMulAdd(Floats a, Floats b, Floats c) { return _mm512_fnmadd_ps(a, b, c); }
#else
    static Floats mulAdd(Floats a, Floats b, Floats c) { return _mm512_add_ps(_mm512_mul_ps(a, b), c); }
    static Floats negMulAdd(Floats a, Floats b, Floats c) { return _mm512_sub_ps(c, _mm512_mul_ps(a, b)); }
#endif

    static void keepPlace(Floats& a) {
#ifdef __GNUC__
        __asm__("" : "+v"(a));
#else
        (void)a;
#endif
    }

    static Floats flipWhereNegative(Floats a, Floats by) {
        const __mmask16 negative = _mm512_cmp_ps_mask(by, _mm512_setzero_ps(), _CMP_LT_OQ);
        return _mm512_mask_xor_ps(a, negative, a, _mm512_set1_ps(-0.0f));
    }
    static Floats negate(Floats a) { return _mm512_xor_ps(a, _mm512_set1_ps(-0.0f)); }
    static Floats flipWhereSigned(Floats a, Floats by) {
        return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(_mm512_castps_si512(a), _mm512_castps_si512(by),
                                                             _mm512_set1_epi32(INT_MIN), 0x78));
    }
    static Floats flipBySigns(Floats a, Floats zeros) { return _mm512_xor_ps(a, zeros); }
    static Floats oneForZero(Floats a) {
        const __mmask16 zero = _mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_EQ_OQ);
        return _mm512_mask_mov_ps(a, zero, _mm512_set1_ps(1.0f));
    }

    // Masks are vectors here too, because `Spread` moves them.
    static Floats vectorOf(__mmask16 mask) { return _mm512_castsi512_ps(_mm512_movm_epi32(mask)); }
    static Floats notLessEqual(Floats a, Floats b) { return vectorOf(_mm512_cmp_ps_mask(a, b, _CMP_NLE_UQ)); }
    static Floats notLess(Floats a, Floats b) { return vectorOf(_mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ)); }
    static Floats either(Floats mask1, Floats mask2) { return _mm512_or_ps(mask1, mask2); }
    static Floats select(Floats mask, Floats a, Floats b) {
        // mask ? a : b
        return _mm512_castsi512_ps(
            _mm512_ternarylogic_epi32(_mm512_castps_si512(mask), _mm512_castps_si512(a), _mm512_castps_si512(b), 0xca));
    }
    static bool any(Floats mask) { return _mm512_movepi32_mask(_mm512_castps_si512(mask)) != 0; }

    static constexpr int kDoubles = 8;
    using Doubles = __m512d;
    static Doubles setDoubles(double x) { return _mm512_set1_pd(x); }
    static Doubles loadDoubles(const double* p) { return _mm512_loadu_pd(p); }
    static Doubles addDoubles(Doubles a, Doubles b) { return _mm512_add_pd(a, b); }
    static Doubles mulDoubles(Doubles a, Doubles b) { return _mm512_mul_pd(a, b); }
    static void storeAsFloats(float* p, Doubles x) { _mm256_storeu_ps(p, _mm512_cvtpd_ps(x)); }

    /// Whether at most kWidth indices name an element twice.
    static bool repeat(const int* index, int count) {
        const __m512i others = _mm512_setr_epi32(-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15, -16);
        const __m512i x = _mm512_mask_loadu_epi32(others, static_cast<__mmask16>((1u << count) - 1), index);
        unsigned same = 0;
        each<kWidth / 2>(
            [&](auto i) POSELANE_INLINED { same |= _mm512_cmpeq_epi32_mask(x, _mm512_alignr_epi32(x, x, i + 1)); });
        return same != 0;
    }

    // A quarter is 128 bits.
    /// In all quarters.
    template <int i> static __m512 broadcast(__m512 x) { return _mm512_permute_ps(x, _MM_SHUFFLE(i, i, i, i)); }

    struct Quats {
        using Element = Quaternion;
        using Row = __m512;
        static constexpr int kPerRow = 4;
        static constexpr int kRows = 4;

        static Row load(const Quaternion* p) { return _mm512_loadu_ps(&p->x); }
        static void store(Quaternion* p, Row r) { _mm512_storeu_ps(&p->x, r); }
        static Row load(const Quaternion* list, const int* index) {
            __m512 row = _mm512_castps128_ps512(_mm_loadu_ps(&list[index[0]].x));
            row = _mm512_insertf32x4(row, _mm_loadu_ps(&list[index[1]].x), 1);
            row = _mm512_insertf32x4(row, _mm_loadu_ps(&list[index[2]].x), 2);
            return _mm512_insertf32x4(row, _mm_loadu_ps(&list[index[3]].x), 3);
        }
        static void store(Quaternion* list, const int* index, Row r) {
            _mm_storeu_ps(&list[index[0]].x, _mm512_castps512_ps128(r));
            _mm_storeu_ps(&list[index[1]].x, _mm512_extractf32x4_ps(r, 1));
            _mm_storeu_ps(&list[index[2]].x, _mm512_extractf32x4_ps(r, 2));
            _mm_storeu_ps(&list[index[3]].x, _mm512_extractf32x4_ps(r, 3));
        }
        static Row loadSame(const Quaternion* p) { return _mm512_broadcast_f32x4(_mm_loadu_ps(&p->x)); }

        template <class F, class... Rows> static Row map(F f, Rows... rows) { return f(rows...); }
        static Row all(Floats x) { return x; }

        /// The first quaternions of the four rows, then their second, and so on.
        static Floats sums(const Row (&products)[kRows]) {
            // See sumsOfFour in sse2/floats.h.
            const __m512 sums01 = _mm512_add_ps(_mm512_unpacklo_ps(products[0], products[1]),
                                                _mm512_unpackhi_ps(products[0], products[1]));
            const __m512 sums23 = _mm512_add_ps(_mm512_unpacklo_ps(products[2], products[3]),
                                                _mm512_unpackhi_ps(products[2], products[3]));
            return _mm512_add_ps(_mm512_shuffle_ps(sums01, sums23, _MM_SHUFFLE(1, 0, 1, 0)),
                                 _mm512_shuffle_ps(sums01, sums23, _MM_SHUFFLE(3, 2, 3, 2)));
        }
        static Floats inOrderOfSums(Floats x) {
            return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), x);
        }

        struct Spread {
            Floats x;
            explicit Spread(Floats rotation) : x(rotation) {}
            Spread(Floats rotation, Floats /* translation */) : x(rotation) {}
            template <int row> Row get() const { return broadcast<row>(x); }
        };

        static void rotations(const Row (&rows)[kRows], Row (&quats)[kRows]) {
            quats[0] = rows[0];
            quats[1] = rows[1];
            quats[2] = rows[2];
            quats[3] = rows[3];
        }
        static void setRotations(Row (&rows)[kRows], const Row (&quats)[kRows]) { rotations(quats, rows); }
    };

    struct Joints {
        using Element = JointQuat;
        /// Rotation, translation, rotation, translation.
        using Row = __m512;
        static constexpr int kPerRow = 2;
        static constexpr int kRows = 8;

        static Row load(const JointQuat* p) { return _mm512_loadu_ps(&p->q.x); }
        static void store(JointQuat* p, Row r) { _mm512_storeu_ps(&p->q.x, r); }
        static Row load(const JointQuat* list, const int* index) {
            return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(&list[index[0]].q.x)),
                                      _mm256_loadu_ps(&list[index[1]].q.x), 1);
        }
        static void store(JointQuat* list, const int* index, Row r) {
            _mm256_storeu_ps(&list[index[0]].q.x, _mm512_castps512_ps256(r));
            _mm256_storeu_ps(&list[index[1]].q.x, _mm512_extractf32x8_ps(r, 1));
        }

        template <class F, class... Rows> static Row map(F f, Rows... rows) { return f(rows...); }
        static Row all(Floats x) { return x; }

        static Floats inOrderOfSums(Floats x) {
            return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15), x);
        }

        struct Spread {
            /// Quarters: four rotations, four translations, four rotations, four translations.
            __m512 rows0to3, rows4to7;
            Spread(Floats rotation, Floats translation)
                : rows0to3(_mm512_permutex2var_ps(
                      rotation, _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
                      translation)),
                  rows4to7(_mm512_permutex2var_ps(
                      rotation, _mm512_setr_epi32(8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31),
                      translation)) {}
            template <int row> Row get() const { return broadcast<row % 4>(row < 4 ? rows0to3 : rows4to7); }
        };

        static Quats::Row joinedRotations(Row row, Row fourLater) {
            return _mm512_shuffle_f32x4(row, fourLater, _MM_SHUFFLE(2, 0, 2, 0));
        }
        static void setRotations(Row& row, Row& fourLater, Quats::Row q) {
            constexpr __mmask16 kRotations = 0x0f0f;
            row = _mm512_mask_shuffle_f32x4(row, kRotations, q, q, _MM_SHUFFLE(1, 1, 0, 0));
            fourLater = _mm512_mask_shuffle_f32x4(fourLater, kRotations, q, q, _MM_SHUFFLE(3, 3, 2, 2));
        }
        /// Rows 0 and 4, 1 and 5, and so on, two joints each.
        static void rotations(const Row (&rows)[kRows], Quats::Row (&quats)[Quats::kRows]) {
            quats[0] = joinedRotations(rows[0], rows[4]);
            quats[1] = joinedRotations(rows[1], rows[5]);
            quats[2] = joinedRotations(rows[2], rows[6]);
            quats[3] = joinedRotations(rows[3], rows[7]);
        }
        static void setRotations(Row (&rows)[kRows], const Quats::Row (&quats)[Quats::kRows]) {
            setRotations(rows[0], rows[4], quats[0]);
            setRotations(rows[1], rows[5], quats[1]);
            setRotations(rows[2], rows[6], quats[2]);
            setRotations(rows[3], rows[7], quats[3]);
        }
    };
};

} // namespace
} // namespace poselane
