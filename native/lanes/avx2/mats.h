// SPDX-License-Identifier: MIT
//
// Matrices with AVX2: blocks of 8 joints, and one matrix as rows 0 and 1 in one register, row 2 in half a register.
// See scalar/mats.h for what the functions do.
#pragma once

#include "../../core/always_inline.h"
#include "../../core/joint.h"
#include "joints.h"

namespace poselane {
namespace {

/// The halves of a register hold joints 2j and 2j + 1; transposed are four such registers, each half for itself.
struct JointLanes : Lanes {
    using Mask = __m256;

    static Mask isGreaterEqual(Floats a, Floats b) { return _mm256_cmp_ps(a, b, _CMP_GE_OQ); }
    static Mask either(Mask a, Mask b) { return _mm256_or_ps(a, b); }
    static Mask both(Mask a, Mask b) { return _mm256_and_ps(a, b); }
    static Mask butNot(Mask a, Mask b) { return _mm256_andnot_ps(b, a); }
    static Mask inverse(Mask a) { return _mm256_xor_ps(a, _mm256_castsi256_ps(_mm256_set1_epi32(-1))); }
    static Floats flip(Floats a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
    static Floats flipWhere(Mask mask, Floats a) {
        return _mm256_xor_ps(a, _mm256_and_ps(mask, _mm256_set1_ps(-0.0f)));
    }
    static void swapWhere(Mask mask, Floats& a, Floats& b) {
        const __m256 first = a;
        a = _mm256_blendv_ps(a, b, mask);
        b = _mm256_blendv_ps(b, first, mask);
    }

    struct Whole {};
    static constexpr bool kParts = false;

    static POSELANE_ALWAYS_INLINE void loadJoints(Whole, const JointQuat* joints, Floats (&q)[4], Floats (&t)[3]) {
        Floats w;
        loadTwo(joints, q[0], t[0]);
        loadTwo(joints + 2, q[1], t[1]);
        loadTwo(joints + 4, q[2], t[2]);
        loadTwo(joints + 6, q[3], w);
        transpose(q[0], q[1], q[2], q[3]);
        transpose(t[0], t[1], t[2], w);
    }
    static POSELANE_ALWAYS_INLINE void storeJoints(Whole, JointQuat* joints, const Floats (&q)[4],
                                                   const Floats (&t)[3]) {
        Floats x = q[0], y = q[1], z = q[2], w = q[3];
        Floats tx = t[0], ty = t[1], tz = t[2], tw = _mm256_setzero_ps();
        transpose(x, y, z, w);
        transpose(tx, ty, tz, tw);
        storeTwo(joints, x, tx);
        storeTwo(joints + 2, y, ty);
        storeTwo(joints + 4, z, tz);
        storeTwo(joints + 6, w, tw);
    }
    static POSELANE_ALWAYS_INLINE void loadMats(Whole, const JointMat* mats, Floats (&m)[3][4]) {
        loadTwo(mats, m[0][0], m[1][0], m[2][0]);
        loadTwo(mats + 2, m[0][1], m[1][1], m[2][1]);
        loadTwo(mats + 4, m[0][2], m[1][2], m[2][2]);
        loadTwo(mats + 6, m[0][3], m[1][3], m[2][3]);
        transpose(m[0][0], m[0][1], m[0][2], m[0][3]);
        transpose(m[1][0], m[1][1], m[1][2], m[1][3]);
        transpose(m[2][0], m[2][1], m[2][2], m[2][3]);
    }
    static POSELANE_ALWAYS_INLINE void storeMats(Whole, JointMat* mats, const Floats (&m)[3][4]) {
        Floats a0 = m[0][0], b0 = m[0][1], c0 = m[0][2], d0 = m[0][3];
        Floats a1 = m[1][0], b1 = m[1][1], c1 = m[1][2], d1 = m[1][3];
        Floats a2 = m[2][0], b2 = m[2][1], c2 = m[2][2], d2 = m[2][3];
        transpose(a0, b0, c0, d0);
        transpose(a1, b1, c1, d1);
        transpose(a2, b2, c2, d2);
        storeTwo(mats, a0, a1, a2);
        storeTwo(mats + 2, b0, b1, b2);
        storeTwo(mats + 4, c0, c1, c2);
        storeTwo(mats + 6, d0, d1, d2);
    }

private:
    static void loadTwo(const JointQuat* joints, Floats& q, Floats& t) {
        const Floats first = load(&joints[0].q.x), second = load(&joints[1].q.x);
        q = _mm256_permute2f128_ps(first, second, 0x20);
        t = _mm256_permute2f128_ps(first, second, 0x31);
    }
    static void storeTwo(JointQuat* joints, Floats q, Floats t) {
        store(&joints[0].q.x, _mm256_permute2f128_ps(q, t, 0x20));
        store(&joints[1].q.x, _mm256_permute2f128_ps(q, t, 0x31));
    }
    static void loadTwo(const JointMat* mats, Floats& row0, Floats& row1, Floats& row2) {
        const float* const floats = reinterpret_cast<const float*>(mats);
        const Floats row0row1 = load(floats);      // of the first
        const Floats row2row0 = load(floats + 8);  // of both
        const Floats row1row2 = load(floats + 16); // of the second
        row0 = firstHalfAndSecond(row0row1, row2row0);
        row1 = halvesSwapped(firstHalfAndSecond(row1row2, row0row1));
        row2 = firstHalfAndSecond(row2row0, row1row2);
    }
    static void storeTwo(JointMat* mats, Floats row0, Floats row1, Floats row2) {
        const Floats row1Swapped = halvesSwapped(row1);
        float* const floats = reinterpret_cast<float*>(mats);
        store(floats, firstHalfAndSecond(row0, row1Swapped));
        store(floats + 8, firstHalfAndSecond(row2, row0));
        store(floats + 16, firstHalfAndSecond(row1Swapped, row2));
    }
    static Floats firstHalfAndSecond(Floats a, Floats b) { return _mm256_blend_ps(a, b, 0xF0); }
    static Floats halvesSwapped(Floats a) { return _mm256_permute2f128_ps(a, a, 0x01); }
    static POSELANE_ALWAYS_INLINE void transpose(Floats& a, Floats& b, Floats& c, Floats& d) {
        const Floats even0 = _mm256_unpacklo_ps(a, c);
        const Floats even1 = _mm256_unpackhi_ps(a, c);
        const Floats odd0 = _mm256_unpacklo_ps(b, d);
        const Floats odd1 = _mm256_unpackhi_ps(b, d);
        a = _mm256_unpacklo_ps(even0, odd0);
        b = _mm256_unpackhi_ps(even0, odd0);
        c = _mm256_unpacklo_ps(even1, odd1);
        d = _mm256_unpackhi_ps(even1, odd1);
    }
};

struct MatLanes {
    static constexpr int kKept = 2;
    struct Mat {
        __m256 row01;
        __m128 row2;
    };

