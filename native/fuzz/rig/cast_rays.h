// SPDX-License-Identifier: MIT
#pragma once

#include "run.h"

namespace poselane::fuzzed {

/// Rays, capsules and placements are taken from the inverse binds. Both tiles have the same capsules.
inline void castRays(RigRun& run) {
    const Work& work = run.work;
    if (run.joints() < 2) {
        return;
    }
    const size_t poses = run.poses(), count = work.places.size() / 2;
    const int32_t capsules = static_cast<int32_t>(count < kCapsules ? count : kCapsules);
    const std::vector<float>& from = work.inverseBinds;
    const Placed<int32_t> places(work.places.data(), static_cast<size_t>(capsules) * 2, 1);
    const Placed<float> ends(from.data(), static_cast<size_t>(capsules) * 7, work.offset), rays(from.data() + 7, 14, 1);
    std::vector<float> placements(poses * 7);
    for (size_t i = 0; i < placements.size(); i++) {
        placements[i] = from[i % from.size()];
    }
    const Placed<float> placed(placements.data(), placements.size(), 2);
    const size_t stride = poses + work.gap, length = 2 * stride - work.gap;
    const std::vector<int32_t> none(length, -7);
    const Filled distances(patternOf(length), work.offset);
    const Placed<int32_t> numbers(none.data(), length, 3);
    for (int32_t first = 0; first <= kCapsules; first += kCapsules) {
        run.kernels.castRays(run.globals(), work.poses, {first, capsules, places.data(), ends.data()},
                             work.mat4 ? placed.data() : nullptr,
                             {rays.data(), 2, distances.list.data(), numbers.data(), stride});
    }
    distances.addTo(run.results);
    run.results->insert(run.results->end(), numbers.data(), numbers.data() + length);
}

} // namespace poselane::fuzzed
