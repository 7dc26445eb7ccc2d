// SPDX-License-Identifier: MIT
//
// Vectors, quaternions and 3x3 matrices of poses in lanes.
#pragma once

#include "vectors.h"

namespace poselane {
namespace {

template <class L> using LaneVector = typename L::Floats[3];
/// x y z w
template <class L> using LaneQuat = typename L::Floats[4];
/// Row-major 3x3.
template <class L> using LaneRows = LaneVector<L>[3];

/// One element of a x b: `row` of a, the column of b; `offset` is added in the last column.
template <class L>
POSELANE_ALWAYS_INLINE typename L::Floats rowTimesColumn(const typename L::Floats (&row)[3], typename L::Floats b0,
                                                         typename L::Floats b1, typename L::Floats b2) {
    return L::add(L::add(L::mul(row[0], b0), L::mul(row[1], b1)), L::mul(row[2], b2));
}

template <class L> POSELANE_ALWAYS_INLINE typename L::Floats dot(const LaneVector<L>& a, const LaneVector<L>& b) {
    return rowTimesColumn<L>(a, b[0], b[1], b[2]);
}

template <class L>
POSELANE_ALWAYS_INLINE void cross(const LaneVector<L>& a, const LaneVector<L>& b, LaneVector<L>& out) {
    each<3>([&](auto i) POSELANE_INLINED {
        constexpr int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = L::sub(L::mul(a[j], b[k]), L::mul(a[k], b[j]));
    });
}

/// The quaternion product p q (Hamilton's, glTF's convention).
template <class L>
POSELANE_ALWAYS_INLINE void multiply(const typename L::Floats (&p)[4], const typename L::Floats (&q)[4],
                                     typename L::Floats (&result)[4]) {
    const auto product = [&](int i, int j) POSELANE_INLINED { return L::mul(p[i], q[j]); };
    result[0] = L::sub(L::add(L::add(product(3, 0), product(0, 3)), product(1, 2)), product(2, 1));
    result[1] = L::sub(L::add(L::add(product(3, 1), product(1, 3)), product(2, 0)), product(0, 2));
    result[2] = L::sub(L::add(L::add(product(3, 2), product(2, 3)), product(0, 1)), product(1, 0));
    result[3] = L::sub(L::sub(L::sub(product(3, 3), product(0, 0)), product(1, 1)), product(2, 2));
}

template <class L> POSELANE_ALWAYS_INLINE void loadQuat(const float* p, typename L::Floats (&q)[4]) {
    each<4>([&](auto i) POSELANE_INLINED { q[i] = L::load(p + i * kPoses); });
}

template <class L> POSELANE_ALWAYS_INLINE void storeQuat(float* p, const typename L::Floats (&q)[4]) {
    each<4>([&](auto i) POSELANE_INLINED { L::store(p + i * kPoses, q[i]); });
}

/// Within 0 ... 1.
template <class L> POSELANE_ALWAYS_INLINE typename L::Floats clampWeight(typename L::Floats weight) {
    return L::clampToOne(L::clampToZero(weight));
}

/// `width` numbers of some poses, 7 at most, in lanes.
template <class L>
POSELANE_INLINE_BUT_IN_WASM void loadNumbers(const float* list, int poses, int width, typename L::Floats* numbers) {
    float lanes[7][L::kWidth] = {};
    for (int lane = 0; lane < L::kWidth && lane < poses; lane++) {
        for (int i = 0; i < width; i++) {
            lanes[i][lane] = list[lane * width + i];
        }
    }
    for (int i = 0; i < width; i++) {
        numbers[i] = L::load(lanes[i]);
    }
}

template <class L, int width> struct LaneNumbers {
    typename L::Floats numbers[width];

    POSELANE_ALWAYS_INLINE LaneNumbers(const float* list, int poses) { loadNumbers<L>(list, poses, width, numbers); }
};

} // namespace
} // namespace poselane
