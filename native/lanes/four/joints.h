// SPDX-License-Identifier: MIT
//
// The Lanes of 4 floats: SSE2 and NEON. See scalar/joints.h for what the functions do.
#pragma once

#include "../../core/joint.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes : Floats4 {
    static Floats mulAdd(Floats a, Floats b, Floats c) { return add(mul(a, b), c); }
    static Floats negMulAdd(Floats a, Floats b, Floats c) { return sub(c, mul(a, b)); }
    static Floats flipBySigns(Floats a, Floats zeros) { return flip(a, zeros); }

    struct Quats {
        using Element = Quaternion;
        using Row = Floats;
        static constexpr int kPerRow = 1;
        static constexpr int kRows = 4;

        static Row load(const Quaternion* p) { return Floats4::load(&p->x); }
        static void store(Quaternion* p, Row r) { Floats4::store(&p->x, r); }
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
            Floats q, t;
        };
        static constexpr int kPerRow = 1;
        static constexpr int kRows = 4;

        static Row load(const JointQuat* p) { return {Floats4::load(&p->q.x), Floats4::load(&p->t.x)}; }
        static void store(JointQuat* p, Row r) {
            Floats4::store(&p->q.x, r.q);
            Floats4::store(&p->t.x, r.t);
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
