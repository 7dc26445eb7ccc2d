// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/blend.ts
#pragma once

#include <math.h>

#include "geometry.h"
#include "slerp.h"

namespace poselane {
namespace {

/// From a to b by t, 0 ... 1, starting from the nearer end: exact at both ends and between equals.
template <class L> struct Mix {
    SlerpTimes<L> times;
    typename L::Mask swap;

    explicit POSELANE_ALWAYS_INLINE Mix(typename L::Floats t) { times = slerpTimes<L>(t, swap); }

    POSELANE_ALWAYS_INLINE typename L::Floats operator()(typename L::Floats a, typename L::Floats b) const {
        const typename L::Floats base = L::select(swap, b, a), other = L::select(swap, a, b);
        return L::add(base, L::sub(L::mul(times.t, other), L::mul(times.t, base)));
    }
    POSELANE_ALWAYS_INLINE void slerp(const typename L::Floats (&a)[4], const typename L::Floats (&b)[4],
                                      typename L::Floats (&result)[4]) const {
        typename L::Floats base[4], other[4];
        each<4>([&](auto i) POSELANE_INLINED {
            base[i] = L::select(swap, b[i], a[i]);
            other[i] = L::select(swap, a[i], b[i]);
        });
        poselane::slerp<L>(base, other, times, result);
    }
};

/// a + w (b - reference)
template <class L>
POSELANE_ALWAYS_INLINE typename L::Floats addDifference(typename L::Floats a, typename L::Floats b,
                                                        typename L::Floats reference, typename L::Floats weight) {
    return L::add(a, L::mul(weight, L::sub(b, reference)));
}

/// Numbers that an additive blend takes the difference from.
template <class L> struct Reference {
    const float* first;
    size_t stride;
    /// Whether each pose has its own.
    bool each;

    POSELANE_ALWAYS_INLINE typename L::Floats operator[](int i) const {
        const float* const at = first + static_cast<size_t>(i) * stride;
        return each ? L::load(at) : L::set1(*at);
    }
};

/// One slot: all pointers at the first pose of the vector.
template <class L>
POSELANE_ALWAYS_INLINE void blendLocal(float* out, const float* a, const float* b, typename L::Floats weight) {
    using Floats = typename L::Floats;
    const Mix<L> mix(weight);
    const auto mixComponent = [&](int i) POSELANE_INLINED {
        L::store(out + i * kPoses, mix(L::load(a + i * kPoses), L::load(b + i * kPoses)));
    };
    each<3>(mixComponent);
    Floats from[4], to[4], result[4];
    loadQuat<L>(a + 3 * kPoses, from);
    loadQuat<L>(b + 3 * kPoses, to);
    mix.slerp(from, to, result);
    storeQuat<L>(out + 3 * kPoses, result);
    each<3>([&](auto i) POSELANE_INLINED { mixComponent(7 + i); });
}

/// T + w (b - reference), a slerp(1, reference^-1 b, w) with the conjugate for the inverse, a lerp(1, b / reference,
/// w), or a where that is not finite: a scale of 0 has no ratio.
template <class L>
POSELANE_ALWAYS_INLINE void addLocal(float* out, const float* a, const float* b, const Reference<L>& reference,
                                     typename L::Floats weight) {
    using Floats = typename L::Floats;
    const Mix<L> mix(weight);
    // Loops: unrolled, they make the WebAssembly of pages larger, not faster.
    for (int i = 0; i < 3; i++) {
        const Floats x = L::load(a + i * kPoses), y = L::load(b + i * kPoses);
        L::store(out + i * kPoses, addDifference<L>(x, y, reference[i], weight));
    }
    const Floats zero = L::set1(0.0f), one = L::set1(1.0f);
    const Floats identity[4] = {zero, zero, zero, one};
    const Floats sign = L::set1(-0.0f);
    const Floats conjugate[4] = {L::flip(reference[3], sign), L::flip(reference[4], sign), L::flip(reference[5], sign),
                                 reference[6]};
    Floats q[4], turn[4], part[4], result[4];
    loadQuat<L>(b + 3 * kPoses, q);
    multiply<L>(conjugate, q, turn);
    mix.slerp(identity, turn, part);
    loadQuat<L>(a + 3 * kPoses, q);
    multiply<L>(q, part, result);
    storeQuat<L>(out + 3 * kPoses, result);
    for (int i = 7; i < kLocalFloats; i++) {
        const Floats ratio = L::div(L::load(b + i * kPoses), reference[i]);
        const Floats from = L::load(a + i * kPoses), scaled = L::mul(from, mix(one, ratio));
        L::store(out + i * kPoses, L::select(L::isGreater(L::set1(INFINITY), L::abs(scaled)), scaled, from));
    }
}

template <class L, class Additive>
void blendVector(Additive additive, const RigView& rig, const SlotsView& slots, float* out, const float* a,
                 const float* b, const float* weights, const float* mask, const float* reference, bool each) {
    using Floats = typename L::Floats;
    const Floats weight = L::load(weights);
    for (int place = 0; place < slots.count; place++) {
        if (slots.matrices[place] >= 0) {
            continue;
        }
        const int slot = slots.slots[place];
        const Floats w = clampWeight<L>(mask == nullptr ? weight : L::mul(weight, L::set1(mask[slot])));
        const size_t at = static_cast<size_t>(place) * kLocalFloats * kPoses;
        if (additive) {
            const Reference<L> of = reference == nullptr
                                        ? Reference<L>{rig.rest + static_cast<size_t>(slot) * kLocalFloats, 1, false}
                                        : Reference<L>{reference + at, kPoses, each};
            addLocal<L>(out + at, a + at, b + at, of, w);
        } else {
            blendLocal<L>(out + at, a + at, b + at, w);
        }
    }
    const Floats w = clampWeight<L>(weight);
    const Mix<L> mix(w);
    for (int i = 0; i < rig.weights; i++) {
        const size_t at = (static_cast<size_t>(slots.count) * (kLocalFloats + kGlobalFloats) + i) * kPoses;
        const Floats x = L::load(a + at), y = L::load(b + at);
        const Reference<L> of = reference == nullptr ? Reference<L>{rig.restWeights + i, 1, false}
                                                     : Reference<L>{reference + at, kPoses, each};
        L::store(out + at, additive ? addDifference<L>(x, y, of[0], w) : mix(x, y));
    }
}

template <class Wide, class Narrow>
void blend(const RigView& rig, const SlotsView& slots, float* out, const float* a, const float* b, int poses,
           const float* weights, const float* mask, bool additive, const float* reference, bool each) {
    forEachSpan<Wide, Narrow>(poses, [&](auto span, int first) POSELANE_INLINED {
        using Span = decltype(span);
        using L = typename Span::L;
        for (int at = first; at < first + Span::kPoses; at += L::kWidth) {
            const float* const own = reference == nullptr || !each ? reference : reference + at;
            withConstant(additive, [&](auto adds) {
                blendVector<L>(adds, rig, slots, out + at, a + at, b + at, weights + at, mask, own, each);
            });
        }
    });
}

} // namespace
} // namespace poselane
