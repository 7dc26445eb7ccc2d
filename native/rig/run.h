// SPDX-License-Identifier: MIT
#pragma once

#include "locate.h"

namespace poselane {
namespace {

/// The poses of a block that are at one clip.
struct Run {
    const Clip* clip;
    /// A bit for each pose.
    unsigned poses;
    uint64_t number;
    const double* times;
    uint16_t* hints;
    int hintGroups;
    Located* groups;
};

template <class Wide> void locateGroup(const Run& run, int group) {
    Located& located = run.groups[group];
    located.run = run.number;
    const KeyGroup& keys = run.clip->groups[group];
    uint16_t* const hints = run.hints + group % run.hintGroups * kPoses;
    // A single pose is evaluated alone; with one lane all are.
    if (Wide::kWidth > 1 && (run.poses & (run.poses - 1)) == 0) {
        int pose = 0;
        while (run.poses >> pose != 1) {
            pose++;
        }
        locatePose(located, *run.clip, keys, run.times[pose], pose, hints + pose);
        prepareTime(located, pose);
    } else {
        locatePoses(located, *run.clip, keys, run.times, run.poses, hints);
        prepareTimes<Wide>(located);
    }
}

/// Locates a group when its first track is evaluated.
template <class Wide> POSELANE_ALWAYS_INLINE const Located& locatedIn(const Run& run, int group) {
    if (run.groups[group].run != run.number) {
        locateGroup<Wide>(run, group);
    }
    return run.groups[group];
}

} // namespace
} // namespace poselane
