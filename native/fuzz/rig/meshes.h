// SPDX-License-Identifier: MIT
//
// The meshes of a rig, as an implementation reads them, and the memory that it skins them in.
#pragma once

#include "run.h"

namespace poselane::fuzzed {

/// Calls `body(tables, mesh, skin)` for each mesh.
template <class Body> void forEachMesh(RigRun& run, Body body) {
    const size_t matrixFloats = static_cast<size_t>(run.kernels.matrixFloats);
    for (const MeshTables& tables : run.rig.meshes) {
        MeshView mesh = tables.view;
        std::vector<uint32_t> matrices = tables.influences;
        for (uint32_t& matrix : matrices) {
            matrix *= static_cast<uint32_t>(matrixFloats);
        }
        const Placed<uint32_t> influences(matrices.data(), matrices.size(), 0);
        mesh.influenceMatrices = influences.data();
        const Filled scratch(patternOf((static_cast<size_t>(mesh.joints) + 1) * kPoses * matrixFloats), 0);
        const Filled targets(patternOf(static_cast<size_t>(mesh.targets)), 0);
        body(tables, mesh,
             SkinBlock{run.work.poses,
                       run.globals(),
                       run.block + run.rig.weightsOffset(),
                       tables.places,
                       {scratch.list.data(), targets.list.data()}});
    }
}

} // namespace poselane::fuzzed
