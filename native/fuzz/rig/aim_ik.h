// SPDX-License-Identifier: MIT
#pragma once

#include "two_bone_ik.h"

namespace poselane::fuzzed {

/// A path of up to four places. Those without a matrix turn.
inline void aimIk(RigRun& run) {
    const Work& work = run.work;
    std::vector<int32_t> path;
    std::vector<float> until;
    for (int steps = 3; steps >= 0; steps--) {
        const int place = above(run, steps);
        if (place >= 0) {
            path.push_back(place);
            const bool turns = run.rig.selected.matrices[place] < 0;
            until.push_back(turns ? 1.0f / static_cast<float>(steps + 1) : until.empty() ? 0.0f : until.back());
        }
    }
    if (path.empty()) {
        return;
    }
    const std::vector<float> numbers = finiteNumbers(run, 12 + 3 * run.poses());
    const Placed<int32_t> places(path.data(), path.size(), 1);
    const Placed<float> parts(until.data(), until.size(), 1), targets(numbers.data() + 12, 3 * run.poses(), 1),
        weights(work.weights, kPoses, 3);
    Aim aim = {
        static_cast<int32_t>(path.size()), places.data(), parts.data(), targets.data(), weights.data(), {}, {}, {}, {}};
    float* const vectors[] = {aim.forward, aim.up, aim.offset, aim.pole};
    for (size_t i = 0; i < 12; i++) {
        vectors[i / 3][i % 3] = numbers[i];
    }
    run.kernels.aimIk(run.rig.rig, run.rig.selected, run.block, work.poses, aim);
    run.addPoses(run.block);
}

} // namespace poselane::fuzzed
