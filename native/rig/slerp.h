// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/slerp.ts
//
// Slerp with one t for each pair, quaternions in lanes: kernels/slerp_each.h without its edges.
#pragma once

#include "../core/each.h"
#include "../kernels/coefficients.h"

namespace poselane {
namespace {

/// The numbers that depend only on t. The base is the nearer end. The other end is mixed in by t, 0 ... 0.5, and d is 1
/// - t.
template <class L> struct SlerpTimes {
    typename L::Floats t, tt, dd, td, onePlusT, onePlusD;
    /// -0 where the base is the second of the pair, otherwise 0.
    typename L::Floats swapSigns;
};

/// `t`: 0 ... 0.5.
template <class L>
POSELANE_ALWAYS_INLINE SlerpTimes<L> slerpTimesNear(typename L::Floats t, typename L::Floats swapSigns) {
    const typename L::Floats one = L::set1(1.0f);
    const typename L::Floats d = L::sub(one, t);
    return {t, L::mul(t, t), L::mul(d, d), L::mul(t, d), L::add(one, t), L::add(one, d), swapSigns};
}

/// `time`: 0 ... 1.
template <class L> POSELANE_ALWAYS_INLINE SlerpTimes<L> slerpTimes(typename L::Floats time, typename L::Mask& swap) {
    swap = L::isGreater(time, L::set1(0.5f));
    return slerpTimesNear<L>(L::select(swap, L::sub(L::set1(1.0f), time), time), L::signs(swap));
}

/// The polynomial of y that one power of T is multiplied by.
template <class L, int column> POSELANE_ALWAYS_INLINE typename L::Floats columnOf(typename L::Floats y) {
    constexpr int kTerms = kSlerpPerPairTerms[column];
    typename L::Floats q = L::set1(static_cast<float>(kSlerpPerPair[kTerms - 1][column]));
    each<kTerms - 1>([&](auto i) POSELANE_INLINED {
        constexpr int kRow = kTerms - 2 - decltype(i)::value;
        q = L::add(L::mul(q, y), L::set1(static_cast<float>(kSlerpPerPair[kRow][column])));
    });
    return q;
}

template <class L>
POSELANE_ALWAYS_INLINE void slerp(const typename L::Floats (&base)[4], const typename L::Floats (&other)[4],
                                  const SlerpTimes<L>& times, typename L::Floats (&result)[4]) {
    using Floats = typename L::Floats;
    const Floats c = L::add(L::add(L::mul(base[0], other[0]), L::mul(base[2], other[2])),
                            L::add(L::mul(base[1], other[1]), L::mul(base[3], other[3])));
    const Floats y = L::clampToZero(L::sub(L::set1(1.0f), L::abs(c)));
    const Floats q0 = columnOf<L, 0>(y);
    const Floats q1 = columnOf<L, 1>(y);
    const Floats q2 = columnOf<L, 2>(y);
    const Floats q3 = columnOf<L, 3>(y);
    const auto polynomial = [&](Floats square) POSELANE_INLINED {
        const Floats q23 = L::add(L::mul(q3, square), q2);
        return L::add(L::mul(L::add(L::mul(q23, square), q1), square), q0);
    };
    const Floats p = L::mul(times.td, y);
    const Floats u = L::add(times.t, L::mul(L::mul(p, times.onePlusT), polynomial(times.tt)));
    const Floats m = L::sub(times.t, L::mul(L::mul(p, times.onePlusD), polynomial(times.dd)));
    const Floats signs = L::negativeSigns(c);
    const Floats signedU = L::flip(u, signs);
    const Floats last = L::bothSigns(signs, times.swapSigns);
    each<4>([&](auto i) POSELANE_INLINED {
        const Floats mixed = L::add(base[i], L::sub(L::mul(signedU, other[i]), L::mul(m, base[i])));
        result[i] = L::flip(mixed, last);
    });
}

} // namespace
} // namespace poselane
