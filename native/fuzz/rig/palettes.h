// SPDX-License-Identifier: MIT
#pragma once

#include "../finding.h"
#include "run.h"

namespace poselane::fuzzed {

/// Through the caches and past them.
inline void palettes(RigRun& run) {
    const Work& work = run.work;
    if (run.joints() == 0) {
        return;
    }
    const size_t floats = run.poses() * work.places.size() * (work.mat4 ? 16 : 12);
    const Filled palettes(patternOf(floats), work.offset), streamed(patternOf(floats), work.offset);
    const auto write = [&](GatherPalettes* kernel, const Filled& out) {
        kernel(run.globals(), work.poses, run.places.data(), run.inverseBinds.data(), run.joints(), out.list.data(),
               work.mat4);
    };
    write(run.kernels.palettes, palettes);
    write(run.kernels.streamPalettes, streamed);
    if (firstDifference(palettes.list.data(), streamed.list.data(), floats) < floats) {
        fail("%s: streamPalettes and palettes differ", run.kernels.name);
    }
    palettes.addTo(run.results);
}

} // namespace poselane::fuzzed
