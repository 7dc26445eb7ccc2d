// SPDX-License-Identifier: MIT
//
// Matrices with NEON: blocks of 4 joints, and one matrix as three registers. See scalar_mats.h for what the functions
// do.
#pragma once

#include "../../core/always_inline.h"
#include "../../core/joint.h"
#include "joints.h"

namespace poselane {
namespace {

struct JointLanes : Lanes {
    using Mask = Bits;

    static Mask isGreaterEqual(Floats a, Floats b) { return vcgeq_f32(a, b); }
    static Mask either(Mask a, Mask b) { return vorrq_u32(a, b); }
    static Mask both(Mask a, Mask b) { return vandq_u32(a, b); }
    static Mask butNot(Mask a, Mask b) { return vbicq_u32(a, b); }
    static Mask inverse(Mask a) { return vmvnq_u32(a); }
    static Floats flip(Floats a) { return vnegq_f32(a); }
    static Floats flipWhere(Mask mask, Floats a) { return flipBits(a, signBits(mask)); }
    static void swapWhere(Mask mask, Floats& a, Floats& b) {
        const Floats first = a;
        a = vbslq_f32(mask, b, a);
        b = vbslq_f32(mask, first, b);
    }

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
        storeTransposed(&joints->t.x, 8, t[0], t[1], t[2], vdupq_n_f32(0.0f));
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
    struct Mat {
        float32x4_t row[3];
    };

    static Mat load(const JointMat* mat) {
        return {{vld1q_f32(mat->mat), vld1q_f32(mat->mat + 4), vld1q_f32(mat->mat + 8)}};
    }
    static void store(JointMat* mat, const Mat& m) {
        vst1q_f32(mat->mat, m.row[0]);
        vst1q_f32(mat->mat + 4, m.row[1]);
        vst1q_f32(mat->mat + 8, m.row[2]);
    }

    template <int r> static Mat everyRow(const JointMat* mat) {
        const float32x4_t row = vld1q_f32(mat->mat + r * 4);
        return {{row, row, row}};
    }
    struct MovedBack {
        const JointMat *mat, *by;
    };
    static MovedBack movedBack(const JointMat* mat, const JointMat* by) { return {mat, by}; }
    template <int r> static Mat everyRow(const MovedBack& m) {
        // x - 0 is x, -0 as well.
        const float32x4_t back = translationOr(vdupq_n_f32(0.0f), vld1q_f32(m.by->mat + r * 4));
        const float32x4_t row = vsubq_f32(vld1q_f32(m.mat->mat + r * 4), back);
        return {{row, row, row}};
    }
    template <int c> static Mat everyColumn(const Mat& m) {
        return {{everyElement<c>(m.row[0]), everyElement<c>(m.row[1]), everyElement<c>(m.row[2])}};
    }
    template <int r> static Mat everyColumnOfTranspose(const JointMat* parent) {
        const float32x4_t row = vld1q_f32(parent->mat + r * 4);
        return {{everyElement<0>(row), everyElement<1>(row), everyElement<2>(row)}};
    }

    static Mat mul(const Mat& a, const Mat& b) {
        return {{Lanes::mul(a.row[0], b.row[0]), Lanes::mul(a.row[1], b.row[1]), Lanes::mul(a.row[2], b.row[2])}};
    }
    static Mat mulAdd(const Mat& a, const Mat& b, const Mat& c) {
        return {{Lanes::mulAdd(a.row[0], b.row[0], c.row[0]), Lanes::mulAdd(a.row[1], b.row[1], c.row[1]),
                 Lanes::mulAdd(a.row[2], b.row[2], c.row[2])}};
    }
    static Mat movedBy(const Mat& m, const Mat& by) {
        return {{movedBy(m.row[0], by.row[0]), movedBy(m.row[1], by.row[1]), movedBy(m.row[2], by.row[2])}};
    }

private:
    template <int e> static float32x4_t everyElement(float32x4_t row) { return vdupq_laneq_f32(row, e); }
    /// `rest`, but the last float is that of `row`.
    static float32x4_t translationOr(float32x4_t rest, float32x4_t row) { return vcopyq_laneq_f32(rest, 3, row, 3); }
    /// x + -0 is x, -0 as well.
    static float32x4_t movedBy(float32x4_t row, float32x4_t by) {
        return vaddq_f32(row, translationOr(vdupq_n_f32(-0.0f), by));
    }
};

struct MatBlockLanes {
    static constexpr int kMats = 1;
};

} // namespace
} // namespace poselane
