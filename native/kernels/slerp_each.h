// SPDX-License-Identifier: MIT
// Twin: lib/strict/slerpEach.ts
//
// Slerp of kWidth pairs, each with its own t.
#pragma once

#include "blend_pairs.h"
#include "coefficients.h"

namespace poselane {
namespace {

/// The coefficients of the polynomial of y that one power of T is multiplied by.
struct SlerpColumn {
    float b[8];
};
constexpr SlerpColumn slerpColumn(int power) {
    SlerpColumn column = {};
    for (int k = 0; k < kSlerpPerPairTerms[power]; k++) {
        column.b[k] = static_cast<float>(kSlerpPerPair[k][power]);
    }
    return column;
}
constexpr SlerpColumn kSlerpColumn[4] = {slerpColumn(0), slerpColumn(1), slerpColumn(2), slerpColumn(3)};

/// These polynomials for a batch: q[power][block].
using PolynomialsOfY = Lanes::Floats[4][kMaxBlocks];

POSELANE_ALWAYS_INLINE void polynomialsOfY(int blocks, const Lanes::Floats* y, PolynomialsOfY& q) {
    each<4>([&](auto power) POSELANE_INLINED {
        polynomials<kSlerpPerPairTerms[power]>(kSlerpColumn[power].b, blocks, y, q[power]);
    });
}

/// The weights and masks that mix a block's rows.
struct PairWeights {
    Lanes::Floats fromRotation, fromTranslation;
    Lanes::Floats toRotation, toTranslation;
    /// Masks: the base is `to`; the result is a copy of the base.
    Lanes::Floats swap, copy;
    /// -0 where the rotation's sign is flipped.
    Lanes::Floats sign;
};

/// q0 ... q3 are the polynomials of y; all in the order of `sums`.
POSELANE_ALWAYS_INLINE PairWeights pairWeights(Lanes::Floats c, Lanes::Floats y, Lanes::Floats q0, Lanes::Floats q1,
                                               Lanes::Floats q2, Lanes::Floats q3, Lanes::Floats t) {
    using L = Lanes;
    const L::Floats zero = L::set1(0.0f);
    const L::Floats one = L::set1(1.0f);
    const auto polynomial = [&](L::Floats square) POSELANE_INLINED {
        return L::mulAdd(L::mulAdd(L::mulAdd(q3, square, q2), square, q1), square, q0);
    };

    PairWeights w;
    w.swap = L::notLessEqual(t, L::set1(0.5f));
    w.copy = L::either(L::notLess(zero, t), L::notLess(t, one));
    const L::Floats tOther = L::select(w.swap, L::sub(one, t), t);
    const L::Floats tBase = L::sub(one, tOther);
    const L::Floats p = L::mul(L::mul(tOther, tBase), y);
    const L::Floats hu = polynomial(L::mul(tOther, tOther));
    const L::Floats hv = polynomial(L::mul(tBase, tBase));
    const L::Floats u = L::flipWhereNegative(L::mulAdd(L::mul(p, L::add(one, tOther)), hu, tOther), c);
    const L::Floats m = L::negMulAdd(L::mul(p, L::add(one, tBase)), hv, tOther);

    // u other - m base: -m goes to the base, which is `to` where swapped.
    const L::Floats minusM = L::negate(m);
    const L::Floats minusT = L::negate(tOther);
    w.fromRotation = L::select(w.swap, u, minusM);
    w.toRotation = L::select(w.swap, minusM, u);
    w.fromTranslation = L::select(w.swap, tOther, minusT);
    w.toTranslation = L::select(w.swap, minusT, tOther);
    w.sign = L::select(w.swap, L::flipWhereNegative(zero, c), zero);
    return w;
}

/// A block's rows, row by row from(row) and to(row). `copies`: some may be.
template <class Rows, bool copies, class From, class To>
POSELANE_ALWAYS_INLINE void mixPairs(const PairWeights& w, From from, To to,
                                     typename Rows::Row (&result)[Rows::kRows]) {
    using L = Lanes;
    const typename Rows::Spread fromWeights(w.fromRotation, w.fromTranslation);
    const typename Rows::Spread toWeights(w.toRotation, w.toTranslation);
    const typename Rows::Spread signs(w.sign, L::set1(0.0f));
    const typename Rows::Spread swaps(w.swap, w.swap);
    const typename Rows::Spread copied(w.copy, w.copy);
    each<Rows::kRows>([&](auto row) POSELANE_INLINED {
        constexpr int i = row;
        const auto base =
            Rows::map([](auto a, auto b, auto swapped) POSELANE_INLINED { return L::select(swapped, b, a); }, from(i),
                      to(i), swaps.template get<i>());
        result[i] = Rows::map(
            [](auto a, auto b, auto base, auto weightA, auto weightB, auto sign) POSELANE_INLINED {
                return L::flipBySigns(L::add(base, L::mulAdd(weightA, a, L::mul(weightB, b))), sign);
            },
            from(i), to(i), base, fromWeights.template get<i>(), toWeights.template get<i>(), signs.template get<i>());
        if constexpr (copies) {
            result[i] = Rows::map([](auto a, auto b, auto mask) POSELANE_INLINED { return L::select(mask, a, b); },
                                  base, result[i], copied.template get<i>());
        }
    });
}

template <class Rows, bool copies, class From, class To, class Store>
POSELANE_ALWAYS_INLINE void mixBlocks(const PairWeights* weights, int blocks, From from, To to, Store store) {
    for (int block = 0; block < blocks; block++) {
        typename Rows::Row result[Rows::kRows];
        mixPairs<Rows, copies>(
            weights[block], [&](int row) POSELANE_INLINED { return from(block, row); },
            [&](int row) POSELANE_INLINED { return to(block, row); }, result);
        store(block, result);
    }
}

/// If t is not inside 0 ... 1, the result is a copy of `from` (t <= 0) or `to`. t(block) is in the order of `sums`; see
/// slerpUniform for the others.
template <class Rows, class T, class From, class To, class Store>
POSELANE_ALWAYS_INLINE void slerpEach(int blocks, T t, From from, To to, Store store) {
    Lanes::Floats c[kMaxBlocks], y[kMaxBlocks];
    PolynomialsOfY q;
    PairWeights weights[kMaxBlocks];
    cosines<Rows>(blocks, from, to, c, y);
    polynomialsOfY(blocks, y, q);
    Lanes::Floats copy = Lanes::set1(0.0f);
    for (int block = 0; block < blocks; block++) {
        weights[block] = pairWeights(c[block], y[block], q[0][block], q[1][block], q[2][block], q[3][block], t(block));
        copy = Lanes::either(copy, weights[block].copy);
    }
    // Tested once a batch: processors would mispredict a branch for each block in masks of bones.
    if (kSmallCode || Lanes::any(copy)) {
        mixBlocks<Rows, true>(weights, blocks, from, to, store);
    } else {
        mixBlocks<Rows, false>(weights, blocks, from, to, store);
    }
}

/// The same pair in every place: its polynomials are computed once.
template <class Rows, class ForEachBlock>
POSELANE_ALWAYS_INLINE void slerpSamePair(typename Rows::Row from, typename Rows::Row to, ForEachBlock forEachBlock) {
    Lanes::Floats c[kMaxBlocks], y[kMaxBlocks];
    PolynomialsOfY q;
    const auto first = [=](int) POSELANE_INLINED { return from; };
    const auto second = [=](int) POSELANE_INLINED { return to; };
    cosines<Rows>(
        1, [=](int, int) POSELANE_INLINED { return from; }, [=](int, int) POSELANE_INLINED { return to; }, c, y);
    polynomialsOfY(1, y, q);
    forEachBlock([&](Lanes::Floats t, typename Rows::Row(&result)[Rows::kRows]) POSELANE_INLINED {
        mixPairs<Rows, true>(pairWeights(c[0], y[0], q[0][0], q[1][0], q[2][0], q[3][0], t), first, second, result);
    });
}

} // namespace
} // namespace poselane
