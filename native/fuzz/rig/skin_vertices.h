// SPDX-License-Identifier: MIT
#pragma once

#include "meshes.h"

namespace poselane::fuzzed {

inline void skinVertices(RigRun& run) {
    forEachMesh(run, [&](const MeshTables& tables, const MeshView& mesh, const SkinBlock& skin) {
        const size_t floats = run.poses() * static_cast<size_t>(mesh.vertices) * 3;
        const Filled positions(patternOf(floats), run.work.offset), normals(patternOf(tables.normals ? floats : 0), 1);
        run.kernels.skinVertices(mesh, skin, positions.list.data(), tables.normals ? normals.list.data() : nullptr);
        positions.addTo(run.results);
        normals.addTo(run.results);
    });
}

} // namespace poselane::fuzzed
