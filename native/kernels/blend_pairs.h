// SPDX-License-Identifier: MIT
// Twin: lib/strict/blendPairs.ts
//
// Code that slerp and lerp share: the nearer quaternion is `base`, and `other` is mixed in.
#pragma once

#include "blocks.h"

namespace poselane {
namespace {

/// The cosines of kWidth pairs, in the order of `sums`.
template <class Rows, class First, class Second> POSELANE_ALWAYS_INLINE Lanes::Floats dots(First first, Second second) {
    typename Rows::Row products[Rows::kRows];
    each<Rows::kRows>([&](auto row) POSELANE_INLINED {
        products[row] =
            Rows::map([](auto a, auto b) POSELANE_INLINED { return Lanes::mul(a, b); }, first(row), second(row));
    });
    Lanes::Quats::Row rotations[Lanes::Quats::kRows];
    Rows::rotations(products, rotations);
    return Lanes::Quats::sums(rotations);
}

/// 1 - |c|, and 0 for quaternions whose lengths make it negative.
POSELANE_ALWAYS_INLINE Lanes::Floats oneMinusAbs(Lanes::Floats c) {
    return Lanes::clampToZero(Lanes::sub(Lanes::set1(1.0f), Lanes::abs(c)));
}

/// A polynomial is evaluated for this many blocks side by side, because each step waits for the one before it.
constexpr int kSideBySide = kSmallCode ? 4 : 8;

template <int terms, int sideBySide>
POSELANE_ALWAYS_INLINE void polynomialsTogether(const float* coefficients, const Lanes::Floats* y,
                                                Lanes::Floats* result) {
    using L = Lanes;
    L::Floats p[sideBySide];
    each<sideBySide>([&](auto i) POSELANE_INLINED { p[i] = L::set1(coefficients[terms - 1]); });
    each<terms - 1>([&](auto step) POSELANE_INLINED {
        each<sideBySide>([&](auto i) POSELANE_INLINED {
            p[i] = L::mulAdd(p[i], y[i], L::set1(coefficients[terms - 2 - step]));
            L::keepPlace(p[i]);
        });
    });
    each<sideBySide>([&](auto i) POSELANE_INLINED { result[i] = p[i]; });
}

/// result[block] = coefficients[0] + coefficients[1] y[block] + ...; up to the next multiple of kSideBySide, `y` must
/// be set and `result` is.
template <int terms>
POSELANE_CALLED_IN_WASM inline void polynomials(const float* coefficients, int blocks, const Lanes::Floats* y,
                                                Lanes::Floats* result) {
    int block = 0;
    for (; blocks - block > kSideBySide / 2; block += kSideBySide) {
        polynomialsTogether<terms, kSideBySide>(coefficients, y + block, result + block);
    }
    if (block < blocks) {
        polynomialsTogether<terms, kSideBySide / 2>(coefficients, y + block, result + block);
    }
}

/// The cosines of all blocks of a batch, and 1 - |cosine|, filled up with zeros for `polynomials`.
/// first(block, row) and second(block, row) load.
template <class Rows, class First, class Second>
POSELANE_ALWAYS_INLINE void cosines(int blocks, First first, Second second, Lanes::Floats* c, Lanes::Floats* y) {
    for (int block = 0; block < blocks; block++) {
        c[block] = dots<Rows>([&](int row) POSELANE_INLINED { return first(block, row); },
                              [&](int row) POSELANE_INLINED { return second(block, row); });
        y[block] = oneMinusAbs(c[block]);
    }
    for (int block = blocks; block % kSideBySide != 0; block++) {
        y[block] = Lanes::set1(0.0f);
    }
}

/// base (1 - m) + other u. Near m = 0 this changes nothing but the last bits of base.
POSELANE_ALWAYS_INLINE Lanes::Floats mix(Lanes::Floats base, Lanes::Floats other, Lanes::Floats u, Lanes::Floats m) {
#ifdef POSELANE_FAST
    return Lanes::mulAdd(u, other, Lanes::negMulAdd(m, base, base));
#else
    return Lanes::add(base, Lanes::sub(Lanes::mul(u, other), Lanes::mul(m, base)));
#endif
}

} // namespace
} // namespace poselane
