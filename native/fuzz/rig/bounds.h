// SPDX-License-Identifier: MIT
#pragma once

#include "meshes.h"

namespace poselane::fuzzed {

inline void bounds(RigRun& run) {
    forEachMesh(run, [&](const MeshTables&, const MeshView& mesh, const SkinBlock& skin) {
        const Filled boxes(patternOf(run.poses() * 6), run.work.offset);
        run.kernels.bounds(mesh, skin, boxes.list.data());
        boxes.addTo(run.results);
    });
}

} // namespace poselane::fuzzed
