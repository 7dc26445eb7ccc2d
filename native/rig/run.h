// SPDX-License-Identifier: MIT
#pragma once

#include "locate.h"

namespace poselane {
namespace {

inline unsigned firstPoses(int count) { return (1u << count) - 1; }

/// The poses of a block that are at one clip.
struct Run {
    const Clip* clip;
    /// A bit for each pose.
    unsigned poses;
    uint64_t number;
    RunTimes times;
    Located* groups;
};

/// Number of groups located together. Each search is a long chain of dependent operations, and a CPU can run several
/// chains at a time.
constexpr int kBatch = 4;

/// Locates a group and those that follow it, which the next tracks need as a rule.
template <class Wide> void locateGroups(const Run& run, int group) {
    const int count = run.clip->groupCount - group < kBatch ? run.clip->groupCount - group : kBatch;
    const KeyGroup* const groups = run.clip->groups + group;
    const auto locatedOf = [&](int i) -> Located& {
        Located& located = run.groups[(group + i) % kLocatedGroups];
        located.run = run.number;
        located.group = group + i;
        return located;
    };
    uint32_t found[kBatch][kPoses], cells[kPoses];
    for (int i = 0; i < count; i++) {
        const uint16_t* const starts = run.clip->starts + groups[i].firstStart;
        if (i == 0 || groups[i].cellShift != groups[i - 1].cellShift) {
            each<kPoses>([&](auto pose)
                             POSELANE_INLINED { cells[pose] = run.times.cells[pose] >> groups[i].cellShift; });
        }
        each<kPoses>([&](auto pose) POSELANE_INLINED { found[i][pose] = starts[cells[pose]]; });
    }
    for (int i = 0; i < count; i++) {
        Located& located = locatedOf(i);
        for (int first = 0; first < kPoses; first += Wide::kWidth) {
            const uint32_t rowFloats = groups[i].rowFloats;
            const float* const keys = run.clip->times + groups[i].firstKey;
            const float* const floors = run.times.floors + first;
            uint32_t* const at = found[i] + first;
            locateVector<Wide>(
                located, first, run.times.times + first, floors, at,
                {Wide::setInts(rowFloats), Wide::setInts(0 - rowFloats), Wide::setInts(groups[i].firstFloat)},
                [&](auto quad) POSELANE_INLINED { return Wide::gather(keys, at + quad); },
                [&](int lane)
                    POSELANE_INLINED { at[lane] = searchKey(keys, at[lane], groups[i].keys - 1, floors[lane]); });
        }
    }
}

/// Locates a group when its first track is evaluated, and again where others took its place in the meantime: at worst
/// every track does what it would do with key times of its own.
template <class Wide> POSELANE_ALWAYS_INLINE const Located& locatedIn(const Run& run, int group) {
    Located& located = run.groups[group % kLocatedGroups];
    if (located.run != run.number || located.group != group) {
        locateGroups<Wide>(run, group);
    }
    return located;
}

} // namespace
} // namespace poselane
