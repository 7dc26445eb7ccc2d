// SPDX-License-Identifier: MIT
#include "rig_tables.h"

#include <float.h>
#include <math.h>

#include "../rig/row_tracks.h"
#include "mesh_tables.h"
#include "table_copies.h"
#include "views.h"

namespace poselane {

namespace {

bool checkMorphs(const LoadedRig& rig) {
    for (const Morph& morph : rig.morphs) {
        if (morph.firstWeight < 0 || morph.weights < 0 ||
            static_cast<size_t>(morph.firstWeight) + static_cast<size_t>(morph.weights) > rig.restWeights.length) {
            return false;
        }
    }
    return true;
}

bool checkGroup(const KeyGroup& group, const LoadedClip& clip) {
    const uint64_t end = uint64_t{group.firstKey} + group.keys + kKeysPadding;
    if (group.keys < 1 || end > clip.times.length || group.cellShift > 16 ||
        uint64_t{group.firstStart} + (kCells >> group.cellShift) > clip.starts.length ||
        group.firstFloat > clip.values.length ||
        uint64_t{group.keys} * group.rowFloats > clip.values.length - group.firstFloat) {
        return false;
    }
    const float* const times = clip.times.data + group.firstKey;
    for (uint32_t key = 0; key < group.keys; key++) {
        // Not <=, so that a NaN is refused.
        if (!isfinite(times[key]) || !(key == 0 || times[key] >= times[key - 1])) {
            return false;
        }
    }
    for (uint32_t key = group.keys; key < group.keys + kKeysPadding; key++) {
        if (!(times[key] > FLT_MAX)) {
            return false;
        }
    }
    for (int cell = 0; cell < kCells >> group.cellShift; cell++) {
        if (clip.starts.data[group.firstStart + static_cast<uint32_t>(cell)] >= group.keys) {
            return false;
        }
    }
    return true;
}

bool checkTrack(const Track& track, const LoadedClip& clip, size_t components) {
    if (track.group == -1) {
        return true;
    }
    if (track.group < 0 || static_cast<size_t>(track.group) >= clip.groups.length || track.kind < kStep ||
        track.kind > kCubicSpline || track.first < 0) {
        return false;
    }
    const size_t floats = track.kind == kCubicSpline ? components * 3 : components;
    return static_cast<size_t>(track.first) + floats <= clip.groups.data[track.group].rowFloats;
}

bool checkClip(const LoadedRig& rig, const LoadedClip& clip) {
    const size_t slots = static_cast<size_t>(rig.slots);
    if (clip.tracks.length != slots * kPaths || clip.morphTracks.length != rig.morphs.length ||
        clip.base.length != slots * kLocalFloats || clip.baseWeights.length != rig.restWeights.length) {
        return false;
    }
    for (const KeyGroup& group : clip.groups) {
        if (!checkGroup(group, clip)) {
            return false;
        }
    }
    for (size_t i = 0; i < clip.tracks.length; i++) {
        if (!checkTrack(clip.tracks.data[i], clip, i % kPaths == 1 ? 4 : 3)) {
            return false;
        }
    }
    for (size_t i = 0; i < clip.morphTracks.length; i++) {
        if (!checkTrack(clip.morphTracks.data[i], clip, static_cast<size_t>(rig.morphs.data[i].weights))) {
            return false;
        }
    }
    return true;
}

bool readFloat(napi_env env, napi_value tables, const char* name, float* to) {
    napi_value value;
    double number;
    if (!property(env, tables, name, &value) || napi_get_value_double(env, value, &number) != napi_ok) {
        return false;
    }
    *to = static_cast<float>(number);
    return true;
}

bool loadClip(napi_env env, Memory& memory, napi_value tables, const LoadedRig& rig, LoadedClip* clip) {
    if (!isObject(env, tables) || !readFloat(env, tables, "duration", &clip->duration) ||
        !readFloat(env, tables, "firstTime", &clip->firstTime) ||
        !readFloat(env, tables, "cellsPerSecond", &clip->cellsPerSecond) ||
        !copyArray(env, memory, tables, "groups", napi_uint32_array, &clip->groups) ||
        !copyFloats(env, memory, tables, "times", &clip->times) ||
        !copyArray(env, memory, tables, "starts", napi_uint16_array, &clip->starts) ||
        !copyFloats(env, memory, tables, "values", &clip->values, kValuesPadding * sizeof(float)) ||
        !copyInts(env, memory, tables, "tracks", &clip->tracks) ||
        !copyInts(env, memory, tables, "morphTracks", &clip->morphTracks) ||
        !copyFloats(env, memory, tables, "base", &clip->base, kBasePadding * sizeof(float)) ||
        !copyFloats(env, memory, tables, "baseWeights", &clip->baseWeights)) {
        return false;
    }
    return isfinite(clip->duration) && clip->duration >= 0.0f && checkClip(rig, *clip);
}

bool loadSkin(napi_env env, Memory& memory, napi_value tables, const LoadedRig& rig, LoadedSkin* skin) {
    return isObject(env, tables) && copyInts(env, memory, tables, "joints", &skin->slots) &&
           copyFloats(env, memory, tables, "inverseBinds", &skin->inverseBinds) &&
           skin->slots.length <= kMaxFloats / (size_t{16} * kPoses) &&
           skin->inverseBinds.length == skin->slots.length * kGlobalFloats &&
           areIndices(skin->slots, static_cast<size_t>(rig.slots), 0);
}

bool load(napi_env env, Memory& memory, napi_value tables, LoadedRig* rig) {
    napi_value value;
    if (!isObject(env, tables) || !property(env, tables, "slots", &value) || !readInt(env, value, 0, &rig->slots) ||
        !copyFloats(env, memory, tables, "rest", &rig->rest) ||
        !copyFloats(env, memory, tables, "restWeights", &rig->restWeights) ||
        !copyFloats(env, memory, tables, "matrices", &rig->matrices) ||
        !copyInts(env, memory, tables, "morphs", &rig->morphs)) {
        return false;
    }
    const size_t slots = static_cast<size_t>(rig->slots);
    if (rig->rest.length != slots * kLocalFloats ||
        slots * (kLocalFloats + kGlobalFloats) + rig->restWeights.length > kMaxFloats / kPoses || !checkMorphs(*rig)) {
        return false;
    }
    return copyList(env, memory, tables, "skins", &rig->skins,
                    [&](napi_value skin, LoadedSkin* to) { return loadSkin(env, memory, skin, *rig, to); }) &&
           copyList(env, memory, tables, "clips", &rig->clips,
                    [&](napi_value clip, LoadedClip* to) { return loadClip(env, memory, clip, *rig, to); }) &&
           loadMeshes(env, memory, tables, rig);
}

bool makeViews(Memory& memory, LoadedRig* rig) {
    if (!rig->clipViews.allocate(memory, rig->clips.length)) {
        return false;
    }
    for (size_t i = 0; i < rig->clips.length; i++) {
        const LoadedClip& clip = rig->clips.data[i];
        rig->clipViews.data[i] = {
            clip.duration,    clip.firstTime,        clip.cellsPerSecond, static_cast<int32_t>(clip.groups.length),
            clip.values.data, clip.groups.data,      clip.times.data,     clip.starts.data,
            clip.tracks.data, clip.morphTracks.data, clip.base.data,      clip.baseWeights.data};
        rig->groups = rig->groups < clip.groups.length ? clip.groups.length : rig->groups;
    }
    rig->view = {static_cast<int>(rig->restWeights.length),
                 static_cast<int>(rig->morphs.length),
                 rig->rest.data,
                 rig->restWeights.data,
                 reinterpret_cast<const float*>(rig->matrices.data),
                 rig->morphs.data,
                 rig->clipViews.data};
    return true;
}

/// Whether `places` is the inverse of `slots`.
bool placesMatch(const LoadedSlots& slots) {
    size_t told = 0;
    for (size_t slot = 0; slot < slots.places.length; slot++) {
        const int32_t place = slots.places.data[slot];
        if (place >= 0) {
            told++;
            if (slots.slots.data[place] != static_cast<int32_t>(slot)) {
                return false;
            }
        }
    }
    return told == slots.slots.length;
}

bool check(const LoadedSlots& slots) {
    const LoadedRig& rig = *slots.rig;
    const size_t count = slots.slots.length;
    if (slots.places.length != static_cast<size_t>(rig.slots) || count > slots.places.length ||
        slots.parents.length != count || slots.matrices.length != count ||
        !areIndices(slots.slots, slots.places.length, 0) || !areIndices(slots.places, count, -1) ||
        !areIndices(slots.matrices, rig.matrices.length, -1) || !placesMatch(slots)) {
        return false;
    }
    for (size_t place = 0; place < count; place++) {
        const int32_t parent = slots.parents.data[place];
        if (parent < -1 || parent >= static_cast<int64_t>(place)) {
            return false;
        }
    }
    return true;
}

/// Finds the places of some slots of the rig; leaves the list empty when the poses lack one of them.
bool findPlaces(Memory& memory, const LoadedSlots& slots, const Array<int32_t>& of, Array<int32_t>* places) {
    for (int32_t slot : of) {
        if (slots.places.data[slot] < 0) {
            return true;
        }
    }
    if (!places->allocate(memory, of.length)) {
        return false;
    }
    for (size_t i = 0; i < of.length; i++) {
        places->data[i] = slots.places.data[of.data[i]];
    }
    return true;
}

/// For each skin, or each mesh, the places of its joints.
template <typename Entry>
bool findAllPlaces(Memory& memory, const LoadedSlots& slots, const Array<Entry>& entries,
                   Array<Array<int32_t>>* places) {
    if (!places->allocate(memory, entries.length)) {
        return false;
    }
    for (size_t i = 0; i < entries.length; i++) {
        if (!findPlaces(memory, slots, entries.data[i].slots, places->data + i)) {
            return false;
        }
    }
    return true;
}

bool load(napi_env env, Memory& memory, napi_value tables, LoadedSlots* slots) {
    if (!isObject(env, tables) || !copyInts(env, memory, tables, "slots", &slots->slots) ||
        !copyInts(env, memory, tables, "places", &slots->places) ||
        !copyInts(env, memory, tables, "parents", &slots->parents) ||
        !copyInts(env, memory, tables, "matrices", &slots->matrices) || !check(*slots) ||
        !findAllPlaces(memory, *slots, slots->rig->skins, &slots->skinPlaces) ||
        !findAllPlaces(memory, *slots, slots->rig->meshes, &slots->meshPlaces) ||
        !slots->located.allocate(memory, slots->rig->groups < kLocatedGroups ? kLocatedGroups : slots->rig->groups) ||
        !slots->rows.allocate(memory, kPoses * kRowFloats)) {
        return false;
    }
    const bool bakes = slots->rig->skins.length > 0 && slots->rig->clips.length > 0;
    if (bakes && slots->slots.length == slots->places.length &&
        (!slots->block.allocate(memory, slots->blockFloats()) ||
         !slots->globals.allocate(memory, (slots->slots.length + kPoses - 1) * kGlobalFloats))) {
        return false;
    }
    const int clips = static_cast<int>(slots->rig->clips.length);
    slots->view = {static_cast<int>(slots->slots.length), slots->slots.data, slots->parents.data, slots->matrices.data,
                   nullptr};
    if (!slots->tracks.allocate(memory, listTracks(slots->rig->view, slots->view, clips, nullptr))) {
        return false;
    }
    listTracks(slots->rig->view, slots->view, clips, slots->tracks.data);
    slots->view.tracks = slots->tracks.data;
    slots->workspace = {slots->located.data, slots->rows.data, 0, slots->block.data, slots->globals.data};
    return true;
}

} // namespace

bool loadTables(napi_env env, Memory& memory, const RigKernels* kernels, napi_value tables) {
    void* const piece = memory.allocate(sizeof(LoadedRig));
    if (piece == nullptr) {
        return false;
    }
    LoadedRig* const rig = new (piece) LoadedRig();
    rig->kernels = kernels;
    return load(env, memory, tables, rig) && makeViews(memory, rig);
}

bool loadSlots(napi_env env, Memory& memory, LoadedRig* rig, napi_value tables) {
    void* const piece = memory.allocate(sizeof(LoadedSlots));
    if (piece == nullptr) {
        return false;
    }
    LoadedSlots* const slots = new (piece) LoadedSlots();
    slots->rig = rig;
    return load(env, memory, tables, slots);
}

} // namespace poselane
