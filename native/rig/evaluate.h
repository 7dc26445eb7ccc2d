// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/evaluate.ts
#pragma once

#include "evaluate_pose.h"
#include "evaluate_span.h"

namespace poselane {
namespace {

/// All tracks of some poses of a block; `block` at the first of them.
template <class Evaluation>
void evaluateTracks(const RigView& rig, const SlotsView& slots, const Clip& clip, float* block, Evaluation evaluation) {
    for (int place = 0; place < slots.count; place++) {
        const int slot = slots.slots[place];
        const Track* const tracks = clip.tracks + static_cast<size_t>(slot) * kPaths;
        const float* const base = clip.base + static_cast<size_t>(slot) * kLocalFloats;
        float* const to = block + static_cast<size_t>(place) * kLocalFloats * kPoses;
        evaluation.slot(tracks, base, to);
    }
    float* const weights = block + static_cast<size_t>(slots.count) * (kLocalFloats + kGlobalFloats) * kPoses;
    for (int morph = 0; morph < rig.morphs; morph++) {
        const Morph range = rig.morphRanges[morph];
        for (int i = 0; i < range.weights; i++) {
            const int weight = range.firstWeight + i;
            evaluation.template track<false, 1>(clip.morphTracks[morph], i, range.weights, clip.baseWeights + weight,
                                                weights + static_cast<size_t>(weight) * kPoses);
        }
    }
    evaluation.finish();
}

inline unsigned firstPoses(int count) { return (1u << count) - 1; }

inline int countPoses(unsigned poses) {
    int count = 0;
    for (; poses != 0; poses &= poses - 1) {
        count++;
    }
    return count;
}

/// @param others The block's poses that are at other clips.
template <class Wide, class Narrow>
void evaluateRun(const RigView& rig, const SlotsView& slots, const Run& run, unsigned others, float* block) {
    constexpr int kWidth = Wide::kWidth;
    // A vector takes the same time for any number of poses: that of three single poses (a vector of 16) or two (of 8).
    constexpr int kFew = kWidth > 1 ? kWidth / 8 + 1 : 0;
    if (others == 0 && countPoses(run.poses) > kPoses - kWidth + kFew) {
        using Whole = Span<Wide, kPoses / kWidth, true>;
        evaluateTracks(rig, slots, *run.clip, block, SpanEvaluation<Wide, Whole>(run, 0));
        return;
    }
    for (int first = 0; first < kPoses; first += kWidth) {
        const unsigned here = run.poses >> first & firstPoses(kWidth);
        if (countPoses(here) > kFew) {
            if (!kSmallCode && (others >> first & firstPoses(kWidth)) == 0) {
                using One = Span<Wide, 1, true>;
                evaluateTracks(rig, slots, *run.clip, block + first, SpanEvaluation<Wide, One>(run, first));
            } else {
                using Some = Span<Wide, 1, false>;
                evaluateTracks(rig, slots, *run.clip, block + first, SpanEvaluation<Wide, Some>(run, first));
            }
            continue;
        }
        if constexpr (kWidth > 1) {
            for (int pose = first; pose < first + kWidth; pose++) {
                if ((run.poses >> pose & 1) != 0) {
                    evaluateTracks(rig, slots, *run.clip, block + pose, PoseEvaluation<Wide, Narrow>(run, pose));
                }
            }
        }
    }
}

template <class Wide, class Narrow>
void evaluate(const RigView& rig, const SlotsView& slots, float* block, const BlockTimes& at, Workspace* workspace) {
    const unsigned all = firstPoses(at.poses);
    unsigned pending = all;
    for (int pose = 0; pending != 0; pose++) {
        if ((pending >> pose & 1) == 0) {
            continue;
        }
        const Clip& clip = rig.clips[at.clips[pose]];
        Run run;
        run.clip = &clip;
        run.poses = 0;
        run.number = ++workspace->runs;
        run.groups = workspace->groups;
        for (int other = 0; other < kPoses; other++) {
            const bool here = other < at.poses && at.clips[other] == at.clips[pose];
            run.poses |= static_cast<unsigned>(here) << other;
            // The lanes of other poses are located as well, so they need a time.
            setTime(run.times, clip, other, at.times[here ? other : pose]);
        }
        pending &= ~run.poses;
        evaluateRun<Wide, Narrow>(rig, slots, run, all & ~run.poses, block);
    }
}

} // namespace
} // namespace poselane
