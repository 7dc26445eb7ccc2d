// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/two-bone-ik.ts
//
// Bends a limb of two bones and turns it, so that its end reaches a target, with poses in lanes.
#pragma once

#include "turn.h"

namespace poselane {
namespace {

/// Maximum distance of an end from its target, in lengths of the limb, squared.
constexpr float kReached = 1e-8f;

/// Length from start to end, in the space of the middle joint's parent, where the end falls behind a target at the
/// distance `d`: ozz-animation's.
template <class L>
POSELANE_ALWAYS_INLINE typename L::Floats soften(typename L::Floats d, typename L::Floats reach,
                                                 typename L::Floats softness) {
    using Floats = typename L::Floats;
    const Floats zero = L::set1(0.0f), three = L::set1(3.0f);
    const Floats from = L::mul(reach, softness);
    const Floats range = L::sub(reach, from), over = L::sub(d, from);
    const Floats ratio = L::div(three, L::add(L::div(over, range), three));
    const Floats square = L::mul(ratio, ratio);
    const Floats softened = L::sub(reach, L::mul(range, L::mul(square, square)));
    return L::select(L::isGreater(range, zero), L::select(L::isGreater(over, zero), softened, d), d);
}

/// @param block At the first pose of the vector.
/// @param at Index of this pose in the lists of `limb`.
/// @param poses How many of the vector's poses are wanted.
template <class L> void twoBoneVector(const SlotsView& slots, float* block, int poses, const Limb& limb, int at) {
    using Floats = typename L::Floats;
    using Mask = typename L::Mask;
    const Floats zero = L::set1(0.0f), one = L::set1(1.0f);
    const float* const globals = block + static_cast<size_t>(slots.count) * kLocalFloats * kPoses;
    const auto localAt = [&](int place) { return block + static_cast<size_t>(place) * kLocalFloats * kPoses; };
    LaneRows<L> intoStart, intoMid, midParent;
    intoParent<L>(slots, globals, limb.start, intoStart);
    intoParent<L>(slots, globals, limb.mid, intoMid);
    loadRows<L>(globalAt(globals, slots.parents[limb.mid]), midParent);
    const auto fromMid = [&](LaneVector<L>& v) POSELANE_INLINED {
        LaneVector<L> model;
        transform<L>(midParent, v, model);
        transform<L>(intoStart, model, v);
    };

    // The bones in the space in which the middle joint turns; the target in that of the start.
    LaneVector<L> start, mid, end, upper, lower, way;
    loadOrigin<L>(globalAt(globals, limb.start), start);
    loadOrigin<L>(globalAt(globals, limb.mid), mid);
    loadOrigin<L>(globalAt(globals, limb.end), end);
    each<3>([&](auto i) POSELANE_INLINED {
        end[i] = L::sub(end[i], mid[i]);
        mid[i] = L::sub(mid[i], start[i]);
    });
    transform<L>(intoMid, mid, upper);
    transform<L>(intoMid, end, lower);
    transform<L>(intoStart, mid, way);
    const Floats aa = dotOf<L>(upper, upper), bb = dotOf<L>(lower, lower);
    const Floats a = L::sqrt(aa), reach = L::add(a, L::sqrt(bb));
    const Floats unit = L::div(a, L::sqrt(dotOf<L>(way, way)));
    LaneTurn<L> swing;
    {
        const LaneNumbers<L, 3> to(limb.targets + static_cast<ptrdiff_t>(at) * 3, poses);
        each<3>([&](auto i) POSELANE_INLINED { way[i] = L::sub(to.numbers[i], start[i]); });
        transform<L>(intoStart, way, swing.target);
    }
    LaneVector<L> pole = {zero, zero, zero};
    if (limb.poles != nullptr) {
        const LaneNumbers<L, 3> to(limb.poles + static_cast<ptrdiff_t>(at) * 3, poses);
        each<3>([&](auto i) POSELANE_INLINED { pole[i] = to.numbers[i]; });
    }
    transform<L>(intoStart, pole, swing.pole);

    // The axis about which the middle joint opens.
    LaneVector<L> axis, other;
    if (limb.hinged) {
        LaneQuat<L> own;
        loadQuat<L>(localAt(limb.mid) + 3 * kPoses, own);
        spread<L>(limb.axis, other);
        rotate<L>(own, other, axis);
    } else {
        crossOf<L>(lower, upper, axis);
        const Floats limit = L::mul(L::set1(kSameDirection), aa);
        const Mask isBent = L::isGreater(dotOf<L>(axis, axis), L::mul(limit, bb));
        LaneVector<L> towards, any;
        transform<L>(intoMid, pole, other);
        crossOf<L>(upper, other, towards);
        const Mask hasPole = L::isGreater(dotOf<L>(towards, towards), L::mul(limit, dotOf<L>(other, other)));
        anyAcross<L>(upper, any);
        choose<L>(hasPole, towards, any, any);
        choose<L>(isBent, axis, any, axis);
    }
    normalize<L>(axis);

    // The law of cosines, across the axis, for the angle from the upper to the lower bone. The turn is the difference
    // to the present angle.
    const Floats softened =
        soften<L>(L::mul(L::sqrt(dotOf<L>(swing.target, swing.target)), unit), reach, L::set1(limb.softness));
    const Floats both = L::mul(dotOf<L>(upper, axis), dotOf<L>(lower, axis));
    crossOf<L>(upper, lower, other);
    const Floats along = L::sub(dotOf<L>(upper, lower), both), aside = dotOf<L>(other, axis);
    const Floats size = L::sqrt(L::add(L::mul(along, along), L::mul(aside, aside)));
    const Floats square = L::sub(L::sub(L::mul(softened, softened), aa), bb);
    Floats cosine = L::div(L::sub(L::mul(L::set1(0.5f), square), both), size);
    cosine = L::select(L::isGreater(cosine, one), one, cosine);
    cosine = L::select(L::isGreater(L::set1(-1.0f), cosine), L::set1(-1.0f), cosine);
    const Floats sine = L::sub(zero, L::sqrt(L::sub(one, L::mul(cosine, cosine))));
    const Floats c = L::div(along, size), s = L::div(aside, size);
    Floats x, y;
    halve<L>(L::add(L::mul(cosine, c), L::mul(sine, s)), L::sub(L::mul(sine, c), L::mul(cosine, s)), x, y);
    LaneQuat<L> bend;
    each<3>([&](auto i) POSELANE_INLINED { other[i] = L::mul(axis[i], x); });
    finish<L>(other, y, bend);

    // The start turns from where the bent limb ends to the target, and from its bend to the pole.
    rotate<L>(bend, lower, other);
    addScaled<L>(upper, other, one, swing.forward);
    const Floats shortest = L::mul(L::set1(1e-10f), L::mul(reach, reach));
    crossOf<L>(upper, axis, other);
    choose<L>(L::isGreater(dotOf<L>(swing.forward, swing.forward), shortest), swing.forward, other, swing.forward);
    crossOf<L>(axis, swing.forward, swing.up);
    fromMid(swing.forward);
    fromMid(swing.up);
    each<3>([&](auto i) POSELANE_INLINED { way[i] = swing.target[i]; });
    const Floats distance = L::mul(dotOf<L>(way, way), L::mul(unit, unit));
    choose<L>(L::isGreater(distance, shortest), way, swing.forward, swing.target);
    swing.cosine = L::set1(limb.twist[0]);
    swing.sine = L::set1(limb.twist[1]);
    LaneQuat<L> q;
    turn<L>(swing, q);

    const Floats amount = clampWeight<L>(L::load(limb.weights + at));
    takePart<L>(q, amount);
    takePart<L>(bend, amount);
    LaneQuat<L> startTurned, midTurned;
    const Floats squares =
        L::add(turned<L>(q, localAt(limb.start), startTurned), turned<L>(bend, localAt(limb.mid), midTurned));
    const Mask ok = isTurn<L>(squares, amount);
    storeTurned<L>(ok, localAt(limb.start), startTurned);
    storeTurned<L>(ok, localAt(limb.mid), midTurned);
    if (limb.reached == nullptr) {
        return;
    }
    rotate<L>(bend, lower, other);
    addScaled<L>(upper, other, one, other);
    fromMid(other);
    rotate<L>(q, other, end);
    each<3>([&](auto i) POSELANE_INLINED { end[i] = L::mul(L::sub(end[i], way[i]), unit); });
    const Mask isThere = L::isGreater(L::mul(L::set1(kReached), L::mul(reach, reach)), dotOf<L>(end, end));
    float lanes[L::kWidth];
    L::store(lanes, L::select(ok, L::select(isThere, one, zero), zero));
    for (int lane = 0; lane < L::kWidth && lane < poses; lane++) {
        limb.reached[at + lane] = static_cast<uint8_t>(lanes[lane]);
    }
}

template <class Wide, class Narrow>
void twoBoneIk(const RigView&, const SlotsView& slots, float* block, int poses, const Limb& limb) {
    forEachSpan<Wide, Narrow>(poses, [&](auto span, int first) POSELANE_INLINED {
        using L = typename decltype(span)::L;
        forEachVector<decltype(span)>(first, poses, [&](int at, int wanted) POSELANE_INLINED {
            twoBoneVector<L>(slots, block + at, wanted, limb, at);
        });
    });
}

} // namespace
} // namespace poselane
