// SPDX-License-Identifier: MIT
// Twin: lib/strict/slerpUniform.ts
//
// Slerp of kWidth pairs with one t.
#pragma once

#include "blend_pairs.h"
#include "prepare_slerp.h"

namespace poselane {
namespace {

/// `swapped`: t was above 0.5, so that `base` is what is blended to, and the sign goes to the result.
/// base(block, row) and other(block, row) load, store(block, rows) stores.
template <class Rows, class Swapped, class Base, class Other, class Store>
POSELANE_ALWAYS_INLINE void slerpUniform(Swapped swapped, const PreparedSlerp& prepared, int blocks, Base base,
                                         Other other, Store store) {
    using L = Lanes;
    const L::Floats t = L::set1(prepared.t);
    L::Floats c[kMaxBlocks], y[kMaxBlocks], u[kMaxBlocks], m[kMaxBlocks];
    cosines<Rows>(blocks, base, other, c, y);
    polynomials<kSlerpTerms>(prepared.U, blocks, y, u);
    polynomials<kSlerpTerms>(prepared.V, blocks, y, m);
    for (int block = 0; block < blocks; block++) {
        u[block] = L::flipWhereNegative(L::mulAdd(u[block], y[block], t), c[block]);
        m[block] = L::negMulAdd(m[block], y[block], t);
    }
    for (int block = 0; block < blocks; block++) {
        const typename Rows::Spread us(u[block], t);
        // t has no sign. A branch in this loop would make it slower in WebAssembly.
        const typename Rows::Spread signs(swapped ? u[block] : t, t);
        const typename Rows::Spread ms(m[block], t);
        typename Rows::Row result[Rows::kRows];
        each<Rows::kRows>([&](auto row) POSELANE_INLINED {
            constexpr int i = row;
            result[i] = Rows::map([](auto... x) POSELANE_INLINED { return mix(x...); }, base(block, i), other(block, i),
                                  us.template get<i>(), ms.template get<i>());
            if constexpr (!std::is_same_v<Swapped, std::false_type>) {
                // u is negative where c is.
                result[i] = Rows::map([](auto x, auto by) POSELANE_INLINED { return L::flipWhereSigned(x, by); },
                                      result[i], signs.template get<i>());
            }
        });
        store(block, result);
    }
}

} // namespace
} // namespace poselane
