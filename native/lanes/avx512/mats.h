// SPDX-License-Identifier: MIT
//
// Matrices with AVX-512: blocks of 16 joints, and one matrix in one register, whose last quarter is not used.
// See scalar/mats.h for what the functions do.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns about the undefined operands of its own intrinsics.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#include "../../core/always_inline.h"
#include "../../core/joint.h"
#include "joints.h"

namespace poselane {
namespace {

/// Quarters of `first` (0 ... 3) and `second` (4 ... 7).
template <int a, int b, int c, int d> __m512 quarters(__m512 first, __m512 second) {
    const __m512i pairs = _mm512_setr_epi64(2 * a, 2 * a + 1, 2 * b, 2 * b + 1, 2 * c, 2 * c + 1, 2 * d, 2 * d + 1);
    if constexpr (a < 4 && b < 4 && c >= 4 && d >= 4) {
        return _mm512_shuffle_f32x4(first, second, a | b << 2 | (c - 4) << 4 | (d - 4) << 6);
    } else if constexpr (a < 4 && b < 4 && c < 4 && d < 4) {
        return _mm512_shuffle_f32x4(first, first, a | b << 2 | c << 4 | d << 6);
    }
    return _mm512_castpd_ps(_mm512_permutex2var_pd(_mm512_castps_pd(first), pairs, _mm512_castps_pd(second)));
}

/// The quarters of a register hold joints 4j, 4j + 3, 4j + 2 and 4j + 1; transposed are four such registers, each
/// quarter for itself. In that order of joints a turn of whole quarters brings every row where it is in memory:
///     memory, 4 matrices   row 0                 row 1, turned by 1    row 2, turned by 2
///     a0 a1 a2 b0          a0 .. .. b0           .. a1 .. ..           .. .. a2 ..
///     b1 b2 c0 c1          .. .. c0 ..           b1 .. .. c1           .. b2 .. ..
///     c2 d0 d1 d2          .. d0 .. ..           .. .. d1 ..           c2 .. .. d2
struct JointLanes : Lanes {
    using Mask = __mmask16;

