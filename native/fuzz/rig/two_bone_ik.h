// SPDX-License-Identifier: MIT
#pragma once

#include <math.h>

#include "run.h"

namespace poselane::fuzzed {

/// Numbers of a case for inverse kinematics, none of them infinite or NaN.
inline std::vector<float> finiteNumbers(const RigRun& run, size_t count) {
    std::vector<float> list(count);
    for (size_t i = 0; i < count; i++) {
        const float number = run.work.inverseBinds[i % run.work.inverseBinds.size()];
        list[i] = isfinite(number) ? number : 1.0f;
    }
    return list;
}

/// The last of the case's places, and the one `steps` above it; -1 where there is none.
inline int above(const RigRun& run, int steps) {
    int place = run.work.places.empty() ? -1 : run.work.places.back();
    while (steps-- > 0 && place >= 0) {
        place = run.rig.selected.parents[place];
    }
    return place;
}

/// A limb with whole bones, in the globals that are there.
inline void twoBoneIk(RigRun& run) {
    const Work& work = run.work;
    const int start = above(run, 2);
    if (start < 0 || run.rig.selected.matrices[start] >= 0 || run.rig.selected.matrices[above(run, 1)] >= 0) {
        return;
    }
    const std::vector<float> numbers = finiteNumbers(run, 6 + 6 * run.poses());
    const Placed<float> targets(numbers.data() + 6, 3 * run.poses(), 1),
        poles(numbers.data() + 6 + 3 * run.poses(), 3 * run.poses(), 3), weights(work.weights, kPoses, 1);
    const std::vector<uint8_t> none(run.poses(), 7);
    const Placed<uint8_t> reached(none.data(), none.size(), work.offset % 4);
    const Limb limb = {start,
                       above(run, 1),
                       above(run, 0),
                       work.mat4,
                       numbers[0],
                       {numbers[1], numbers[2]},
                       {numbers[3], numbers[4], numbers[5]},
                       targets.data(),
                       work.additive ? poles.data() : nullptr,
                       weights.data(),
                       work.each ? reached.data() : nullptr};
    run.kernels.twoBoneIk(run.rig.rig, run.rig.selected, run.block, work.poses, limb);
    run.addPoses(run.block);
    run.results->insert(run.results->end(), reached.data(), reached.data() + none.size());
}

} // namespace poselane::fuzzed
