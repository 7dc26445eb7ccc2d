// SPDX-License-Identifier: MIT
//
// The Lanes of SSE2, which every x86-64 CPU has: 4 floats. See scalar.h for what the functions do.
#pragma once

#include "../../core/joint.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes : Floats4 {
    static Floats mulAdd(Floats a, Floats b, Floats c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }
    static Floats negMulAdd(Floats a, Floats b, Floats c) { return _mm_sub_ps(c, _mm_mul_ps(a, b)); }

    static void keepPlace(Floats& a) {
#ifdef __GNUC__
        __asm__("" : "+x"(a));
#else
        (void)a;
#endif
    }

    static Floats flipWhereNegative(Floats a, Floats by) {
        return _mm_xor_ps(a, _mm_and_ps(_mm_cmplt_ps(by, _mm_setzero_ps()), _mm_set1_ps(-0.0f)));
    }
    static Floats negate(Floats a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
    static Floats flipWhereSigned(Floats a, Floats by) { return _mm_xor_ps(a, _mm_and_ps(by, _mm_set1_ps(-0.0f))); }
    static Floats flipBySigns(Floats a, Floats zeros) { return _mm_xor_ps(a, zeros); }
    static Floats oneForZero(Floats a) {
        // 0 | 1 is 1.
        return _mm_or_ps(a, _mm_and_ps(_mm_cmpeq_ps(a, _mm_setzero_ps()), _mm_set1_ps(1.0f)));
    }

    // Masks have all bits the same.
    static Floats notLessEqual(Floats a, Floats b) { return _mm_cmpnle_ps(a, b); }
    static Floats notLess(Floats a, Floats b) { return _mm_cmpnlt_ps(a, b); }
    static Floats either(Floats mask1, Floats mask2) { return _mm_or_ps(mask1, mask2); }
    static Floats select(Floats mask, Floats a, Floats b) {
        return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
    }
    static bool any(Floats mask) { return _mm_movemask_ps(mask) != 0; }

    static bool increases(const int* index) {
        return index[0] < index[1] && index[1] < index[2] && index[2] < index[3];
    }

    static constexpr int kDoubles = 2;
    using Doubles = __m128d;
    static Doubles setDoubles(double x) { return _mm_set1_pd(x); }
    static Doubles loadDoubles(const double* p) { return _mm_loadu_pd(p); }
    static Doubles addDoubles(Doubles a, Doubles b) { return _mm_add_pd(a, b); }
    static Doubles mulDoubles(Doubles a, Doubles b) { return _mm_mul_pd(a, b); }
    static void storeAsFloats(float* p, Doubles x) { _mm_storel_pi(reinterpret_cast<__m64*>(p), _mm_cvtpd_ps(x)); }

    /// The sums of the floats of four quaternions, (x + z) + (y + w) each.
    static __m128 sumsOfFour(__m128 q0, __m128 q1, __m128 q2, __m128 q3) {
        const __m128 sums01 = _mm_add_ps(_mm_unpacklo_ps(q0, q1), _mm_unpackhi_ps(q0, q1)); // x+z of both, y+w of both
        const __m128 sums23 = _mm_add_ps(_mm_unpacklo_ps(q2, q3), _mm_unpackhi_ps(q2, q3));
        return _mm_add_ps(_mm_movelh_ps(sums01, sums23), _mm_movehl_ps(sums23, sums01));
    }
    template <int i> static __m128 broadcast(__m128 x) { return _mm_shuffle_ps(x, x, _MM_SHUFFLE(i, i, i, i)); }

    struct Quats {
        using Element = Quaternion;
        using Row = __m128;
        static constexpr int kPerRow = 1;
        static constexpr int kRows = 4;

        static Row load(const Quaternion* p) { return _mm_loadu_ps(&p->x); }
        static void store(Quaternion* p, Row r) { _mm_storeu_ps(&p->x, r); }
        static Row load(const Quaternion* list, const int* index) { return load(list + *index); }
        static void store(Quaternion* list, const int* index, Row r) { store(list + *index, r); }
        static Row loadSame(const Quaternion* p) { return load(p); }

        template <class F, class... Rows> static Row map(F f, Rows... rows) { return f(rows...); }
        static Row all(Floats x) { return x; }

        static Floats sums(const Row (&products)[kRows]) {
            return sumsOfFour(products[0], products[1], products[2], products[3]);
        }
        static Floats inOrderOfSums(Floats x) { return x; }

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
        struct Row {
            __m128 q, t;
        };
        static constexpr int kPerRow = 1;
        static constexpr int kRows = 4;

        static Row load(const JointQuat* p) { return {_mm_loadu_ps(&p->q.x), _mm_loadu_ps(&p->t.x)}; }
        static void store(JointQuat* p, Row r) {
            _mm_storeu_ps(&p->q.x, r.q);
            _mm_storeu_ps(&p->t.x, r.t);
        }
        static Row load(const JointQuat* list, const int* index) { return load(list + *index); }
        static void store(JointQuat* list, const int* index, Row r) { store(list + *index, r); }

        template <class F, class... Rows> static Row map(F f, Rows... rows) { return {f(rows.q...), f(rows.t...)}; }
        static Row all(Floats x) { return {x, x}; }

        static Floats inOrderOfSums(Floats x) { return x; }

        struct Spread {
            Floats rotation, translation;
            Spread(Floats rotation, Floats translation) : rotation(rotation), translation(translation) {}
            template <int row> Row get() const { return {broadcast<row>(rotation), broadcast<row>(translation)}; }
        };

        static void rotations(const Row (&rows)[kRows], Quats::Row (&quats)[Quats::kRows]) {
            quats[0] = rows[0].q;
            quats[1] = rows[1].q;
            quats[2] = rows[2].q;
            quats[3] = rows[3].q;
        }
        static void setRotations(Row (&rows)[kRows], const Quats::Row (&quats)[Quats::kRows]) {
            rows[0].q = quats[0];
            rows[1].q = quats[1];
            rows[2].q = quats[2];
            rows[3].q = quats[3];
        }
    };
};

} // namespace
} // namespace poselane
