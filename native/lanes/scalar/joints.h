// SPDX-License-Identifier: MIT
//
// The Lanes of plain C++: one float. This file defines the functions that the other joints.h implement for 4, 8 or 16
// floats at once.
//
// A kernel takes `kWidth` elements of a list at once. They keep their order in memory, as rows of one or more whole
// elements (`Joints`, `Quats`), because transposing them would cost more than the arithmetic. Only the dot products of
// kWidth pairs, and what is computed from them, share one `Floats`; `Spread` brings that back to the rows.
#pragma once

#include <math.h>

#include "../../core/joint.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes : Floats1 {
    /// a * b + c, each operation rounded.
    static Floats mulAdd(Floats a, Floats b, Floats c) { return a * b + c; }
    /// c - a * b, each operation rounded.
    static Floats negMulAdd(Floats a, Floats b, Floats c) { return c - a * b; }

    /// `a` is computed here: without this, GCC undoes the interleaving of independent chains of operations.
    static void keepPlace(Floats&) {}

    /// `a`, its sign flipped where `by` is less than 0 (-0 is not).
    static Floats flipWhereNegative(Floats a, Floats by) { return by < 0.0f ? -a : a; }
    static Floats negate(Floats a) { return -a; }
    /// `a`, its sign flipped where `by` has a sign bit.
    static Floats flipWhereSigned(Floats a, Floats by) { return signbit(by) ? -a : a; }
    /// `a`, its sign flipped where +-0 is -0.
    static Floats flipBySigns(Floats a, Floats zeros) { return signbit(zeros) ? -a : a; }
    /// 1 in place of 0.
    static Floats oneForZero(Floats a) { return a == 0.0f ? 1.0f : a; }

    // Masks: a set sign bit means true.
    /// !(a <= b), which includes NaN.
    static Floats notLessEqual(Floats a, Floats b) { return a <= b ? 0.0f : -1.0f; }
    /// !(a < b), which includes NaN.
    static Floats notLess(Floats a, Floats b) { return a < b ? 0.0f : -1.0f; }
    static Floats either(Floats mask1, Floats mask2) { return signbit(mask1) ? mask1 : mask2; }
    /// `a` where the mask is true, otherwise `b`.
    static Floats select(Floats mask, Floats a, Floats b) { return signbit(mask) ? a : b; }
    static bool any(Floats mask) { return signbit(mask); }

    /// Double precision, for what a call computes once.
    static constexpr int kDoubles = 1;
    using Doubles = double;
    static Doubles setDoubles(double x) { return x; }
    static Doubles loadDoubles(const double* p) { return *p; }
    static Doubles addDoubles(Doubles a, Doubles b) { return a + b; }
    static Doubles mulDoubles(Doubles a, Doubles b) { return a * b; }
    /// Rounded to float.
    static void storeAsFloats(float* p, Doubles x) { *p = static_cast<float>(x); }

    /// Lists of quaternions.
    struct Quats {
        using Element = Quaternion;
        struct Row {
            Floats part[4];
        };
        /// Quaternions of one row.
        static constexpr int kPerRow = 1;
        /// Rows of kWidth quaternions.
        static constexpr int kRows = kWidth / kPerRow;

        /// kPerRow neighbors.
        static Row load(const Quaternion* p) { return {{p->x, p->y, p->z, p->w}}; }
        static void store(Quaternion* p, Row r) { *p = {r.part[0], r.part[1], r.part[2], r.part[3]}; }
        /// list[index[0]], list[index[1]] ...
        static Row load(const Quaternion* list, const int* index) { return load(list + *index); }
        static void store(Quaternion* list, const int* index, Row r) { store(list + *index, r); }
        /// One quaternion in all places of the row.
        static Row loadSame(const Quaternion* p) { return load(p); }

        /// f of every float.
        template <class F, class... Rows> static Row map(F f, Rows... rows) {
            return {{f(rows.part[0]...), f(rows.part[1]...), f(rows.part[2]...), f(rows.part[3]...)}};
        }
        static Row all(Floats x) { return {{x, x, x, x}}; }

        /// The sums of the products of kWidth pairs, in the order that `Spread` reads.
        static Floats sums(const Row (&products)[kRows]) {
            const float(&p)[4] = products[0].part;
            return (p[0] + p[2]) + (p[1] + p[3]);
        }
        /// One float an element, from the list's order to that of `sums`.
        static Floats inOrderOfSums(Floats x) { return x; }

        /// One float an element, in every float of that element.
        struct Spread {
            Floats x;
            explicit Spread(Floats rotation) : x(rotation) {}
            Spread(Floats rotation, Floats /* translation */) : x(rotation) {}
            template <int row> Row get() const { return all(x); }
        };

        /// Extracts the rotations, and puts them back.
        static void rotations(const Row (&rows)[kRows], Row (&quats)[kRows]) { quats[0] = rows[0]; }
        static void setRotations(Row (&rows)[kRows], const Row (&quats)[kRows]) { rows[0] = quats[0]; }
    };

    /// Lists of joints; see Quats.
    struct Joints {
        using Element = JointQuat;
        struct Row {
            Quats::Row q, t;
        };
        static constexpr int kPerRow = 1;
        static constexpr int kRows = kWidth / kPerRow;

        static Row load(const JointQuat* p) { return {Quats::load(&p->q), {{p->t.x, p->t.y, p->t.z, p->t.w}}}; }
        static void store(JointQuat* p, Row r) {
            Quats::store(&p->q, r.q);
            p->t = {r.t.part[0], r.t.part[1], r.t.part[2], r.t.part[3]};
        }
        static Row load(const JointQuat* list, const int* index) { return load(list + *index); }
        static void store(JointQuat* list, const int* index, Row r) { store(list + *index, r); }

        template <class F, class... Rows> static Row map(F f, Rows... rows) {
            return {Quats::map(f, rows.q...), Quats::map(f, rows.t...)};
        }
        static Row all(Floats x) { return {Quats::all(x), Quats::all(x)}; }

        static Floats inOrderOfSums(Floats x) { return x; }

        /// One float a joint for its rotation, another for its translation.
        struct Spread {
            Floats rotation, translation;
            Spread(Floats rotation, Floats translation) : rotation(rotation), translation(translation) {}
            template <int row> Row get() const { return {Quats::all(rotation), Quats::all(translation)}; }
        };

        static void rotations(const Row (&rows)[kRows], Quats::Row (&quats)[Quats::kRows]) { quats[0] = rows[0].q; }
        static void setRotations(Row (&rows)[kRows], const Quats::Row (&quats)[Quats::kRows]) { rows[0].q = quats[0]; }
    };
};

} // namespace
} // namespace poselane
