// SPDX-License-Identifier: MIT
//
// The meshes of a rig that was loaded: checked as its other tables are, and repacked for kernels that have vertices in
// lanes.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>
#include <stdint.h>

#include "../rig/rig.h"
#include "arrays.h"

namespace poselane {

/// Maximum number of a skin's joints: the 16 bits of an influence name one.
constexpr size_t kMaxJoints = 65536;

struct LoadedMesh {
    /// Slots of the joints that move the mesh.
    Array<int32_t> slots;
    Array<float> inverseBinds;
    Array<float> positions;
    Array<float> normals;
    Array<uint32_t> influenceMatrices;
    Array<float> influenceWeights;
    Array<uint32_t> morphStarts;
    Array<uint32_t> morphTargets;
    Array<float> morphPositions;
    Array<float> morphNormals;

    MeshView view = {};
};

struct LoadedRig;

/// Loads `tables.meshes`, each the MeshTables of lib/rig/kernels/contract.ts, and allocates the memory that skinning
/// works in. Tables without `meshes` have none. The skins must be loaded already. False when any value is invalid.
bool loadMeshes(napi_env env, Memory& memory, napi_value tables, LoadedRig* rig);

} // namespace poselane
