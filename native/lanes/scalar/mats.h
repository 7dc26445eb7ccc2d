// SPDX-License-Identifier: MIT
//
// The operations of the kernels on matrices that Lanes lacks, in plain C++. The other mats.h do the same for 4, 8 or 16
// joints at once, and for matrices in vector registers.
#pragma once

#include <string.h>

#include "../../core/always_inline.h"
#include "../../core/each.h"
#include "../../core/joint.h"
#include "joints.h"

namespace poselane {
namespace {

/// A block of kWidth joints, one Floats for each component of all of them.
struct JointLanes : Lanes {
    /// One condition for each joint of a block.
    using Mask = bool;

    /// a >= b; not where one is a NaN.
    static Mask isGreaterEqual(Floats a, Floats b) { return a >= b; }
    static Mask either(Mask a, Mask b) { return a || b; }
    static Mask both(Mask a, Mask b) { return a && b; }
    static Mask butNot(Mask a, Mask b) { return a && !b; }
    static Mask inverse(Mask a) { return !a; }
    static Floats flip(Floats a) { return -a; }
    static Floats flipWhere(Mask mask, Floats a) { return mask ? -a : a; }
    static void swapWhere(Mask mask, Floats& a, Floats& b) {
        const Floats first = a;
        a = mask ? b : a;
        b = mask ? first : b;
    }

    /// All joints of a block. AVX-512 also has the first of them, as its Part.
    struct Whole {};
    static constexpr bool kParts = false;

    /// x, y, z, w of the quaternions; x, y, z of the translations.
    static void loadJoints(Whole, const JointQuat* joints, Floats (&q)[4], Floats (&t)[3]) {
        q[0] = joints->q.x;
        q[1] = joints->q.y;
        q[2] = joints->q.z;
        q[3] = joints->q.w;
        t[0] = joints->t.x;
        t[1] = joints->t.y;
        t[2] = joints->t.z;
    }
    /// The fourth float of the translations becomes 0.
    static void storeJoints(Whole, JointQuat* joints, const Floats (&q)[4], const Floats (&t)[3]) {
        *joints = {{q[0], q[1], q[2], q[3]}, {t[0], t[1], t[2], 0.0f}};
    }
    /// Each float by itself: a copy in vectors would wait for floats that are stored, or loaded, by themselves.
    static void loadMats(Whole, const JointMat* mats, Floats (&m)[3][4]) {
        each<12>([&](auto i) POSELANE_INLINED { m[i.value / 4][i.value % 4] = mats->mat[i.value]; });
    }
    static void storeMats(Whole, JointMat* mats, const Floats (&m)[3][4]) {
        each<12>([&](auto i) POSELANE_INLINED { mats->mat[i.value] = m[i.value / 4][i.value % 4]; });
    }
};

/// One matrix, by rows.
struct MatLanes {
    /// Results of transformSkeleton that fit into registers, with what is being computed.
    static constexpr int kKept = 1;
    struct Mat {
        float row[3][4];
    };

    static Mat load(const JointMat* mat) {
        Mat m;
        memcpy(m.row, mat->mat, sizeof(m.row));
        return m;
    }
    static void store(JointMat* mat, const Mat& m) { memcpy(mat->mat, m.row, sizeof(m.row)); }
    /// Column-major 4x4.
    static void storeMat4(float* to, const Mat& m) {
        for (int col = 0; col < 4; col++) {
            const float column[4] = {m.row[0][col], m.row[1][col], m.row[2][col], col == 3 ? 1.0f : 0.0f};
            memcpy(to + col * 4, column, sizeof(column));
        }
    }

    /// Three times row `r`.
    template <int r> static Mat everyRow(const JointMat* mat) {
        return each([&](int, int col) { return mat->mat[r * 4 + col]; });
    }
    /// `mat`, from whose translation that of `by`, its parent, is taken off; the type is one that everyRow takes.
    static Mat movedBack(const JointMat* mat, const JointMat* by) {
        return each([&](int row, int col) {
            return col == 3 ? mat->mat[row * 4 + 3] - by->mat[row * 4 + 3] : mat->mat[row * 4 + col];
        });
    }
    template <int r> static Mat everyRow(const Mat& m) {
        return each([&](int, int col) { return m.row[r][col]; });
    }
    /// Column `c`, four times.
    template <int c> static Mat everyColumn(const Mat& m) {
        return each([&](int row, int) { return m.row[row][c]; });
    }
    /// Row `r` of a parent as a column, four times: everyColumn<r> of the transpose. (A parent is never the last of its
    /// list, so loads can exceed its 48 bytes.)
    template <int r> static Mat everyColumnOfTranspose(const JointMat* parent) {
        return each([&](int row, int) { return parent->mat[r * 4 + row]; });
    }

    static Mat mul(const Mat& a, const Mat& b) {
        return each([&](int row, int col) { return a.row[row][col] * b.row[row][col]; });
    }
    /// a * b + c, each operation rounded.
    static Mat mulAdd(const Mat& a, const Mat& b, const Mat& c) {
        return each([&](int row, int col) { return a.row[row][col] * b.row[row][col] + c.row[row][col]; });
    }
    /// `m`, to whose translation that of `by` is added.
    static Mat movedBy(const Mat& m, const Mat& by) {
        return each([&](int row, int col) { return col == 3 ? m.row[row][3] + by.row[row][3] : m.row[row][col]; });
    }

private:
    template <class Element> static POSELANE_ALWAYS_INLINE Mat each(Element element) {
        // Written out, so that the elements are in registers.
        return {{{element(0, 0), element(0, 1), element(0, 2), element(0, 3)},
                 {element(1, 0), element(1, 1), element(1, 2), element(1, 3)},
                 {element(2, 0), element(2, 1), element(2, 2), element(2, 3)}}};
    }
};

/// kMats neighboring matrices fill three registers completely, in the order of memory; Part<i> has the i-th of them,
/// and the functions of MatLanes that a product needs. One matrix at a time is as good here.
struct MatBlockLanes {
    static constexpr int kMats = 1;
};

} // namespace
} // namespace poselane
