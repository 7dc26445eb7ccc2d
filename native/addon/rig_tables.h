// SPDX-License-Identifier: MIT
//
// A loaded rig: its tables, copied from JavaScript and checked, so kernels can use their contents as offsets.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>
#include <stdint.h>

#include "../core/joint.h"
#include "../rig/kernels.h"
#include "arrays.h"
#include "mesh_tables.h"

namespace poselane {

struct LoadedSkin {
    Array<int32_t> slots;
    Array<float> inverseBinds;
};

struct LoadedClip {
    float duration;
    float firstTime, cellsPerSecond;
    Array<KeyGroup> groups;
    Array<float> times;
    Array<uint16_t> starts;
    Array<float> values;
    Array<Track> tracks;
    Array<Track> morphTracks;
    Array<float> base;
    Array<float> baseWeights;
};

struct LoadedRig {
    const RigKernels* kernels = nullptr;

    int slots = 0;
    Array<float> rest;
    Array<float> restWeights;
    Array<JointMat> matrices;
    Array<Morph> morphs;
    Array<LoadedSkin> skins;
    Array<LoadedClip> clips;
    Array<LoadedMesh> meshes;
    /// Maximum number of groups of a clip.
    size_t groups = 0;

    /// The same tables as kernels read them.
    RigView view = {};
    Array<Clip> clipViews;

    /// Memory that skinning works in, enough for every mesh.
    Array<float> skinMatrices;
    Array<float> morphWeights;
};

/// Makes a LoadedRig the first piece of `memory`. `tables`: RigTables of lib/rig/kernels/contract.ts, or
/// SkinningTables. False when any value in them is invalid.
bool loadTables(napi_env env, Memory& memory, const RigKernels* kernels, napi_value tables);

/// The slots that some poses have.
struct LoadedSlots {
    LoadedRig* rig = nullptr;

    Array<int32_t> slots;
    Array<int32_t> places;
    Array<int32_t> parents;
    Array<int32_t> matrices;
    /// For each skin the places of its joints; null where the poses do not have them all.
    Array<Array<int32_t>> skinPlaces;
    /// The same for each mesh and the joints that move it.
    Array<Array<int32_t>> meshPlaces;
    Array<int32_t> tracks;
    Array<Located> located;
    Array<float> rows;
    /// Null where slots of the rig are missing: no poses are made without a list then.
    Array<float> block;
    Array<float> globals;

    SlotsView view = {};
    Workspace workspace = {};

    /// Floats of a block of 16 poses.
    size_t blockFloats() const {
        return (slots.length * (kLocalFloats + kGlobalFloats) + static_cast<size_t>(rig->view.weights)) * kPoses;
    }
    size_t globalsOffset() const { return slots.length * kLocalFloats * kPoses; }
    size_t weightsOffset() const { return slots.length * (kLocalFloats + kGlobalFloats) * kPoses; }
};

/// Makes a LoadedSlots the first piece of `memory`. `tables`: SlotTables of lib/rig/kernels/contract.ts. False when any
/// value in them is invalid. The rig must live as long.
bool loadSlots(napi_env env, Memory& memory, LoadedRig* rig, napi_value tables);

} // namespace poselane
