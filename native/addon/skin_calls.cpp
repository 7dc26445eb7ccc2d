// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include "rig_call.h"

namespace poselane {

namespace {

/// A mesh and the poses that move it.
struct SkinCall {
    const LoadedSlots& slots;
    const LoadedMesh* mesh;
    const Array<int32_t>* places;
    PosesView poses;

    /// The poses have all joints of the mesh.
    bool readMesh(napi_env env, napi_value index) {
        const LoadedRig& rig = *slots.rig;
        int number;
        if (!readInt(env, index, 0, &number) || static_cast<size_t>(number) >= rig.meshes.length) {
            return false;
        }
        mesh = rig.meshes.data + number;
        places = slots.meshPlaces.data + number;
        return places->length == mesh->slots.length;
    }
    SkinBlock block(size_t index) const {
        const LoadedRig& rig = *slots.rig;
        const float* const at = poses.block(index);
        return {poses.inBlock(index),
                at + slots.globalsOffset(),
                at + slots.weightsOffset(),
                places->data,
                {rig.skinMatrices.data, rig.morphWeights.data}};
    }
};

} // namespace

/// (data, count, mesh, outPositions, outNormals | null)
bool skinVertices(napi_env env, const napi_value* values, LoadedSlots& slots) {
    SkinCall call = {slots, nullptr, nullptr, {}};
    int count;
    bool normals;
    if (!readInt(env, values[1], 0, &count) || !call.readMesh(env, values[2]) ||
        !readPresence(env, values[4], &normals) || (normals && call.mesh->view.normals == nullptr)) {
        return false;
    }
    const MeshView& mesh = call.mesh->view;
    if (count == 0 || mesh.vertices == 0) {
        return true;
    }
    const size_t floats = static_cast<size_t>(mesh.vertices) * 3;
    const size_t all = static_cast<size_t>(count) * floats;
    View<float> outPositions, outNormals = {nullptr, 0};
    if (!call.poses.read(env, values[0], count, call.slots) ||
        !readOut(env, values[3], call.poses, static_cast<size_t>(count), floats, &outPositions) ||
        (normals && (!readOut(env, values[4], call.poses, static_cast<size_t>(count), floats, &outNormals) ||
                     overlap(rangeOf(outPositions, all), rangeOf(outNormals, all))))) {
        return false;
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < call.poses.blocks(); block++) {
        const size_t at = block * kPoses * floats;
        call.slots.rig->kernels->skinVertices(mesh, call.block(block), outPositions.data + at,
                                              normals ? outNormals.data + at : nullptr);
    }
    return true;
}

/// (data, count, mesh, out)
bool bounds(napi_env env, const napi_value* values, LoadedSlots& slots) {
    SkinCall call = {slots, nullptr, nullptr, {}};
    constexpr size_t kFloats = 6;
    int count;
    View<float> out;
    if (!readInt(env, values[1], 0, &count) || !call.readMesh(env, values[2]) || call.mesh->view.vertices == 0) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    if (!call.poses.read(env, values[0], count, call.slots) ||
        !readOut(env, values[3], call.poses, static_cast<size_t>(count), kFloats, &out)) {
        return false;
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < call.poses.blocks(); block++) {
        call.slots.rig->kernels->bounds(call.mesh->view, call.block(block), out.data + block * kPoses * kFloats);
    }
    return true;
}

} // namespace poselane