    static Mask isGreaterEqual(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
    static Mask either(Mask a, Mask b) { return _kor_mask16(a, b); }
    static Mask both(Mask a, Mask b) { return _kand_mask16(a, b); }
    static Mask butNot(Mask a, Mask b) { return _kandn_mask16(b, a); }
    static Mask inverse(Mask a) { return _knot_mask16(a); }
    static Floats flip(Floats a) { return _mm512_xor_ps(a, _mm512_set1_ps(-0.0f)); }
    static Floats flipWhere(Mask mask, Floats a) { return _mm512_mask_xor_ps(a, mask, a, _mm512_set1_ps(-0.0f)); }
    static void swapWhere(Mask mask, Floats& a, Floats& b) {
        const Floats first = a;
        a = _mm512_mask_mov_ps(a, mask, b);
        b = _mm512_mask_mov_ps(b, mask, first);
    }

    /// All joints of a block: register i of a list.
    struct Whole {
        template <class Joint> Floats load(const Joint* joints, int i) const {
            return Lanes::load(reinterpret_cast<const float*>(joints) + i * 16);
        }
        template <class Joint> void store(Joint* joints, int i, Floats x) const {
            Lanes::store(reinterpret_cast<float*>(joints) + i * 16, x);
        }
    };
    /// The first joints of a block; nothing is read or written beyond them.
    struct Part {
        int numJoints;

        template <class Joint> Floats load(const Joint* joints, int i) const {
            return _mm512_maskz_loadu_ps(mask<Joint>(i), reinterpret_cast<const float*>(joints) + i * 16);
        }
        template <class Joint> void store(Joint* joints, int i, Floats x) const {
            _mm512_mask_storeu_ps(reinterpret_cast<float*>(joints) + i * 16, mask<Joint>(i), x);
        }

    private:
        template <class Joint> __mmask16 mask(int i) const {
            const int floats = numJoints * static_cast<int>(sizeof(Joint) / sizeof(float)) - i * 16;
            return static_cast<__mmask16>((1u << (floats < 0 ? 0 : floats > 16 ? 16 : floats)) - 1);
        }
    };
    static constexpr bool kParts = true;

    template <class Block>
    static POSELANE_ALWAYS_INLINE void loadJoints(Block block, const JointQuat* joints, Floats (&q)[4],
                                                  Floats (&t)[3]) {
        Floats w;
        loadFour<0>(block, joints, q[0], t[0]);
        loadFour<1>(block, joints, q[1], t[1]);
        loadFour<2>(block, joints, q[2], t[2]);
        loadFour<3>(block, joints, q[3], w);
        transpose(q[0], q[1], q[2], q[3]);
        transpose(t[0], t[1], t[2], w);
    }
    template <class Block>
    static POSELANE_ALWAYS_INLINE void storeJoints(Block block, JointQuat* joints, const Floats (&q)[4],
                                                   const Floats (&t)[3]) {
        Floats x = q[0], y = q[1], z = q[2], w = q[3];
        Floats tx = t[0], ty = t[1], tz = t[2], tw = _mm512_setzero_ps();
        transpose(x, y, z, w);
        transpose(tx, ty, tz, tw);
        storeFour<0>(block, joints, x, tx);
        storeFour<1>(block, joints, y, ty);
        storeFour<2>(block, joints, z, tz);
        storeFour<3>(block, joints, w, tw);
    }
    template <class Block>
    static POSELANE_ALWAYS_INLINE void loadMats(Block block, const JointMat* mats, Floats (&m)[3][4]) {
        loadFour<0>(block, mats, m[0][0], m[1][0], m[2][0]);
        loadFour<1>(block, mats, m[0][1], m[1][1], m[2][1]);
        loadFour<2>(block, mats, m[0][2], m[1][2], m[2][2]);
        loadFour<3>(block, mats, m[0][3], m[1][3], m[2][3]);
        transpose(m[0][0], m[0][1], m[0][2], m[0][3]);
        transpose(m[1][0], m[1][1], m[1][2], m[1][3]);
        transpose(m[2][0], m[2][1], m[2][2], m[2][3]);
    }
    template <class Block>
    static POSELANE_ALWAYS_INLINE void storeMats(Block block, JointMat* mats, const Floats (&m)[3][4]) {
        Floats a0 = m[0][0], b0 = m[0][1], c0 = m[0][2], d0 = m[0][3];
        Floats a1 = m[1][0], b1 = m[1][1], c1 = m[1][2], d1 = m[1][3];
        Floats a2 = m[2][0], b2 = m[2][1], c2 = m[2][2], d2 = m[2][3];
        transpose(a0, b0, c0, d0);
        transpose(a1, b1, c1, d1);
        transpose(a2, b2, c2, d2);
        storeFour<0>(block, mats, a0, a1, a2);
        storeFour<1>(block, mats, b0, b1, b2);
        storeFour<2>(block, mats, c0, c1, c2);
        storeFour<3>(block, mats, d0, d1, d2);
    }

private:
    /// The j-th four joints.
    template <int j, class Block> static void loadFour(Block block, const JointQuat* joints, Floats& q, Floats& t) {
        const Floats first = block.load(joints, 2 * j), second = block.load(joints, 2 * j + 1);
        q = quarters<0, 6, 4, 2>(first, second);
        t = quarters<1, 7, 5, 3>(first, second);
    }
    template <int j, class Block> static void storeFour(Block block, JointQuat* joints, Floats q, Floats t) {
        block.store(joints, 2 * j, quarters<0, 4, 3, 7>(q, t));
        block.store(joints, 2 * j + 1, quarters<2, 6, 1, 5>(q, t));
    }
    template <int j, class Block>
    static void loadFour(Block block, const JointMat* mats, Floats& row0, Floats& row1, Floats& row2) {
        const Floats first = block.load(mats, 3 * j);
        const Floats second = block.load(mats, 3 * j + 1);
        const Floats third = block.load(mats, 3 * j + 2);
        row0 = outerAndInner(first, third, second);
        row1 = turned<3>(outerAndInner(second, first, third));
        row2 = turned<2>(outerAndInner(third, second, first));
    }
    template <int j, class Block>
    static void storeFour(Block block, JointMat* mats, Floats row0, Floats row1, Floats row2) {
        const Floats turned1 = turned<1>(row1), turned2 = turned<2>(row2);
        block.store(mats, 3 * j, outerAndInner(row0, turned1, turned2));
        block.store(mats, 3 * j + 1, outerAndInner(turned1, turned2, row0));
        block.store(mats, 3 * j + 2, outerAndInner(turned2, row0, turned1));
    }
    /// Quarters 0 and 3 of `outer`, 1 of `inner1`, 2 of `inner2`.
    static Floats outerAndInner(Floats outer, Floats inner1, Floats inner2) {
        return _mm512_mask_mov_ps(_mm512_mask_mov_ps(outer, 0x00F0, inner1), 0x0F00, inner2);
    }
    /// Quarter i becomes quarter (i + by) % 4.
    template <int by> static Floats turned(Floats a) {
        constexpr int quarter0 = (4 - by) & 3;
        return _mm512_shuffle_f32x4(
            a, a, quarter0 | ((quarter0 + 1) & 3) << 2 | ((quarter0 + 2) & 3) << 4 | ((quarter0 + 3) & 3) << 6);
    }
    static POSELANE_ALWAYS_INLINE void transpose(Floats& a, Floats& b, Floats& c, Floats& d) {
        const Floats even0 = _mm512_unpacklo_ps(a, c);
        const Floats even1 = _mm512_unpackhi_ps(a, c);
        const Floats odd0 = _mm512_unpacklo_ps(b, d);
        const Floats odd1 = _mm512_unpackhi_ps(b, d);
        a = _mm512_unpacklo_ps(even0, odd0);
        b = _mm512_unpackhi_ps(even0, odd0);
        c = _mm512_unpacklo_ps(even1, odd1);
        d = _mm512_unpackhi_ps(even1, odd1);
    }
};

struct MatLanes {
    static constexpr int kKept = 2;
    using Mat = __m512;

