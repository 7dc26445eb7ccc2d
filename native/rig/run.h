// SPDX-License-Identifier: MIT
#pragma once

#include "locate.h"

namespace poselane {
namespace {

/// The poses of a block that are at one clip.
struct Run {
    const Clip* clip;
    /// Bits.
    unsigned poses;
    uint32_t number;
    const double* times;
    uint16_t* hints;
    int hintGroups;
    Located* groups;
};

template <class Wide> void locateGroup(const Run& run, int group) {
    Located& located = run.groups[group];
    located.run = run.number;
    locate<Wide>(located, *run.clip, run.clip->groups[group], run.times, run.poses,
                 run.hints + group % run.hintGroups * kPoses);
}

/// Each group is located when the first of its tracks comes.
template <class Wide> POSELANE_ALWAYS_INLINE const Located& locatedIn(const Run& run, int group) {
    if (run.groups[group].run != run.number) {
        locateGroup<Wide>(run, group);
    }
    return run.groups[group];
}

} // namespace
} // namespace poselane
