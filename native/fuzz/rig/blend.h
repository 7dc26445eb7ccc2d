// SPDX-License-Identifier: MIT
#pragma once

#include "run.h"

namespace poselane::fuzzed {

inline void blend(RigRun& run) {
    const Work& work = run.work;
    const Placed<float> weights(work.weights, kPoses, 1), mask(work.mask.data(), work.mask.size(), 0);
    run.kernels.blend(run.rig.rig, run.rig.selected, run.block, run.blocks[0].list.data(), run.blocks[1].list.data(),
                      work.poses, weights.data(), work.mask.empty() ? nullptr : mask.data(), work.additive,
                      work.reference < 0 ? nullptr : run.blocks[work.reference].list.data(), work.each);
    run.addPoses(run.block);
}

} // namespace poselane::fuzzed
