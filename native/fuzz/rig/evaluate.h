// SPDX-License-Identifier: MIT
#pragma once

#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "run.h"

namespace poselane::fuzzed {

inline void evaluate(RigRun& run) {
    const size_t groups = std::min(run.rig.groups, static_cast<size_t>(kLocatedGroups));
    Located* const located =
        static_cast<Located*>(aligned_alloc(alignof(Located), (groups == 0 ? 1 : groups) * sizeof(Located)));
    memset(static_cast<void*>(located), 0, groups * sizeof(Located));
    Workspace workspace = {located, 0};
    for (int i = 0; i < 2; i++) {
        float* const block = run.blocks[i].list.data();
        run.kernels.evaluate(run.rig.rig, run.rig.selected, block, run.work.times[i], &workspace);
        run.addPoses(block);
    }
    free(located);
}

} // namespace poselane::fuzzed
