// SPDX-License-Identifier: MIT
//
// The Lanes of AVX2: 8 floats. See scalar/joints.h for what the functions do.
#pragma once

#include "../../core/joint.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes : Floats8 {
#ifdef POSELANE_FAST
    static Floats mulAdd(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
    static Floats negMulAdd(Floats a, Floats b, Floats c) { return _mm256_fnmadd_ps(a, b, c); }
#else
    static Floats mulAdd(Floats a, Floats b, Floats c) { return _mm256_add_ps(_mm256_mul_ps(a, b), c); }
    static Floats negMulAdd(Floats a, Floats b, Floats c) { return _mm256_sub_ps(c, _mm256_mul_ps(a, b)); }
#endif

    static void keepPlace(Floats& a) {
#ifdef __GNUC__
        __asm__("" : "+x"(a));
#else
        (void)a;
#endif
    }

    static Floats flipWhereNegative(Floats a, Floats by) {
        const Floats negative = _mm256_cmp_ps(by, _mm256_setzero_ps(), _CMP_LT_OQ);
        return _mm256_xor_ps(a, _mm256_and_ps(negative, _mm256_set1_ps(-0.0f)));
    }
    static Floats negate(Floats a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
    static Floats flipWhereSigned(Floats a, Floats by) {
        return _mm256_xor_ps(a, _mm256_and_ps(by, _mm256_set1_ps(-0.0f)));
    }
    static Floats flipBySigns(Floats a, Floats zeros) { return _mm256_xor_ps(a, zeros); }
    static Floats oneForZero(Floats a) {
        return _mm256_blendv_ps(a, _mm256_set1_ps(1.0f), _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_EQ_OQ));
    }

    static Floats notLessEqual(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_NLE_UQ); }
    static Floats notLess(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_NLT_UQ); }
    static Floats either(Floats mask1, Floats mask2) { return _mm256_or_ps(mask1, mask2); }
    static Floats select(Floats mask, Floats a, Floats b) { return _mm256_blendv_ps(b, a, mask); }
    static bool any(Floats mask) { return _mm256_movemask_ps(mask) != 0; }

    static constexpr int kDoubles = 4;
    using Doubles = __m256d;
    static Doubles setDoubles(double x) { return _mm256_set1_pd(x); }
    static Doubles loadDoubles(const double* p) { return _mm256_loadu_pd(p); }
    static Doubles addDoubles(Doubles a, Doubles b) { return _mm256_add_pd(a, b); }
    static Doubles mulDoubles(Doubles a, Doubles b) { return _mm256_mul_pd(a, b); }
    static void storeAsFloats(float* p, Doubles x) { _mm_storeu_ps(p, _mm256_cvtpd_ps(x)); }

    /// In both halves.
    template <int i> static __m256 broadcast(__m256 x) { return _mm256_permute_ps(x, _MM_SHUFFLE(i, i, i, i)); }
    static __m256 lowHalves(__m256 a, __m256 b) { return _mm256_permute2f128_ps(a, b, 0x20); }
    static __m256 highHalves(__m256 a, __m256 b) { return _mm256_permute2f128_ps(a, b, 0x31); }

    struct Quats {
        using Element = Quaternion;
        using Row = __m256;
        static constexpr int kPerRow = 2;
        static constexpr int kRows = 4;

        static Row load(const Quaternion* p) { return _mm256_loadu_ps(&p->x); }
        static void store(Quaternion* p, Row r) { _mm256_storeu_ps(&p->x, r); }
        static Row load(const Quaternion* list, const int* index) {
            return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(&list[index[0]].x)),
                                        _mm_loadu_ps(&list[index[1]].x), 1);
        }
        static void store(Quaternion* list, const int* index, Row r) {
            _mm_storeu_ps(&list[index[0]].x, _mm256_castps256_ps128(r));
            _mm_storeu_ps(&list[index[1]].x, _mm256_extractf128_ps(r, 1));
        }
        static Row loadSame(const Quaternion* p) { return _mm256_broadcast_ps(reinterpret_cast<const __m128*>(&p->x)); }

        template <class F, class... Rows> static Row map(F f, Rows... rows) { return f(rows...); }
        static Row all(Floats x) { return x; }

        /// The first quaternions of the four rows, then their second.
        static Floats sums(const Row (&products)[kRows]) {
            // See sumsOfFour in sse2/floats.h.
            const __m256 sums01 = _mm256_add_ps(_mm256_unpacklo_ps(products[0], products[1]),
                                                _mm256_unpackhi_ps(products[0], products[1]));
            const __m256 sums23 = _mm256_add_ps(_mm256_unpacklo_ps(products[2], products[3]),
                                                _mm256_unpackhi_ps(products[2], products[3]));
            return _mm256_add_ps(_mm256_shuffle_ps(sums01, sums23, _MM_SHUFFLE(1, 0, 1, 0)),
                                 _mm256_shuffle_ps(sums01, sums23, _MM_SHUFFLE(3, 2, 3, 2)));
        }
        static Floats inOrderOfSums(Floats x) {
            return _mm256_permutevar8x32_ps(x, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
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
        /// Rotation, translation.
        using Row = __m256;
        static constexpr int kPerRow = 1;
        static constexpr int kRows = 8;

        static Row load(const JointQuat* p) { return _mm256_loadu_ps(&p->q.x); }
        static void store(JointQuat* p, Row r) { _mm256_storeu_ps(&p->q.x, r); }
        static Row load(const JointQuat* list, const int* index) { return load(list + *index); }
        static void store(JointQuat* list, const int* index, Row r) { store(list + *index, r); }

        template <class F, class... Rows> static Row map(F f, Rows... rows) { return f(rows...); }
        static Row all(Floats x) { return x; }

        static Floats inOrderOfSums(Floats x) { return x; }

        struct Spread {
            /// Four rotations, four translations.
            __m256 rows0to3, rows4to7;
            Spread(Floats rotation, Floats translation)
                : rows0to3(lowHalves(rotation, translation)), rows4to7(highHalves(rotation, translation)) {}
            template <int row> Row get() const { return broadcast<row % 4>(row < 4 ? rows0to3 : rows4to7); }
        };

        static void setRotation(Row& row, Row& fourLater, Quats::Row quats) {
            row = _mm256_blend_ps(row, quats, 0x0f);
            fourLater = highHalves(quats, fourLater);
        }
        /// Joints 0 and 4, 1 and 5, and so on: `sums` puts them in the list's order.
        static void rotations(const Row (&rows)[kRows], Quats::Row (&quats)[Quats::kRows]) {
            quats[0] = lowHalves(rows[0], rows[4]);
            quats[1] = lowHalves(rows[1], rows[5]);
            quats[2] = lowHalves(rows[2], rows[6]);
            quats[3] = lowHalves(rows[3], rows[7]);
        }
        static void setRotations(Row (&rows)[kRows], const Quats::Row (&quats)[Quats::kRows]) {
            setRotation(rows[0], rows[4], quats[0]);
            setRotation(rows[1], rows[5], quats[1]);
            setRotation(rows[2], rows[6], quats[2]);
            setRotation(rows[3], rows[7], quats[3]);
        }
    };
};

} // namespace
} // namespace poselane
