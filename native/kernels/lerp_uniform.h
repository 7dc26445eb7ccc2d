// SPDX-License-Identifier: MIT
// Twin: lib/strict/lerpUniform.ts
//
// Lerp of kWidth pairs with one t, renormalized.
#pragma once

#include "blend_pairs.h"

namespace poselane {
namespace {

/// Rotations of length 1; those of length 0 stay as they are.
template <class Rows> POSELANE_ALWAYS_INLINE void normalizeBlock(typename Rows::Row (&rows)[Rows::kRows]) {
    using L = Lanes;
    using Quats = L::Quats;
    Quats::Row q[Quats::kRows];
    Rows::rotations(rows, q);
    const auto row = [&](int i) POSELANE_INLINED { return q[i]; };
    const L::Floats square = L::oneForZero(dots<Quats>(row, row));
#ifdef POSELANE_FAST
    const Quats::Spread scales(L::div(L::set1(1.0f), L::sqrt(square)));
#else
    const Quats::Spread lengths(L::sqrt(square));
#endif
    each<Quats::kRows>([&](auto i) POSELANE_INLINED {
#ifdef POSELANE_FAST
        q[i] = Quats::map([](auto x, auto scale) POSELANE_INLINED { return L::mul(x, scale); }, q[i],
                          scales.template get<i>());
#else
        q[i] = Quats::map([](auto x, auto length) POSELANE_INLINED { return L::div(x, length); }, q[i],
                          lengths.template get<i>());
#endif
    });
    Rows::setRotations(rows, q);
}

/// See slerpUniform.
template <class Rows, class Swapped, class Base, class Other, class Store>
POSELANE_ALWAYS_INLINE void lerpUniform(Swapped swapped, float preparedT, int blocks, Base base, Other other,
                                        Store store) {
    using L = Lanes;
    const L::Floats t = L::set1(preparedT);
    L::Floats u[kMaxBlocks];
    for (int block = 0; block < blocks; block++) {
        const L::Floats c = dots<Rows>([&](int row) POSELANE_INLINED { return base(block, row); },
                                       [&](int row) POSELANE_INLINED { return other(block, row); });
        u[block] = L::flipWhereNegative(t, c);
    }
    for (int block = 0; block < blocks; block++) {
        const typename Rows::Spread us(u[block], t);
        typename Rows::Row result[Rows::kRows];
        each<Rows::kRows>([&](auto row) POSELANE_INLINED {
            constexpr int i = row;
            result[i] = Rows::map([](auto... x) POSELANE_INLINED { return mix(x...); }, base(block, i), other(block, i),
                                  us.template get<i>(), Rows::all(t));
            if (swapped) {
                result[i] = Rows::map([](auto x, auto by) POSELANE_INLINED { return L::flipWhereSigned(x, by); },
                                      result[i], us.template get<i>());
            }
        });
        normalizeBlock<Rows>(result);
        store(block, result);
    }
}

} // namespace
} // namespace poselane
