// SPDX-License-Identifier: MIT
//
// Matrices with SSE2: blocks of 4 joints, and one matrix as three registers. See scalar_mats.h for what the functions
// do.
#pragma once

#include "../../core/always_inline.h"
#include "../../core/joint.h"
#include "joints.h"

namespace poselane {
namespace {

struct JointLanes : Lanes {
    using Mask = __m128;

    static Mask isGreaterEqual(Floats a, Floats b) { return _mm_cmpge_ps(a, b); }
    static Mask either(Mask a, Mask b) { return _mm_or_ps(a, b); }
    static Mask both(Mask a, Mask b) { return _mm_and_ps(a, b); }
    static Mask butNot(Mask a, Mask b) { return _mm_andnot_ps(b, a); }
    static Mask inverse(Mask a) { return _mm_xor_ps(a, _mm_castsi128_ps(_mm_set1_epi32(-1))); }
    static Floats flip(Floats a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
    static Floats flipWhere(Mask mask, Floats a) { return _mm_xor_ps(a, _mm_and_ps(mask, _mm_set1_ps(-0.0f))); }
    static void swapWhere(Mask mask, Floats& a, Floats& b) {
        const __m128 difference = _mm_and_ps(_mm_xor_ps(a, b), mask);
        a = _mm_xor_ps(a, difference);
        b = _mm_xor_ps(b, difference);
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
        storeTransposed(&joints->t.x, 8, t[0], t[1], t[2], _mm_setzero_ps());
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
    static POSELANE_ALWAYS_INLINE void transpose(Floats& a, Floats& b, Floats& c, Floats& d) {
        const Floats even0 = _mm_unpacklo_ps(a, c);
        const Floats even1 = _mm_unpackhi_ps(a, c);
        const Floats odd0 = _mm_unpacklo_ps(b, d);
        const Floats odd1 = _mm_unpackhi_ps(b, d);
        a = _mm_unpacklo_ps(even0, odd0);
        b = _mm_unpackhi_ps(even0, odd0);
        c = _mm_unpacklo_ps(even1, odd1);
        d = _mm_unpackhi_ps(even1, odd1);
    }
};

struct MatLanes {
    static constexpr int kKept = 1;
    struct Mat {
        __m128 row[3];
    };

    static Mat load(const JointMat* mat) {
        return {{_mm_loadu_ps(mat->mat), _mm_loadu_ps(mat->mat + 4), _mm_loadu_ps(mat->mat + 8)}};
    }
    static void store(JointMat* mat, const Mat& m) {
        _mm_storeu_ps(mat->mat, m.row[0]);
        _mm_storeu_ps(mat->mat + 4, m.row[1]);
        _mm_storeu_ps(mat->mat + 8, m.row[2]);
    }

    template <int r> static Mat everyRow(const JointMat* mat) {
        const __m128 row = _mm_loadu_ps(mat->mat + r * 4);
        return {{row, row, row}};
    }
    struct MovedBack {
        const JointMat *mat, *by;
    };
    static MovedBack movedBack(const JointMat* mat, const JointMat* by) { return {mat, by}; }
    template <int r> static Mat everyRow(const MovedBack& m) {
        // x - 0 is x, -0 as well.
        const __m128 back = _mm_and_ps(_mm_loadu_ps(m.by->mat + r * 4), translationBits());
        const __m128 row = _mm_sub_ps(_mm_loadu_ps(m.mat->mat + r * 4), back);
        return {{row, row, row}};
    }
    template <int c> static Mat everyColumn(const Mat& m) {
        return {{everyElement<c>(m.row[0]), everyElement<c>(m.row[1]), everyElement<c>(m.row[2])}};
    }
    template <int r> static Mat everyColumnOfTranspose(const JointMat* parent) {
        const __m128 row = _mm_loadu_ps(parent->mat + r * 4);
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
    /// Element `e`, four times. The integer shuffle needs no copy of its operand.
    template <int e> static __m128 everyElement(__m128 row) {
        return _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(row), e * 0x55));
    }
    static __m128 translationBits() { return _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1)); }
    /// x + -0 is x, -0 as well.
    static __m128 movedBy(__m128 row, __m128 by) {
        const __m128 translation = _mm_and_ps(by, translationBits());
        return _mm_add_ps(row, _mm_or_ps(translation, _mm_setr_ps(-0.0f, -0.0f, -0.0f, 0.0f)));
    }
};

struct MatBlockLanes {
    static constexpr int kMats = 1;
};

} // namespace
} // namespace poselane