    static Mat load(const JointMat* mat) { return {_mm256_loadu_ps(mat->mat), _mm_loadu_ps(mat->mat + 8)}; }
    static void store(JointMat* mat, const Mat& m) {
        _mm256_storeu_ps(mat->mat, m.row01);
        _mm_storeu_ps(mat->mat + 8, m.row2);
    }
    static void storeMat4(float* to, const Mat& m) {
        // Rows 0 1 and 2 3.
        const __m256 row23 = _mm256_setr_m128(m.row2, _mm_setr_ps(0.0f, 0.0f, 0.0f, 1.0f));
        const __m256 low = _mm256_unpacklo_ps(m.row01, row23), high = _mm256_unpackhi_ps(m.row01, row23);
        const __m256 rows02 = _mm256_permute2f128_ps(low, high, 0x20), rows13 = _mm256_permute2f128_ps(low, high, 0x31);
        const __m256 columns02 = _mm256_unpacklo_ps(rows02, rows13), columns13 = _mm256_unpackhi_ps(rows02, rows13);
        _mm256_storeu_ps(to, _mm256_permute2f128_ps(columns02, columns13, 0x20));
        _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(columns02, columns13, 0x31));
    }

    template <int r> static Mat everyRow(const JointMat* mat) { return twice(row(mat, r)); }
    struct MovedBack {
        const JointMat *mat, *by;
    };
    static MovedBack movedBack(const JointMat* mat, const JointMat* by) { return {mat, by}; }
    template <int r> static Mat everyRow(const MovedBack& m) {
        const __m256 still = row(m.mat, r);
        return twice(_mm256_blend_ps(still, _mm256_sub_ps(still, row(m.by, r)), 0x88));
    }
    template <int c> static Mat everyColumn(const Mat& m) {
        return {_mm256_permute_ps(m.row01, c * 0x55), _mm_permute_ps(m.row2, c * 0x55)};
    }
    template <int r> static Mat everyColumnOfTranspose(const JointMat* parent) {
        return {_mm256_permutevar_ps(row(parent, r), _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)),
                _mm_broadcast_ss(parent->mat + r * 4 + 2)};
    }

