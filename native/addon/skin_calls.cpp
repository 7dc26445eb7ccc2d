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
napi_value skinVertices(napi_env env, napi_callback_info info) {
    SlotsArguments<RigArguments::skinVertices> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    SkinCall call = {*arguments.subject, nullptr, nullptr, {}};
    int count;
    napi_valuetype normalsType;
    if (!readInt(env, values[1], 0, &count) || !call.readMesh(env, values[2]) ||
        napi_typeof(env, values[4], &normalsType) != napi_ok) {
        return refuse(env);
    }
    const MeshView& mesh = call.mesh->view;
    const bool normals = normalsType != napi_null && normalsType != napi_undefined;
    if (normals && mesh.normals == nullptr) {
        return refuse(env);
    }
    if (count == 0 || mesh.vertices == 0) {
        return done();
    }
    const size_t floats = static_cast<size_t>(mesh.vertices) * 3;
    const size_t all = static_cast<size_t>(count) * floats;
    View<float> outPositions, outNormals = {nullptr, 0};
    if (!call.poses.read(env, values[0], count, call.slots) ||
        !readOut(env, values[3], call.poses, static_cast<size_t>(count), floats, &outPositions) ||
        (normals && (!readOut(env, values[4], call.poses, static_cast<size_t>(count), floats, &outNormals) ||
                     overlap(rangeOf(outPositions, all), rangeOf(outNormals, all))))) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < call.poses.blocks(); block++) {
        const size_t at = block * kPoses * floats;
        call.slots.rig->kernels->skinVertices(mesh, call.block(block), outPositions.data + at,
                                              normals ? outNormals.data + at : nullptr);
    }
    return done();
}

/// (data, count, mesh, out)
napi_value bounds(napi_env env, napi_callback_info info) {
    SlotsArguments<RigArguments::bounds> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    SkinCall call = {*arguments.subject, nullptr, nullptr, {}};
    constexpr size_t kFloats = 6;
    int count;
    View<float> out;
    if (!readInt(env, values[1], 0, &count) || !call.readMesh(env, values[2]) || call.mesh->view.vertices == 0) {
        return refuse(env);
    }
    if (count == 0) {
        return done();
    }
    if (!call.poses.read(env, values[0], count, call.slots) ||
        !readOut(env, values[3], call.poses, static_cast<size_t>(count), kFloats, &out)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < call.poses.blocks(); block++) {
        call.slots.rig->kernels->bounds(call.mesh->view, call.block(block), out.data + block * kPoses * kFloats);
    }
    return done();
}

} // namespace poselane