    // One register in memory would be 64 bytes: 48 are stored in two parts, and loaded as they were stored, so that a
    // matrix that was stored just now is forwarded to its load.
    static Mat load(const JointMat* mat) {
        const __m512 row01 = _mm512_castps256_ps512(_mm256_loadu_ps(mat->mat));
        return _mm512_insertf32x4(row01, _mm_loadu_ps(mat->mat + 8), 2);
    }
    static void store(JointMat* mat, Mat m) {
        _mm256_storeu_ps(mat->mat, _mm512_castps512_ps256(m));
        _mm_storeu_ps(mat->mat + 8, _mm512_extractf32x4_ps(m, 2));
    }
    static void storeMat4(float* to, Mat m) {
        const __m512i elements = _mm512_setr_epi32(0, 4, 8, 0, 1, 5, 9, 0, 2, 6, 10, 0, 3, 7, 11, 0);
        const __m512 last = _mm512_maskz_mov_ps(0x8000, _mm512_set1_ps(1.0f));
        Lanes::store(to, _mm512_mask_permutexvar_ps(last, 0x7777, elements, m));
    }

    template <int r> static Mat everyRow(const JointMat* mat) {
        return _mm512_broadcast_f32x4(_mm_loadu_ps(mat->mat + r * 4));
    }
    static Mat movedBack(const JointMat* mat, const JointMat* by) {
        const Mat m = load(mat);
        return _mm512_mask_sub_ps(m, kTranslations, m, loadParent(by));
    }
    template <int r> static Mat everyRow(Mat m) { return quarters<r, r, r, r>(m, m); }
    template <int c> static Mat everyColumn(Mat m) { return _mm512_permute_ps(m, c * 0x55); }
    template <int r> static Mat everyColumnOfTranspose(const JointMat* parent) {
        constexpr int x = r * 4, y = x + 1, z = y + 1, w = z + 1;
        const __m512i elements = _mm512_setr_epi32(x, x, x, x, y, y, y, y, z, z, z, z, w, w, w, w);
        return _mm512_permutexvar_ps(elements, loadParent(parent));
    }

    static Mat mul(Mat a, Mat b) { return Lanes::mul(a, b); }
    static Mat mulAdd(Mat a, Mat b, Mat c) { return Lanes::mulAdd(a, b, c); }
    static Mat movedBy(Mat m, Mat by) { return _mm512_mask_add_ps(m, kTranslations, m, by); }

private:
    /// Loads 64 bytes: the parent and one row of the next matrix. There must be a next matrix, and neither may have
    /// just been stored.
    static Mat loadParent(const JointMat* parent) { return _mm512_loadu_ps(parent->mat); }

    static constexpr __mmask16 kTranslations = 0x8888;
};

/// Four neighboring matrices: rows 0 1 2 0, 1 2 0 1, 2 0 1 2.
struct MatBlockLanes {
    static constexpr int kMats = 4;

    template <int part> struct Part {
        using Mat = Lanes::Floats;

        static Mat load(const JointMat* mats) {
            return Lanes::load(reinterpret_cast<const float*>(mats) + part * Lanes::kWidth);
        }
        static void store(JointMat* mats, Mat m) {
            Lanes::store(reinterpret_cast<float*>(mats) + part * Lanes::kWidth, m);
        }

        template <int r> static Mat everyRow(const JointMat* mats) {
            // Quarters 3 * matrix + r of the four matrices; they are in one register, or in two neighbors.
            constexpr int a = 3 * part + r, d = 3 * part + 3 + r;
            constexpr int b = part == 2 ? d : a, c = part == 0 ? a : d;
            constexpr int first = a / 4, second = d / 4;
            constexpr int from = first * 4;
            return quarters<a - from, b - from, c - from, d - from>(Part<first>::load(mats), Part<second>::load(mats));
        }
        template <int c> static Mat everyColumn(Mat m) { return MatLanes::everyColumn<c>(m); }
        static Mat mul(Mat a, Mat b) { return Lanes::mul(a, b); }
        static Mat mulAdd(Mat a, Mat b, Mat c) { return Lanes::mulAdd(a, b, c); }
        static Mat movedBy(Mat m, Mat by) { return MatLanes::movedBy(m, by); }
    };
};

} // namespace
} // namespace poselane
