// SPDX-License-Identifier: MIT
//
// The Lanes of NEON, which every 64-bit ARM CPU has: 4 floats. See scalar.h for what the functions do.
#pragma once

#include "../../core/joint.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes : FloatsNeon {
    static Floats mulAdd(Floats a, Floats b, Floats c) { return vaddq_f32(vmulq_f32(a, b), c); }
    static Floats negMulAdd(Floats a, Floats b, Floats c) { return vsubq_f32(c, vmulq_f32(a, b)); }

    static void keepPlace(Floats& a) {
#ifdef __GNUC__
        __asm__("" : "+w"(a));
#else
        (void)a;
#endif
    }

    static Floats flipWhereNegative(Floats a, Floats by) { return flipBits(a, signBits(vcltzq_f32(by))); }
    static Floats negate(Floats a) { return vnegq_f32(a); }
    static Floats flipWhereSigned(Floats a, Floats by) { return flipBits(a, signBits(bitsOf(by))); }
    static Floats flipBySigns(Floats a, Floats zeros) { return flipBits(a, bitsOf(zeros)); }
    static Floats oneForZero(Floats a) { return vbslq_f32(vceqzq_f32(a), vdupq_n_f32(1.0f), a); }

    // Masks have all bits the same.
    static Floats notLessEqual(Floats a, Floats b) { return floatsOf(vmvnq_u32(vcleq_f32(a, b))); }
    static Floats notLess(Floats a, Floats b) { return floatsOf(vmvnq_u32(vcltq_f32(a, b))); }
    static Floats either(Floats mask1, Floats mask2) { return floatsOf(vorrq_u32(bitsOf(mask1), bitsOf(mask2))); }
    static Floats select(Floats mask, Floats a, Floats b) { return vbslq_f32(bitsOf(mask), a, b); }
    static bool any(Floats mask) { return vmaxvq_u32(bitsOf(mask)) != 0; }

    static bool increases(const int* index) {
        return index[0] < index[1] && index[1] < index[2] && index[2] < index[3];
    }

    static constexpr int kDoubles = 2;
    using Doubles = float64x2_t;
    static Doubles setDoubles(double x) { return vdupq_n_f64(x); }
    static Doubles loadDoubles(const double* p) { return vld1q_f64(p); }
    static Doubles addDoubles(Doubles a, Doubles b) { return vaddq_f64(a, b); }
    static Doubles mulDoubles(Doubles a, Doubles b) { return vmulq_f64(a, b); }
    static void storeAsFloats(float* p, Doubles x) { vst1_f32(p, vcvt_f32_f64(x)); }

    /// The sums of the floats of four quaternions, (x + z) + (y + w) each.
    static Floats sumsOfFour(Floats q0, Floats q1, Floats q2, Floats q3) {
        // x+z and y+w of one, then of the other; the last addition is one of neighbours.
        return vpaddq_f32(vaddq_f32(lowHalves(q0, q1), highHalves(q0, q1)),
                          vaddq_f32(lowHalves(q2, q3), highHalves(q2, q3)));
    }
    static Floats lowHalves(Floats a, Floats b) {
        return vreinterpretq_f32_f64(vzip1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
    }
    static Floats highHalves(Floats a, Floats b) {
        return vreinterpretq_f32_f64(vzip2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
    }
    template <int i> static Floats broadcast(Floats x) { return vdupq_laneq_f32(x, i); }

    struct Quats {
        using Element = Quaternion;
        using Row = float32x4_t;
        static constexpr int kPerRow = 1;
        static constexpr int kRows = 4;

        static Row load(const Quaternion* p) { return vld1q_f32(&p->x); }
        static void store(Quaternion* p, Row r) { vst1q_f32(&p->x, r); }
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
            float32x4_t q, t;
        };
        static constexpr int kPerRow = 1;
        static constexpr int kRows = 4;

        static Row load(const JointQuat* p) { return {vld1q_f32(&p->q.x), vld1q_f32(&p->t.x)}; }
        static void store(JointQuat* p, Row r) {
            vst1q_f32(&p->q.x, r.q);
            vst1q_f32(&p->t.x, r.t);
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
