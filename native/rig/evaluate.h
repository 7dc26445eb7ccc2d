// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/evaluate.ts
#pragma once

#include "evaluate_rows.h"
#include "evaluate_span.h"

namespace poselane {
namespace {

/// All tracks of a span; `block` at its first pose.
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
}

inline int countPoses(unsigned poses) {
    int count = 0;
    for (; poses != 0; poses &= poses - 1) {
        count++;
    }
    return count;
}

/// Poses that are evaluated in vectors together, if at all.
template <class Wide> constexpr int kSpan = kSmallCode ? kPoses : Wide::kWidth;

/// Whether rows take less time for these poses of a span: vectors take the same time for any number.
///
/// @param others Poses of the span that are at other clips.
template <class Wide> bool areFew(unsigned poses, unsigned others) {
    return countPoses(poses) <= kSpan<Wide> / 2 || (kSmallCode && others != 0);
}

/// The spans of a run that have many of its poses.
///
/// @param others The block's poses that are at other clips.
template <class Wide>
void evaluateSpans(const RigView& rig, const SlotsView& slots, const Run& run, unsigned others, float* block) {
    constexpr int kWidth = kSpan<Wide>;
    if (others == 0 && !areFew<Wide>(run.poses >> (kPoses - kWidth), 0)) {
        using Whole = Span<Wide, kPoses / Wide::kWidth, true>;
        evaluateTracks(rig, slots, *run.clip, block, SpanEvaluation<Wide, Whole>(run, 0));
        return;
    }
    if constexpr (!kSmallCode) {
        for (int first = 0; first < kPoses; first += kWidth) {
            const unsigned othersHere = others >> first & firstPoses(kWidth);
            if (areFew<Wide>(run.poses >> first & firstPoses(kWidth), othersHere)) {
                continue;
            }
            if (othersHere == 0) {
                using One = Span<Wide, 1, true>;
                evaluateTracks(rig, slots, *run.clip, block + first, SpanEvaluation<Wide, One>(run, first));
            } else {
                using Some = Span<Wide, 1, false>;
                evaluateTracks(rig, slots, *run.clip, block + first, SpanEvaluation<Wide, Some>(run, first));
            }
        }
    }
}

template <class Wide, class Narrow>
void evaluate(const RigView& rig, const SlotsView& slots, float* block, const BlockTimes& at, Workspace* workspace) {
    const unsigned all = firstPoses(at.poses);
    // The poses at the same clip as the first of them, and all poses that are evaluated as rows.
    unsigned runs[kPoses], rows = 0;
    int firsts[kPoses], count = 0;
    for (unsigned pending = all; pending != 0; count++) {
        int first = 0;
        while ((pending >> first & 1) == 0) {
            first++;
        }
        unsigned poses = 0;
        for (int pose = first; pose < at.poses; pose++) {
            poses |= static_cast<unsigned>(at.clips[pose] == at.clips[first]) << pose;
        }
        for (int span = 0; span < kPoses; span += kSpan<Wide>) {
            const unsigned mask = firstPoses(kSpan<Wide>) << span;
            rows |= areFew<Wide>(poses & mask, all & ~poses & mask) ? poses & mask : 0;
        }
        runs[count] = poses;
        firsts[count] = first;
        pending &= ~poses;
    }
    // Rows first: they fill whole vectors.
    if constexpr (Wide::kWidth > 1) {
        if (rows != 0) {
            evaluateRows<Wide, Narrow>(rig, slots, at, rows, block, *workspace);
        }
    }
    for (int i = 0; i < count; i++) {
        if ((runs[i] & ~rows) == 0) {
            continue;
        }
        const int first = firsts[i];
        const Clip& clip = rig.clips[at.clips[first]];
        Run run;
        run.clip = &clip;
        run.poses = runs[i];
        run.number = ++workspace->runs;
        run.groups = workspace->groups;
        for (int pose = 0; pose < kPoses; pose++) {
            // The lanes of other poses are located as well, so they need a time.
            setTime(run.times, clip, pose, at.times[(run.poses >> pose & 1) != 0 ? pose : first]);
        }
        evaluateSpans<Wide>(rig, slots, run, all & ~runs[i], block);
    }
}

} // namespace
} // namespace poselane
