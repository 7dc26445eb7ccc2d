// SPDX-License-Identifier: MIT
#pragma once

#include "run.h"

namespace poselane::fuzzed {

/// All places of one block. In another block, whose globals are any bits, the places from one on.
inline void toGlobal(RigRun& run) {
    const auto from = [&](float* block, int place) {
        run.kernels.toGlobal(run.rig.rig, run.rig.selected, block, run.work.poses, place);
        run.addPoses(block);
    };
    from(run.blocks[(run.work.blendInto + 1) % 3].list.data(), run.work.places.empty() ? 0 : run.work.places[0]);
    from(run.block, -1);
}

} // namespace poselane::fuzzed
