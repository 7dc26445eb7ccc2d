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

/// Of a skin: what the 16 bits of an influence can name.
constexpr size_t kMaxJoints = 65536;

struct LoadedMesh {
    /// Of the joints that move it.
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

/// `tables.meshes`, MeshTables of lib/rig/kernels/contract.ts each, and the memory that skinning works in; tables
/// without it have none. The skins are there already. False where anything about them is wrong.
bool loadMeshes(napi_env env, Memory& memory, napi_value tables, LoadedRig* rig);

} // namespace poselane
