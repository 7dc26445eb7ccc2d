// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/cast-rays.ts
//
// Rays against capsules between joints, with poses in lanes. A comparison with a NaN is false, so a capsule or a ray
// with one is not hit.
#pragma once

#include <math.h>

#include "gather.h"
#include "geometry.h"

namespace poselane {
namespace {

template <class L> POSELANE_ALWAYS_INLINE typename L::Floats smaller(typename L::Floats a, typename L::Floats b) {
    return L::select(L::isGreater(a, b), b, a);
}

/// Where a convex body that a line is in from `enter` to `exit` is hit by the ray that starts at 0.
template <class L> POSELANE_ALWAYS_INLINE typename L::Floats entry(typename L::Floats enter, typename L::Floats exit) {
    const typename L::Floats zero = L::set1(0.0f);
    const typename L::Floats at = L::select(L::isGreater(zero, enter), zero, enter);
    return L::select(L::isGreater(zero, exit), L::set1(INFINITY), at);
}

/// A sphere that the line passes at the square `pp` of a distance, nearest at `s`.
template <class L>
POSELANE_ALWAYS_INLINE typename L::Floats hitSphere(typename L::Floats s, typename L::Floats pp,
                                                    typename L::Floats rr) {
    const typename L::Floats half = L::sqrt(L::sub(rr, pp));
    return entry<L>(L::sub(s, half), L::add(s, half));
}

/// Rays in the space of the poses.
template <class L> struct LaneRay {
    LaneVector<L> origin, direction;

    /// The point nearest to `center` is at `s`; `p` leads there from the center. Returns the square of its length.
    POSELANE_ALWAYS_INLINE typename L::Floats approach(const LaneVector<L>& centre, typename L::Floats& s,
                                                       LaneVector<L>& p) const {
        LaneVector<L> way;
        each<3>([&](auto i) POSELANE_INLINED { way[i] = L::sub(centre[i], origin[i]); });
        s = dot<L>(way, direction);
        each<3>([&](auto i) POSELANE_INLINED { p[i] = L::sub(L::mul(s, direction[i]), way[i]); });
        return dot<L>(p, p);
    }
};

template <class L> struct LaneCapsule {
    using Floats = typename L::Floats;

    LaneVector<L> from, to, axis;
    /// Length of the axis; -1 if both ends are the same point.
    Floats length;
    Floats radiusSquared;
    /// No point of the capsule is farther from its first end.
    Floats reachSquared;

    POSELANE_ALWAYS_INLINE void place(const float* fromGlobal, const float* toGlobal, const float* ends) {
        const auto moved = [&](const float* g, const float* point, LaneVector<L>& out) POSELANE_INLINED {
            each<3>([&](auto row) POSELANE_INLINED {
                const float* const m = g + row * 4 * kPoses;
                const LaneVector<L> rotation = {L::load(m), L::load(m + kPoses), L::load(m + 2 * kPoses)};
                const Floats turned =
                    rowTimesColumn<L>(rotation, L::set1(point[0]), L::set1(point[1]), L::set1(point[2]));
                out[row] = L::add(turned, L::load(m + 3 * kPoses));
            });
        };
        moved(fromGlobal, ends, from);
        moved(toGlobal, ends + 3, to);
        each<3>([&](auto i) POSELANE_INLINED { axis[i] = L::sub(to[i], from[i]); });
        const Floats square = dot<L>(axis, axis);
        const Floats none = L::set1(1e-30f);
        const typename L::Mask isLong = L::isGreater(square, none);
        const Floats root = L::sqrt(L::select(L::isGreater(none, square), none, square));
        const Floats scale = L::div(L::set1(1.0f), root);
        each<3>([&](auto i) POSELANE_INLINED { axis[i] = L::mul(axis[i], scale); });
        length = L::select(isLong, root, L::set1(-1.0f));
        const Floats radius = L::set1(ends[6]);
        radiusSquared = L::mul(radius, radius);
        const Floats reach = L::add(root, radius);
        reachSquared = L::mul(reach, reach);
    }

    /// The cylinder's side: `s` and `p` are those of the approach to the first end.
    POSELANE_ALWAYS_INLINE Floats hitSide(const LaneRay<L>& ray, Floats s, const LaneVector<L>& p) const {
        const Floats zero = L::set1(0.0f);
        // Across the axis the ray moves from `across` by `step` for each unit of length.
        LaneVector<L> step, across, nearest;
        cross<L>(ray.direction, axis, step);
        cross<L>(p, axis, across);
        const Floats square = dot<L>(step, step);
        // A ray parallel to the axis stays at the same distance from it: its nearest point is its origin.
        const Floats none = L::set1(1e-20f);
        const Floats steps = L::select(L::isGreater(square, none), square, none);
        const Floats back = L::div(dot<L>(step, across), steps);
        each<3>([&](auto i) POSELANE_INLINED { nearest[i] = L::sub(across[i], L::mul(back, step[i])); });
        const Floats half = L::sqrt(L::div(L::sub(radiusSquared, dot<L>(nearest, nearest)), steps));
        const Floats before = L::sub(zero, L::add(back, half));
        const Floats enter = L::add(s, before);
        const Floats at = entry<L>(enter, L::add(L::sub(s, back), half));
        const Floats past = L::select(L::isGreater(zero, enter), L::sub(zero, s), before);
        const Floats height = L::add(dot<L>(axis, p), L::mul(past, dot<L>(axis, ray.direction)));
        const Floats above = L::select(L::isGreater(zero, height), L::set1(INFINITY), at);
        return L::select(L::isGreater(height, length), L::set1(INFINITY), above);
    }
};

/// The characters' places: T 3, R 4 of each.
template <class L> struct LanePlacements : LaneNumbers<L, 7> {
    using Floats = typename L::Floats;
    using LaneNumbers<L, 7>::LaneNumbers;

    POSELANE_ALWAYS_INLINE void turnBack(LaneVector<L>& v) const {
        const LaneVector<L> axis = {this->numbers[3], this->numbers[4], this->numbers[5]};
        LaneVector<L> once, twice;
        cross<L>(v, axis, once);
        each<3>([&](auto i) POSELANE_INLINED { once[i] = L::add(once[i], once[i]); });
        cross<L>(once, axis, twice);
        each<3>([&](auto i)
                    POSELANE_INLINED { v[i] = L::add(L::add(v[i], L::mul(this->numbers[6], once[i])), twice[i]); });
    }
    POSELANE_ALWAYS_INLINE void intoModel(LaneRay<L>& ray) const {
        each<3>([&](auto i) POSELANE_INLINED { ray.origin[i] = L::sub(ray.origin[i], this->numbers[i]); });
        turnBack(ray.origin);
        turnBack(ray.direction);
    }
};

/// The capsules of a tile, where the poses of a vector have them.
template <class L> struct LaneCapsules {
    using Floats = typename L::Floats;

    int first, count;
    LaneCapsule<L> placed[kCapsules];

    POSELANE_ALWAYS_INLINE LaneCapsules(const float* globals, const CapsuleTile& tile)
        : first(tile.first), count(tile.count) {
        for (int i = 0; i < count; i++) {
            const auto global = [&](int end) {
                return globals + static_cast<size_t>(tile.places[i * 2 + end]) * kGlobalFloats * kPoses;
            };
            placed[i].place(global(0), global(1), tile.ends + static_cast<size_t>(i) * 7);
        }
    }
    /// The nearest, and its number; Infinity and -1 where there is none up to `limit`.
    POSELANE_ALWAYS_INLINE void cast(const LaneRay<L>& ray, float limit, Floats& distance, Floats& number) const {
        const Floats far = L::set1(INFINITY), none = L::set1(-1.0f);
        distance = far;
        number = none;
        for (int i = 0; i < count; i++) {
            const LaneCapsule<L>& capsule = placed[i];
            Floats s, otherS;
            LaneVector<L> p, otherP;
            const Floats square = ray.approach(capsule.from, s, p);
            const typename L::Mask near = L::isGreater(capsule.reachSquared, square);
            if (!L::any(near)) {
                continue;
            }
            const Floats otherSquare = ray.approach(capsule.to, otherS, otherP);
            Floats at = smaller<L>(far, hitSphere<L>(s, square, capsule.radiusSquared));
            at = smaller<L>(at, hitSphere<L>(otherS, otherSquare, capsule.radiusSquared));
            at = smaller<L>(at, capsule.hitSide(ray, s, p));
            at = L::select(near, at, far);
            const typename L::Mask nearer = L::isGreater(distance, at);
            distance = L::select(nearer, at, distance);
            number = L::select(nearer, L::set1(static_cast<float>(first + i)), number);
        }
        const typename L::Mask beyond = L::isGreater(distance, L::set1(limit));
        // +0 for -0.
        distance = L::add(L::select(beyond, far, distance), L::set1(0.0f));
        number = L::select(beyond, none, number);
    }
};

/// @param poses How many of the vector's poses are wanted.
template <class L>
void castVector(const float* globals, int poses, const CapsuleTile& tile, const float* placements, const RayCast& cast,
                size_t firstPose) {
    using Floats = typename L::Floats;
    const LaneCapsules<L> capsules(globals, tile);
    const bool placed = placements != nullptr;
    const LanePlacements<L> places(placements, placed ? poses : 0);
    for (size_t r = 0; r < cast.count; r++) {
        const float* const list = cast.rays + r * 7;
        LaneRay<L> ray;
        each<3>([&](auto i) POSELANE_INLINED {
            ray.origin[i] = L::set1(list[i]);
            ray.direction[i] = L::set1(list[3 + i]);
        });
        if (placed) {
            places.intoModel(ray);
        }
        Floats distance, number;
        capsules.cast(ray, list[6], distance, number);
        float distances[L::kWidth], numbers[L::kWidth];
        L::store(distances, distance);
        L::store(numbers, number);
        float* const toDistances = cast.distances + r * cast.stride + firstPose;
        int32_t* const toCapsules = cast.capsules + r * cast.stride + firstPose;
        for (int lane = 0; lane < L::kWidth && lane < poses; lane++) {
            // A later tile counts where it is nearer.
            if (tile.first == 0 || distances[lane] < toDistances[lane]) {
                toDistances[lane] = distances[lane];
                toCapsules[lane] = static_cast<int32_t>(numbers[lane]);
            }
        }
    }
}

template <class Wide, class Narrow>
void castRays(const float* globals, int poses, const CapsuleTile& tile, const float* placements, const RayCast& cast) {
    forEachSpan<Wide, Narrow>(poses, [&](auto span, int first) POSELANE_INLINED {
        using L = typename decltype(span)::L;
        forEachVector<decltype(span)>(first, poses, [&](int at, int wanted) POSELANE_INLINED {
            const float* const from = placements == nullptr ? nullptr : placements + static_cast<size_t>(at) * 7;
            castVector<L>(globals + at, wanted, tile, from, cast, static_cast<size_t>(at));
        });
    });
}

} // namespace
} // namespace poselane
