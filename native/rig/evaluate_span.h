// SPDX-License-Identifier: MIT
//
// Poses in lanes: one track after the other, for all poses of a span.
#pragma once

#include "run.h"
#include "sample.h"
#include "vectors.h"

namespace poselane {
namespace {

/// Stores the Floats of a span's poses.
template <class Span> struct Store {
    typename Span::L::Mask mask;

    template <int components>
    POSELANE_ALWAYS_INLINE void operator()(float* to, const typename Span::L::Floats (&floats)[4],
                                           Number<components>) const {
        each<components>([&](auto i) POSELANE_INLINED {
            if constexpr (Span::kWhole) {
                Span::L::store(to + i * kPoses, floats[i]);
            } else {
                Span::L::storeWhere(mask, to + i * kPoses, floats[i]);
            }
        });
    }
};

template <class L>
POSELANE_ALWAYS_INLINE void slerpLocated(const LocatedPoses<L>& poses, const typename L::Quads (&bases)[L::kQuads],
                                         const typename L::Quads (&others)[L::kQuads],
                                         typename L::Floats (&result)[4]) {
    typename L::Floats base[4], other[4];
    L::toFloats(bases, base);
    L::toFloats(others, other);
    const Located& at = poses.at;
    const int first = poses.first;
    slerp<L>(base, other, slerpTimesNear<L>(L::load(at.t + first), L::load(at.swapSigns + first)), result);
}

/// Evaluates one span.
template <class Wide, class Span> struct SpanEvaluation {
    using L = typename Span::L;
    using Floats = typename L::Floats;

    const Run& run;
    int firstPose;
    Store<Span> store;

    SpanEvaluation(const Run& run, int first) : run(run), firstPose(first), store{L::maskOf(run.poses >> first)} {}

    POSELANE_ALWAYS_INLINE LocatedPoses<L> posesAt(const Located& at, int vector) const {
        return {at, (Span::kBlock ? 0 : firstPose) + vector * L::kWidth};
    }

    /// All tracks of a slot.
    POSELANE_ALWAYS_INLINE void slot(const Track* tracks, const float* base, float* to) {
        const Track &t = tracks[0], &r = tracks[1], &s = tracks[2];
        const bool together = t.group >= 0 && r.group == t.group && s.group == t.group && t.kind == kLinear &&
                              r.kind == kLinear && s.kind == kLinear && r.first == t.first + 3 &&
                              s.first == t.first + 7;
        if (!together) {
            track<false, 3>(t, 0, 3, base, to);
            track<true, 4>(r, 0, 4, base + 3, to + 3 * kPoses);
            track<false, 3>(s, 0, 3, base + 7, to + 7 * kPoses);
            return;
        }
        const Located& at = locatedIn<Wide>(run, t.group);
        const float* const values = run.clip->values + t.first;
        for (int i = 0; i < Span::kCount; i++) {
            const LocatedPoses<L> poses = posesAt(at, i);
            const GatheredTransform<L> gathered(poses, values);
            Floats floats[4];
            L::toFloats(gathered.translation, floats);
            store(to + i * L::kWidth, floats, Number<3>());
            L::toFloats(gathered.scale, floats);
            store(to + 7 * kPoses + i * L::kWidth, floats, Number<3>());
            slerpLocated(poses, gathered.base, gathered.other, floats);
            store(to + 3 * kPoses + i * L::kWidth, floats, Number<4>());
        }
    }

    /// One track, or some components of it.
    ///
    /// @param component The first, of `width` that a key's value has.
    template <bool rotation, int components>
    POSELANE_ALWAYS_INLINE void track(const Track& track, int component, int width, const float* base, float* to) {
        if (track.group < 0) {
            Floats floats[4];
            each<components>([&](auto i) POSELANE_INLINED { floats[i] = L::set1(base[i]); });
            for (int i = 0; i < Span::kCount; i++) {
                store(to + i * L::kWidth, floats, Number<components>());
            }
            return;
        }
        const Located& at = locatedIn<Wide>(run, track.group);
        const float* const values = run.clip->values + track.first + component;
        const auto sample = [&](auto sampler) POSELANE_INLINED {
            // A loop, not `each`: these bodies are most of the code, and no vector lives from one turn to the next.
            for (int i = 0; i < Span::kCount; i++) {
                Floats floats[4];
                sampler(posesAt(at, i), floats);
                store(to + i * L::kWidth, floats, Number<components>());
            }
        };
        if (track.kind == kLinear) {
            sample([&](const LocatedPoses<L>& poses, Floats(&floats)[4]) POSELANE_INLINED {
                if constexpr (rotation) {
                    typename L::Quads bases[L::kQuads], others[L::kQuads];
                    poses.gatherQuads(poses.at.bases, values, bases);
                    poses.gatherQuads(poses.at.others, values, others);
                    slerpLocated(poses, bases, others, floats);
                } else {
                    sampleLinear(poses, values, floats);
                }
            });
        } else if (track.kind == kCubicSpline) {
            sample([&](const LocatedPoses<L>& poses, Floats(&floats)[4]) POSELANE_INLINED {
                sampleCubic(poses, values, width, floats);
                if constexpr (rotation) {
                    normalize<L>(floats);
                }
            });
        } else {
            sample([&](const LocatedPoses<L>& poses, Floats(&floats)[4])
                       POSELANE_INLINED { sampleStep(poses, values, floats); });
        }
    }
};

} // namespace
} // namespace poselane
