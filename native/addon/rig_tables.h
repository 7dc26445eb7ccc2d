// SPDX-License-Identifier: MIT
//
// A rig that was loaded: its tables, copied from JavaScript and checked, so that kernels may address memory with what
// is in them.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>
#include <stdint.h>

#include "../joint.h"
#include "../rig/rig.h"
#include "mesh_tables.h"
#include "rig_arrays.h"

namespace poselane {

struct LoadedSkin {
    OwnedArray<int32_t> slots;
    OwnedArray<float> inverseBinds;
};

struct LoadedClip {
    float duration;
    OwnedArray<KeyGroup> groups;
    OwnedArray<float> times;
    OwnedArray<float> values;
    OwnedArray<Track> tracks;
    OwnedArray<Track> morphTracks;
    OwnedArray<float> base;
    OwnedArray<float> baseWeights;
};

/// Alive as long as any function that JavaScript holds refers to it.
struct LoadedRig {
    int references = 1;
    const RigKernels* kernels = nullptr;
    /// What all of it takes.
    int64_t bytes = 0;

    int slots = 0;
    OwnedArray<float> rest;
    OwnedArray<float> restWeights;
    OwnedArray<JointMat> matrices;
    OwnedArray<Morph> morphs;
    OwnedArray<LoadedSkin> skins;
    OwnedArray<LoadedClip> clips;
    OwnedArray<LoadedMesh> meshes;
    /// The most that a clip has.
    size_t groups = 0;

    /// The same for kernels.
    RigView view = {};
    OwnedArray<Clip> clipViews;

    /// What skinning works in: enough for every mesh.
    OwnedArray<float> skinMatrices;
    OwnedArray<float> morphWeights;
};

/// `tables`: RigTables of lib/rig/kernel-contract.ts, or SkinningTables. Null where anything about them is wrong.
LoadedRig* loadTables(napi_env env, const RigKernels* kernels, napi_value tables);

/// The slots that some poses have.
struct LoadedSlots {
    int references = 0;
    LoadedRig* rig = nullptr;
    int64_t bytes = 0;

    OwnedArray<int32_t> slots;
    OwnedArray<int32_t> places;
    OwnedArray<int32_t> parents;
    OwnedArray<int32_t> matrices;
    int hintGroups = 0;
    /// For each skin the places of its joints; null where the poses do not have them all.
    OwnedArray<OwnedArray<int32_t>> skinPlaces;
    /// The same for each mesh and the joints that move it.
    OwnedArray<OwnedArray<int32_t>> meshPlaces;
    OwnedArray<Located> located;

    SlotsView view = {};
    Workspace workspace = {};

    /// Floats of a block of 16 poses.
    size_t blockFloats() const {
        return (slots.length * (kLocalFloats + kGlobalFloats) + static_cast<size_t>(rig->view.weights)) * kPoses;
    }
    size_t globalsOffset() const { return slots.length * kLocalFloats * kPoses; }
    size_t weightsOffset() const { return slots.length * (kLocalFloats + kGlobalFloats) * kPoses; }
};

/// `tables`: SlotTables of lib/rig/kernel-contract.ts. Null where anything about them is wrong. Does not touch
/// `rig->references`.
LoadedSlots* loadSlots(napi_env env, LoadedRig* rig, napi_value tables);

} // namespace poselane
