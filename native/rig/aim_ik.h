// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/aim-ik.ts
//
// Turns one joint after another, so that the last of them aims at a target, with poses in lanes.
#pragma once

#include "to_global.h"
#include "turn.h"

namespace poselane {
namespace {

/// @param place Turns, and all below it.
/// @param block At the first pose of the vector.
template <class L>
void aimJoint(const SlotsView& slots, float* block, int place, int last, const LaneVector<L>& target, const Aim& aim,
              typename L::Floats amount) {
    using Floats = typename L::Floats;
    const float* const globals = block + static_cast<size_t>(slots.count) * kLocalFloats * kPoses;
    const float* const end = globalAt(globals, last);
    float* const local = block + static_cast<size_t>(place) * kLocalFloats * kPoses;
    LaneRows<L> into, rows;
    intoParent<L>(slots, globals, place, into);
    loadRows<L>(end, rows);
    LaneVector<L> pivot, offset, forward, v;
    LaneTurn<L> swing;
    // From the joint's place, in the space in which it turns.
    const auto fromPivot = [&](LaneVector<L>& point, LaneVector<L>& out) POSELANE_INLINED {
        each<3>([&](auto i) POSELANE_INLINED { point[i] = L::sub(point[i], pivot[i]); });
        transform<L>(into, point, out);
    };
    const auto fromEnd = [&](const float* list, LaneVector<L>& out) POSELANE_INLINED {
        LaneVector<L> own, model;
        spread<L>(list, own);
        transform<L>(rows, own, model);
        transform<L>(into, model, out);
    };
    loadOrigin<L>(globalAt(globals, place), pivot);
    fromEnd(aim.forward, forward);
    fromEnd(aim.up, swing.up);
    fromEnd(aim.offset, offset);
    LaneVector<L> origin;
    loadOrigin<L>(end, origin);
    fromPivot(origin, v);
    each<3>([&](auto i) POSELANE_INLINED { offset[i] = L::add(offset[i], v[i]); });
    each<3>([&](auto i) POSELANE_INLINED { v[i] = target[i]; });
    fromPivot(v, swing.target);
    spread<L>(aim.pole, v);
    transform<L>(into, v, swing.pole);

    // The point of the ray from the offset that is as far from the joint as the target, if the target is far enough.
    normalize<L>(forward);
    const Floats along = dotOf<L>(offset, forward);
    const Floats nearest = L::sub(dotOf<L>(offset, offset), L::mul(along, along));
    const Floats half = L::sqrt(L::sub(dotOf<L>(swing.target, swing.target), nearest));
    addScaled<L>(offset, forward, L::sub(half, along), swing.forward);
    swing.cosine = L::set1(1.0f);
    swing.sine = L::set1(0.0f);
    LaneQuat<L> q, result;
    turn<L>(swing, q);
    takePart<L>(q, amount);
    const Floats square = turned<L>(q, local, result);
    storeTurned<L>(isTurn<L>(square, amount), local, result);
}

template <class L>
void aimVector(const RigView& rig, const SlotsView& slots, float* block, int poses, const Aim& aim, int at) {
    using Floats = typename L::Floats;
    const LaneNumbers<L, 3> target(aim.targets + static_cast<ptrdiff_t>(at) * 3, poses);
    const Floats weight = clampWeight<L>(L::load(aim.weights + at));
    float before = 0.0f;
    int stale = aim.count;
    for (int i = 0; i < aim.count; i++) {
        if (!(aim.until[i] > before)) {
            continue;
        }
        for (; stale < aim.count; stale++) {
            placeGlobal<L>(rig, slots, block, aim.path[stale]);
        }
        // The part of the turn that the joints above have left.
        const Floats amount = L::div(L::mul(weight, L::set1(aim.until[i] - before)),
                                     L::sub(L::set1(1.0f), L::mul(weight, L::set1(before))));
        aimJoint<L>(slots, block, aim.path[i], aim.path[aim.count - 1], target.numbers, aim, amount);
        before = aim.until[i];
        stale = i;
    }
}

template <class Wide, class Narrow>
void aimIk(const RigView& rig, const SlotsView& slots, float* block, int poses, const Aim& aim) {
    forEachSpan<Wide, Narrow>(poses, [&](auto span, int first) POSELANE_INLINED {
        using L = typename decltype(span)::L;
        forEachVector<decltype(span)>(first, poses, [&](int at, int wanted) POSELANE_INLINED {
            aimVector<L>(rig, slots, block + at, wanted, aim, at);
        });
    });
}

} // namespace
} // namespace poselane
