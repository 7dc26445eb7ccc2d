// SPDX-License-Identifier: MIT
#include "rig_tables.h"

#include <math.h>

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
    if (group.keys < 1 || uint64_t{group.firstKey} + group.keys > clip.times.length ||
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

bool loadClip(napi_env env, napi_value tables, const LoadedRig& rig, LoadedClip* clip) {
    napi_value value;
    double duration;
    if (!isObject(env, tables) || !property(env, tables, "duration", &value) ||
        napi_get_value_double(env, value, &duration) != napi_ok ||
        !copyArray(env, tables, "groups", napi_uint32_array, &clip->groups) ||
        !copyFloats(env, tables, "times", &clip->times) ||
        !copyFloats(env, tables, "values", &clip->values, kValuesPadding * sizeof(float)) ||
        !copyInts(env, tables, "tracks", &clip->tracks) || !copyInts(env, tables, "morphTracks", &clip->morphTracks) ||
        !copyFloats(env, tables, "base", &clip->base) || !copyFloats(env, tables, "baseWeights", &clip->baseWeights)) {
        return false;
    }
    clip->duration = static_cast<float>(duration);
    return isfinite(clip->duration) && clip->duration >= 0.0f && checkClip(rig, *clip);
}

bool loadSkin(napi_env env, napi_value tables, const LoadedRig& rig, LoadedSkin* skin) {
    return isObject(env, tables) && copyInts(env, tables, "joints", &skin->slots) &&
           copyFloats(env, tables, "inverseBinds", &skin->inverseBinds) &&
           skin->slots.length <= kMaxFloats / (size_t{16} * kPoses) &&
           skin->inverseBinds.length == skin->slots.length * kGlobalFloats &&
           areIndices(skin->slots, static_cast<size_t>(rig.slots), 0);
}

bool load(napi_env env, napi_value tables, LoadedRig* rig) {
    napi_value value;
    if (!isObject(env, tables) || !property(env, tables, "slots", &value) || !readInt(env, value, 0, &rig->slots) ||
        !copyFloats(env, tables, "rest", &rig->rest) || !copyFloats(env, tables, "restWeights", &rig->restWeights) ||
        !copyFloats(env, tables, "matrices", &rig->matrices) || !copyInts(env, tables, "morphs", &rig->morphs)) {
        return false;
    }
    const size_t slots = static_cast<size_t>(rig->slots);
    if (rig->rest.length != slots * kLocalFloats ||
        slots * (kLocalFloats + kGlobalFloats) + rig->restWeights.length > kMaxFloats / kPoses || !checkMorphs(*rig)) {
        return false;
    }
    return copyList(env, tables, "skins", &rig->skins,
                    [&](napi_value skin, LoadedSkin* to) { return loadSkin(env, skin, *rig, to); }) &&
           copyList(env, tables, "clips", &rig->clips,
                    [&](napi_value clip, LoadedClip* to) { return loadClip(env, clip, *rig, to); }) &&
           loadMeshes(env, tables, rig);
}

bool makeViews(LoadedRig* rig) {
    if (!rig->clipViews.allocate(rig->clips.length)) {
        return false;
    }
    rig->bytes += static_cast<int64_t>(sizeof(LoadedRig) + rig->rest.bytes() + rig->restWeights.bytes() +
                                       rig->matrices.bytes() + rig->morphs.bytes());
    for (const LoadedSkin& skin : rig->skins) {
        rig->bytes += static_cast<int64_t>(sizeof(LoadedSkin) + skin.slots.bytes() + skin.inverseBinds.bytes());
    }
    for (size_t i = 0; i < rig->clips.length; i++) {
        const LoadedClip& clip = rig->clips.data[i];
        rig->clipViews.data[i] = {clip.duration,    clip.groups.data,      clip.times.data, clip.values.data,
                                  clip.tracks.data, clip.morphTracks.data, clip.base.data,  clip.baseWeights.data};
        rig->groups = rig->groups < clip.groups.length ? clip.groups.length : rig->groups;
        rig->bytes += static_cast<int64_t>(sizeof(LoadedClip) + sizeof(Clip) + clip.groups.bytes() +
                                           clip.times.bytes() + clip.values.bytes() + clip.tracks.bytes() +
                                           clip.morphTracks.bytes() + clip.base.bytes() + clip.baseWeights.bytes());
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

/// Whether every slot's place is where `slots` has it, and all places are told.
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
        !areIndices(slots.matrices, rig.matrices.length, -1) || !placesMatch(slots) ||
        (rig.groups > 0 && slots.hintGroups < 1)) {
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

/// The places of some slots of the rig; none where the poses do not have them all.
bool findPlaces(LoadedSlots* slots, const OwnedArray<int32_t>& of, OwnedArray<int32_t>* places) {
    for (int32_t slot : of) {
        if (slots->places.data[slot] < 0) {
            return true;
        }
    }
    if (!places->allocate(of.length)) {
        return false;
    }
    for (size_t i = 0; i < of.length; i++) {
        places->data[i] = slots->places.data[of.data[i]];
    }
    slots->bytes += static_cast<int64_t>(places->bytes());
    return true;
}

/// For each skin, or each mesh, the places of its joints.
template <typename Entry>
bool findAllPlaces(LoadedSlots* slots, const OwnedArray<Entry>& entries, OwnedArray<OwnedArray<int32_t>>* places) {
    if (!places->allocate(entries.length)) {
        return false;
    }
    for (size_t i = 0; i < entries.length; i++) {
        if (!findPlaces(slots, entries.data[i].slots, places->data + i)) {
            return false;
        }
    }
    return true;
}

bool load(napi_env env, napi_value tables, LoadedSlots* slots) {
    napi_value value;
    if (!isObject(env, tables) || !copyInts(env, tables, "slots", &slots->slots) ||
        !copyInts(env, tables, "places", &slots->places) || !copyInts(env, tables, "parents", &slots->parents) ||
        !copyInts(env, tables, "matrices", &slots->matrices) || !property(env, tables, "hintGroups", &value) ||
        !readInt(env, value, 0, &slots->hintGroups) || !check(*slots) ||
        !findAllPlaces(slots, slots->rig->skins, &slots->skinPlaces) ||
        !findAllPlaces(slots, slots->rig->meshes, &slots->meshPlaces) || !slots->located.allocate(slots->rig->groups)) {
        return false;
    }
    slots->bytes += static_cast<int64_t>(sizeof(LoadedSlots) + slots->slots.bytes() * 3 + slots->places.bytes() +
                                         slots->located.bytes());
    slots->view = {static_cast<int>(slots->slots.length), slots->slots.data, slots->parents.data, slots->matrices.data,
                   slots->hintGroups};
    slots->workspace = {slots->located.data, 0};
    return true;
}

} // namespace

LoadedRig* loadTables(napi_env env, const RigKernels* kernels, napi_value tables) {
    LoadedRig* const rig = new LoadedRig();
    rig->kernels = kernels;
    if (load(env, tables, rig) && makeViews(rig)) {
        return rig;
    }
    delete rig;
    return nullptr;
}

LoadedSlots* loadSlots(napi_env env, LoadedRig* rig, napi_value tables) {
    LoadedSlots* const slots = new LoadedSlots();
    slots->rig = rig;
    if (load(env, tables, slots)) {
        return slots;
    }
    delete slots;
    return nullptr;
}

} // namespace poselane