    static Mat mul(const Mat& a, const Mat& b) { return {_mm256_mul_ps(a.row01, b.row01), _mm_mul_ps(a.row2, b.row2)}; }
#ifdef POSELANE_FAST
    static Mat mulAdd(const Mat& a, const Mat& b, const Mat& c) {
        return {_mm256_fmadd_ps(a.row01, b.row01, c.row01), _mm_fmadd_ps(a.row2, b.row2, c.row2)};
    }
#else
    static Mat mulAdd(const Mat& a, const Mat& b, const Mat& c) {
        return {_mm256_add_ps(_mm256_mul_ps(a.row01, b.row01), c.row01),
                _mm_add_ps(_mm_mul_ps(a.row2, b.row2), c.row2)};
    }
#endif
    static Mat movedBy(const Mat& m, const Mat& by) {
        // x + -0 is x, -0 as well.
        const __m256 nothing = _mm256_set1_ps(-0.0f);
        return {_mm256_add_ps(m.row01, _mm256_blend_ps(nothing, by.row01, 0x88)),
                _mm_add_ps(m.row2, _mm_blend_ps(_mm256_castps256_ps128(nothing), by.row2, 0x8))};
    }

private:
    static __m256 row(const JointMat* mat, int r) {
        return _mm256_broadcast_ps(reinterpret_cast<const __m128*>(mat->mat + r * 4));
    }
    static Mat twice(__m256 row) { return {row, _mm256_castps256_ps128(row)}; }
};

/// Two neighboring matrices: rows 0 1, 2 0, 1 2.
struct MatBlockLanes {
    static constexpr int kMats = 2;

    template <int part> struct Part {
        using Mat = Lanes::Floats;

        static Mat load(const JointMat* mats) {
            return Lanes::load(reinterpret_cast<const float*>(mats) + part * Lanes::kWidth);
        }
        static void store(JointMat* mats, Mat m) {
            Lanes::store(reinterpret_cast<float*>(mats) + part * Lanes::kWidth, m);
        }

        template <int r> static Mat everyRow(const JointMat* mats) {
            if constexpr (part == 1) {
                return _mm256_blend_ps(row(mats, r), row(mats + 1, r), 0xF0);
            } else {
                return row(mats + part / 2, r);
            }
        }
        template <int c> static Mat everyColumn(Mat m) { return _mm256_permute_ps(m, c * 0x55); }
        static Mat mul(Mat a, Mat b) { return Lanes::mul(a, b); }
        static Mat mulAdd(Mat a, Mat b, Mat c) { return Lanes::mulAdd(a, b, c); }
        static Mat movedBy(Mat m, Mat by) { return _mm256_add_ps(m, _mm256_blend_ps(_mm256_set1_ps(-0.0f), by, 0x88)); }

    private:
        static __m256 row(const JointMat* mat, int r) {
            return _mm256_broadcast_ps(reinterpret_cast<const __m128*>(mat->mat + r * 4));
        }
    };
};

} // namespace
} // namespace poselane
