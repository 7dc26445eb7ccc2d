// SPDX-License-Identifier: MIT
//
// Evaluates a single pose, with its joints in lanes. Any order of tracks gives the same bits, because tracks do not
// depend on each other.
#pragma once

#include "../lanes/scalar/rig.h"
#include "run.h"
#include "sample.h"

namespace poselane {
namespace {

/// Rotations of several joints, to be slerped together.
template <class Wide> struct JointQueue {
    static constexpr int kItems = Wide::kWidth;

    int count = 0;
    /// First floats of the two quaternions.
    uint32_t bases[kItems], others[kItems];
    float t[kItems], swapSigns[kItems];
    float* to[kItems];

    POSELANE_ALWAYS_INLINE void add(const Located& at, int pose, int32_t first, float* destination) {
        bases[count] = at.bases[pose] + static_cast<uint32_t>(first);
        others[count] = at.others[pose] + static_cast<uint32_t>(first);
        t[count] = at.t[pose];
        swapSigns[count] = at.swapSigns[pose];
        to[count] = destination;
        count++;
    }

    void flush(const float* values) {
        if (count == 0) {
            return;
        }
        for (int i = count; i < kItems; i++) {
            bases[i] = bases[0];
            others[i] = others[0];
            t[i] = t[0];
            swapSigns[i] = swapSigns[0];
        }
        using Floats = typename Wide::Floats;
        typename Wide::Quads quads[Wide::kQuads];
        Floats base[4], other[4], result[4];
        each<Wide::kQuads>([&](auto i) POSELANE_INLINED { quads[i] = Wide::gather(values, bases + i); });
        Wide::toFloats(quads, base);
        each<Wide::kQuads>([&](auto i) POSELANE_INLINED { quads[i] = Wide::gather(values, others + i); });
        Wide::toFloats(quads, other);
        slerp<Wide>(base, other, slerpTimesNear<Wide>(Wide::load(t), Wide::load(swapSigns)), result);
        float all[4][kItems];
        each<4>([&](auto c) POSELANE_INLINED { Wide::store(all[c], result[c]); });
        for (int i = 0; i < count; i++) {
            each<4>([&](auto c) POSELANE_INLINED { to[i][c * kPoses] = all[c][i]; });
        }
        count = 0;
    }
};

/// Evaluates one pose; `Narrow` has quads for one.
template <class Wide, class Narrow> struct PoseEvaluation {
    const Run& run;
    int pose;
    JointQueue<Wide> queue;

    PoseEvaluation(const Run& run, int pose) : run(run), pose(pose), queue() {}

    // See SpanEvaluation.
    POSELANE_ALWAYS_INLINE void slot(const Track* tracks, const float* base, float* to) {
        track<false, 3>(tracks[0], 0, 3, base, to);
        track<true, 4>(tracks[1], 0, 4, base + 3, to + 3 * kPoses);
        track<false, 3>(tracks[2], 0, 3, base + 7, to + 7 * kPoses);
    }
    template <bool rotation, int components>
    POSELANE_ALWAYS_INLINE void track(const Track& track, int component, int width, const float* base, float* to) {
        if (track.group < 0) {
            each<components>([&](auto i) POSELANE_INLINED { to[i * kPoses] = base[i]; });
            return;
        }
        const Located& at = locatedIn<Wide>(run, track.group);
        const float* const values = run.clip->values + track.first + component;
        if (track.kind == kLinear) {
            if constexpr (rotation) {
                queue.add(at, pose, track.first, to);
                if (queue.count == JointQueue<Wide>::kItems) {
                    queue.flush(run.clip->values);
                }
            } else {
                const typename Narrow::Quads mixed =
                    Narrow::mix(Narrow::gather(values, at.bases + pose), Narrow::gather(values, at.others + pose),
                                Narrow::set1(at.t[pose]));
                float floats[4];
                memcpy(floats, &mixed, sizeof(floats));
                each<components>([&](auto i) POSELANE_INLINED { to[i * kPoses] = floats[i]; });
            }
            return;
        }
        const LocatedPoses<Lanes1> poses = {at, pose};
        float floats[4];
        if (track.kind == kCubicSpline) {
            sampleCubic(poses, values, width, floats);
            if constexpr (rotation) {
                normalize<Lanes1>(floats);
            }
        } else {
            sampleStep(poses, values, floats);
        }
        each<components>([&](auto i) POSELANE_INLINED { to[i * kPoses] = floats[i]; });
    }

    void finish() { queue.flush(run.clip->values); }
};

} // namespace
} // namespace poselane
