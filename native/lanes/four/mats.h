// SPDX-License-Identifier: MIT
//
// Matrices with SSE2 or NEON: blocks of 4 joints, and one matrix as three registers. See scalar/mats.h for what the
// functions do.
#pragma once

#include "../../core/always_inline.h"
#include "../../core/joint.h"
#include "joints.h"

namespace poselane {
namespace {

struct JointLanes : Lanes {
    static Floats flip(Floats a) { return negate(a); }
    static Floats flipWhere(Mask mask, Floats a) { return Lanes::flip(a, signs(mask)); }

    struct Whole {};
    static constexpr bool kParts = false;

    static POSELANE_ALWAYS_INLINE void loadJoints(Whole, const JointQuat* joints, Floats (&q)[4], Floats (&t)[3]) {
        q[0] = load(&joints[0].q.x);
        q[1] = load(&joints[1].q.x);
        q[2] = load(&joints[2].q.x);
        q[3] = load(&joints[3].q.x);
        transpose(q[0], q[1], q[2], q[3]);
        t[0] = load(&joints[0].t.x);
        t[1] = load(&joints[1].t.x);
        t[2] = load(&joints[2].t.x);
        Floats w = load(&joints[3].t.x);
        transpose(t[0], t[1], t[2], w);
    }
    static POSELANE_ALWAYS_INLINE void storeJoints(Whole, JointQuat* joints, const Floats (&q)[4],
                                                   const Floats (&t)[3]) {
        storeTransposed(&joints->q.x, 8, q[0], q[1], q[2], q[3]);
        storeTransposed(&joints->t.x, 8, t[0], t[1], t[2], set1(0.0f));
    }
    static POSELANE_ALWAYS_INLINE void loadMats(Whole, const JointMat* mats, Floats (&m)[3][4]) {
        loadRows(mats, 0, m[0]);
        loadRows(mats, 4, m[1]);
        loadRows(mats, 8, m[2]);
    }
    static POSELANE_ALWAYS_INLINE void storeMats(Whole, JointMat* mats, const Floats (&m)[3][4]) {
        storeTransposed(mats->mat, 12, m[0][0], m[0][1], m[0][2], m[0][3]);
        storeTransposed(mats->mat + 4, 12, m[1][0], m[1][1], m[1][2], m[1][3]);
        storeTransposed(mats->mat + 8, 12, m[2][0], m[2][1], m[2][2], m[2][3]);
    }

private:
    static POSELANE_ALWAYS_INLINE void loadRows(const JointMat* mats, int row, Floats (&v)[4]) {
        v[0] = load(mats[0].mat + row);
        v[1] = load(mats[1].mat + row);
        v[2] = load(mats[2].mat + row);
        v[3] = load(mats[3].mat + row);
        transpose(v[0], v[1], v[2], v[3]);
    }
    static POSELANE_ALWAYS_INLINE void storeTransposed(float* to, int stride, Floats a, Floats b, Floats c, Floats d) {
        transpose(a, b, c, d);
        store(to, a);
        store(to + stride, b);
        store(to + stride * 2, c);
        store(to + stride * 3, d);
    }
};

struct MatLanes {
    static constexpr int kKept = 1;
    using Row = Lanes::Floats;
    struct Mat {
        Row row[3];
    };

    static Mat load(const JointMat* mat) {
        return {{Lanes::load(mat->mat), Lanes::load(mat->mat + 4), Lanes::load(mat->mat + 8)}};
    }
    static void store(JointMat* mat, const Mat& m) {
        Lanes::store(mat->mat, m.row[0]);
        Lanes::store(mat->mat + 4, m.row[1]);
        Lanes::store(mat->mat + 8, m.row[2]);
    }
    static void storeMat4(float* to, const Mat& m) {
        Row a = m.row[0], b = m.row[1], c = m.row[2], d = Lanes::set(0.0f, 0.0f, 0.0f, 1.0f);
        Lanes::transpose(a, b, c, d);
        Lanes::store(to, a);
        Lanes::store(to + 4, b);
        Lanes::store(to + 8, c);
        Lanes::store(to + 12, d);
    }

    template <int r> static Mat everyRow(const JointMat* mat) {
        const Row row = Lanes::load(mat->mat + r * 4);
        return {{row, row, row}};
    }
    struct MovedBack {
        const JointMat *mat, *by;
    };
    static MovedBack movedBack(const JointMat* mat, const JointMat* by) { return {mat, by}; }
    template <int r> static Mat everyRow(const MovedBack& m) {
        const Row row = Lanes::subLast(Lanes::load(m.mat->mat + r * 4), Lanes::load(m.by->mat + r * 4));
        return {{row, row, row}};
    }
    template <int c> static Mat everyColumn(const Mat& m) {
        return {{Lanes::everyElement<c>(m.row[0]), Lanes::everyElement<c>(m.row[1]), Lanes::everyElement<c>(m.row[2])}};
    }
    template <int r> static Mat everyColumnOfTranspose(const JointMat* parent) {
        const Row row = Lanes::load(parent->mat + r * 4);
        return {{Lanes::everyElement<0>(row), Lanes::everyElement<1>(row), Lanes::everyElement<2>(row)}};
    }

    static Mat mul(const Mat& a, const Mat& b) {
        return {{Lanes::mul(a.row[0], b.row[0]), Lanes::mul(a.row[1], b.row[1]), Lanes::mul(a.row[2], b.row[2])}};
    }
    static Mat mulAdd(const Mat& a, const Mat& b, const Mat& c) {
        return {{Lanes::mulAdd(a.row[0], b.row[0], c.row[0]), Lanes::mulAdd(a.row[1], b.row[1], c.row[1]),
                 Lanes::mulAdd(a.row[2], b.row[2], c.row[2])}};
    }
    static Mat movedBy(const Mat& m, const Mat& by) {
        return {{Lanes::addLast(m.row[0], by.row[0]), Lanes::addLast(m.row[1], by.row[1]),
                 Lanes::addLast(m.row[2], by.row[2])}};
    }
};

struct MatBlockLanes {
    static constexpr int kMats = 1;
};

} // namespace
} // namespace poselane
