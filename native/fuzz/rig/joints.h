// SPDX-License-Identifier: MIT
#pragma once

#include "run.h"

namespace poselane::fuzzed {

inline void joints(RigRun& run) {
    if (run.joints() == 0) {
        return;
    }
    const size_t gap = run.work.gap, stride = run.work.places.size() * kGlobalFloats + gap;
    // Without the gap after the last pose.
    const Filled lists(patternOf(run.poses() * stride - gap), run.work.offset);
    run.kernels.joints(run.globals(), run.work.poses, run.places.data(), run.joints(), lists.list.data(), stride);
    lists.addTo(run.results);
}

} // namespace poselane::fuzzed
