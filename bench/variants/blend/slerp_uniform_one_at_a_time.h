// SPDX-License-Identifier: MIT
//
// Variant: one block after the other, from its cosines to its result. Slerp of kWidth pairs with one t.
#pragma once

#include "blend_pairs.h"
#include "prepare_slerp.h"

namespace poselane {
namespace {

/// `swapped`: t was above 0.5, so that `base` is what is blended to, and the sign goes to the result.
/// base(block, row) and other(block, row) load, store(block, row, result) stores.
template <class Rows, bool swapped, class Base, class Other, class Store>
POSELANE_ALWAYS_INLINE void slerpUniform(const PreparedSlerp& prepared, int blocks, Base base, Other other,
                                        Store store) {
    using L = Lanes;
    const L::Floats t = L::set1(prepared.t);
    for (int block = 0; block < blocks; block++) {
        const L::Floats c = dots<Rows>([&](int row) POSELANE_INLINED { return base(block, row); },
                                       [&](int row) POSELANE_INLINED { return other(block, row); });
        const L::Floats y = oneMinusAbs(c);
        L::Floats pu = L::set1(prepared.U[kSlerpTerms - 1]);
        L::Floats pv = L::set1(prepared.V[kSlerpTerms - 1]);
        unrolled<kSlerpTerms - 1>([&](auto step) POSELANE_INLINED {
            constexpr int k = kSlerpTerms - 2 - step.value;
            pu = L::mulAdd(pu, y, L::set1(prepared.U[k]));
            pv = L::mulAdd(pv, y, L::set1(prepared.V[k]));
        });
        const typename Rows::Spread us(L::flipWhereNegative(L::mulAdd(pu, y, t), c), t);
        const typename Rows::Spread ms(L::negMulAdd(pv, y, t), t);
        typename Rows::Row result[Rows::kRows];
        unrolled<Rows::kRows>([&](auto row) POSELANE_INLINED {
            constexpr int i = row.value;
            result[i] = Rows::map([](auto... x) POSELANE_INLINED { return mix(x...); }, base(block, i), other(block, i),
                                  us.template get<i>(), ms.template get<i>());
            if constexpr (swapped) {
                // u is negative where c is.
                result[i] = Rows::map([](auto x, auto by) POSELANE_INLINED { return L::flipWhereSigned(x, by); },
                                      result[i], us.template get<i>());
            }
        });
        unrolled<Rows::kRows>([&](auto row) POSELANE_INLINED { store(block, row.value, result[row.value]); });
    }
}

} // namespace
} // namespace poselane
