// SPDX-License-Identifier: MIT
#include "mesh_tables.h"

#include "rig_tables.h"
#include "table_copies.h"
#include "views.h"

namespace poselane {

namespace {

/// MeshTables before they are repacked: see lib/rig/kernels/contract.ts.
struct MeshTables {
    int skin, vertexCount, sets, firstWeight, targetCount;
    Array<float> positions;
    Array<float> normals;
    Array<int32_t> joints;
    Array<uint32_t> starts;
    Array<uint16_t> influenceJoints;
    Array<float> influenceWeights;
    Array<uint32_t> morphStarts;
    Array<uint32_t> morphTargets;
    Array<float> morphPositions;
    Array<float> morphNormals;

    size_t vertices() const { return static_cast<size_t>(vertexCount); }
};

bool copyNumber(napi_env env, napi_value object, const char* name, int min, int* number) {
    napi_value value;
    return property(env, object, name, &value) && readInt(env, value, min, number);
}

bool copyMesh(napi_env env, Memory& memory, napi_value from, MeshTables* to) {
    return isObject(env, from) && copyNumber(env, from, "skin", -1, &to->skin) &&
           copyNumber(env, from, "vertexCount", 0, &to->vertexCount) && copyNumber(env, from, "sets", 0, &to->sets) &&
           copyNumber(env, from, "firstWeight", 0, &to->firstWeight) &&
           copyNumber(env, from, "targetCount", 0, &to->targetCount) &&
           copyFloats(env, memory, from, "positions", &to->positions) &&
           copyFloats(env, memory, from, "normals", &to->normals) &&
           copyInts(env, memory, from, "joints", &to->joints) &&
           copyArray(env, memory, from, "starts", napi_uint32_array, &to->starts) &&
           copyArray(env, memory, from, "influenceJoints", napi_uint16_array, &to->influenceJoints) &&
           copyFloats(env, memory, from, "influenceWeights", &to->influenceWeights) &&
           copyArray(env, memory, from, "morphStarts", napi_uint32_array, &to->morphStarts) &&
           copyArray(env, memory, from, "morphTargets", napi_uint32_array, &to->morphTargets) &&
           copyFloats(env, memory, from, "morphPositions", &to->morphPositions) &&
           copyFloats(env, memory, from, "morphNormals", &to->morphNormals);
}

/// Whether entry i of a list of `entries` begins at starts[i] and ends at starts[i + 1], at most `max` entries.
bool areStarts(const Array<uint32_t>& starts, size_t count, size_t entries, size_t max) {
    if (starts.length != count + 1 || starts.data[0] != 0 || starts.data[count] != entries) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (starts.data[i + 1] < starts.data[i] || starts.data[i + 1] - starts.data[i] > max) {
            return false;
        }
    }
    return true;
}

template <typename Number> bool areBelow(const Array<Number>& list, size_t limit) {
    for (Number number : list) {
        if (number >= limit) {
            return false;
        }
    }
    return true;
}

bool checkInfluences(const MeshTables& mesh) {
    const size_t sets = static_cast<size_t>(mesh.sets);
    const size_t influences = mesh.influenceJoints.length;
    if (mesh.influenceWeights.length != influences ||
        !areStarts(mesh.starts, mesh.vertices() * sets, influences, kInfluences) ||
        !areBelow(mesh.influenceJoints, mesh.joints.length)) {
        return false;
    }
    for (size_t vertex = 0; vertex < mesh.vertices(); vertex++) {
        if (mesh.starts.data[vertex * sets] == mesh.starts.data[vertex * sets + sets]) {
            return false;
        }
    }
    return true;
}

bool checkMorphs(const MeshTables& mesh, const LoadedRig& rig) {
    const size_t entries = mesh.morphTargets.length;
    const size_t targets = static_cast<size_t>(mesh.targetCount);
    if (static_cast<size_t>(mesh.firstWeight) + targets > rig.restWeights.length ||
        mesh.morphPositions.length != entries * 3 ||
        mesh.morphNormals.length != (mesh.normals.length == 0 ? 0 : entries * 3)) {
        return false;
    }
    return targets == 0
               ? entries == 0 && mesh.morphStarts.length == 0
               : areStarts(mesh.morphStarts, mesh.vertices(), entries, targets) && areBelow(mesh.morphTargets, targets);
}

bool checkMesh(const MeshTables& mesh, const LoadedRig& rig) {
    if (mesh.skin >= 0 && static_cast<size_t>(mesh.skin) >= rig.skins.length) {
        return false;
    }
    const size_t skinJoints = mesh.skin < 0 ? 0 : rig.skins.data[mesh.skin].slots.length;
    const size_t floats = mesh.vertices() * 3;
    return mesh.joints.length <= kMaxJoints && areIndices(mesh.joints, skinJoints, 0) &&
           mesh.positions.length == floats && (mesh.normals.length == 0 || mesh.normals.length == floats) &&
           checkInfluences(mesh) && checkMorphs(mesh, rig);
}

/// Places behind the last vertex repeat it.
size_t vertexAt(const MeshTables& mesh, size_t place) { return place < mesh.vertices() ? place : mesh.vertices() - 1; }

size_t blocksOf(const MeshTables& mesh) { return (mesh.vertices() + kVertices - 1) / kVertices; }

/// [vertex][3] to [block][3][16].
bool packVectors(Memory& memory, const MeshTables& mesh, const Array<float>& from, Array<float>* to) {
    const size_t places = from.length == 0 ? 0 : blocksOf(mesh) * kVertices;
    if (!to->allocate(memory, places * 3)) {
        return false;
    }
    for (size_t place = 0; place < places; place++) {
        const float* const vector = from.data + vertexAt(mesh, place) * 3;
        float* const at = to->data + place / kVertices * kVertices * 3 + place % kVertices;
        for (size_t axis = 0; axis < 3; axis++) {
            at[axis * kVertices] = vector[axis];
        }
    }
    return true;
}

bool packInfluences(Memory& memory, const MeshTables& mesh, size_t matrixFloats, LoadedMesh* to) {
    const size_t sets = static_cast<size_t>(mesh.sets);
    const size_t places = blocksOf(mesh) * kVertices;
    if (!to->influenceMatrices.allocate(memory, places * sets * kInfluences) ||
        !to->influenceWeights.allocate(memory, places * sets * kInfluences)) {
        return false;
    }
    for (size_t place = 0; place < places; place++) {
        for (size_t set = 0; set < sets; set++) {
            const size_t row = vertexAt(mesh, place) * sets + set;
            const size_t block = place / kVertices;
            const size_t at = ((block * sets + set) * kVertices + place % kVertices) * kInfluences;
            for (size_t i = 0; i < kInfluences; i++) {
                const size_t influence = mesh.starts.data[row] + i;
                const bool isThere = influence < mesh.starts.data[row + 1];
                const size_t matrix = isThere ? size_t{1} + mesh.influenceJoints.data[influence] : 0;
                to->influenceMatrices.data[at + i] = static_cast<uint32_t>(matrix * matrixFloats);
                to->influenceWeights.data[at + i] = isThere ? mesh.influenceWeights.data[influence] : 1.0f;
            }
        }
    }
    return true;
}

bool packJoints(Memory& memory, const MeshTables& mesh, const LoadedRig& rig, LoadedMesh* to) {
    if (!to->slots.allocate(memory, mesh.joints.length) ||
        !to->inverseBinds.allocate(memory, mesh.joints.length * kGlobalFloats)) {
        return false;
    }
    for (size_t i = 0; i < mesh.joints.length; i++) {
        const LoadedSkin& skin = rig.skins.data[mesh.skin];
        const size_t joint = static_cast<size_t>(mesh.joints.data[i]);
        to->slots.data[i] = skin.slots.data[joint];
        memcpy(to->inverseBinds.data + i * kGlobalFloats, skin.inverseBinds.data + joint * kGlobalFloats,
               kGlobalFloats * sizeof(float));
    }
    return true;
}

bool packMorphs(Memory& memory, const MeshTables& mesh, LoadedMesh* to) {
    return to->morphStarts.copy(memory, mesh.morphStarts.data, mesh.morphStarts.length) &&
           to->morphTargets.copy(memory, mesh.morphTargets.data, mesh.morphTargets.length) &&
           to->morphPositions.copy(memory, mesh.morphPositions.data, mesh.morphPositions.length) &&
           to->morphNormals.copy(memory, mesh.morphNormals.data, mesh.morphNormals.length);
}

bool packMesh(Memory& memory, const MeshTables& mesh, const LoadedRig& rig, LoadedMesh* to) {
    if (!packJoints(memory, mesh, rig, to) || !packVectors(memory, mesh, mesh.positions, &to->positions) ||
        !packVectors(memory, mesh, mesh.normals, &to->normals) ||
        !packInfluences(memory, mesh, static_cast<size_t>(rig.kernels->matrixFloats), to) ||
        !packMorphs(memory, mesh, to)) {
        return false;
    }
    to->view = {mesh.vertexCount,
                static_cast<int>(mesh.joints.length),
                mesh.sets,
                mesh.firstWeight,
                mesh.targetCount,
                to->positions.data,
                to->normals.length == 0 ? nullptr : to->normals.data,
                to->influenceMatrices.data,
                to->influenceWeights.data,
                to->inverseBinds.data,
                to->morphStarts.data,
                to->morphTargets.data,
                to->morphPositions.data,
                to->morphNormals.data};
    return true;
}

bool allocateScratch(Memory& memory, LoadedRig* rig) {
    size_t matrices = 0, targets = 0;
    for (const LoadedMesh& mesh : rig->meshes) {
        const size_t own = static_cast<size_t>(mesh.view.joints) + 1,
                     ownTargets = static_cast<size_t>(mesh.view.targets);
        matrices = matrices < own ? own : matrices;
        targets = targets < ownTargets ? ownTargets : targets;
    }
    return rig->skinMatrices.allocate(memory, matrices * kPoses * static_cast<size_t>(rig->kernels->matrixFloats)) &&
           rig->morphWeights.allocate(memory, targets);
}

} // namespace

bool loadMeshes(napi_env env, Memory& memory, napi_value tables, LoadedRig* rig) {
    napi_value meshes;
    napi_valuetype type;
    if (!property(env, tables, "meshes", &meshes) || napi_typeof(env, meshes, &type) != napi_ok) {
        return false;
    }
    if (type == napi_undefined) {
        return true;
    }
    return copyList(env, memory, tables, "meshes", &rig->meshes,
                    [&](napi_value element, LoadedMesh* to) {
                        HeapMemory heap;
                        MeshTables mesh;
                        return copyMesh(env, heap, element, &mesh) && checkMesh(mesh, *rig) &&
                               packMesh(memory, mesh, *rig, to);
                    }) &&
           allocateScratch(memory, rig);
}

} // namespace poselane
