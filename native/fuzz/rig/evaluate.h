// SPDX-License-Identifier: MIT
#pragma once

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "run.h"

namespace poselane::fuzzed {

inline void evaluate(RigRun& run) {
    const size_t groups = std::max(run.rig.groups, static_cast<size_t>(kLocatedGroups));
    Located* const located = static_cast<Located*>(aligned_alloc(alignof(Located), groups * sizeof(Located)));
    memset(static_cast<void*>(located), 0, groups * sizeof(Located));
    std::vector<float> rows(size_t{kPoses} * kRowFloats);
    Workspace workspace = {located, rows.data(), 0};
    for (int i = 0; i < 2; i++) {
        float* const block = run.blocks[i].list.data();
        run.kernels.evaluate(run.rig.rig, run.rig.selected, block, run.work.times[i], &workspace);
        run.addPoses(block);
    }
    free(located);
}

} // namespace poselane::fuzzed
