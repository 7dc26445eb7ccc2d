// SPDX-License-Identifier: MIT

#include "box_calls.h"

#include <string.h>

#include "call.h"
#include "mesh_tables.h"
#include "rig_call.h"
#include "skin_clusters.h"

namespace poselane {

namespace {

constexpr uint32_t kPerPrimitive = 4;

/// Elements `4 n` to `4 n + 3` of the list. All are looked up before any memory is, because that may run code.
bool readPrimitive(napi_env env, napi_value list, uint32_t n, PrimitiveView* primitive) {
    napi_value values[kPerPrimitive];
    for (uint32_t i = 0; i < kPerPrimitive; i++) {
        if (napi_get_element(env, list, n * kPerPrimitive + i, &values[i]) != napi_ok) {
            return false;
        }
    }
    View<const float> positions, weights;
    View<const uint16_t> joints;
    int influences;
    if (!readView(env, values[0], napi_float32_array, &positions) ||
        !readView(env, values[1], napi_uint16_array, &joints) ||
        !readView(env, values[2], napi_float32_array, &weights) || !readInt(env, values[3], 1, &influences)) {
        return false;
    }
    const size_t each = static_cast<size_t>(influences);
    *primitive = {positions.data, joints.data, weights.data, positions.length / 3, each};
    return joints.length / each >= primitive->vertices && weights.length / each >= primitive->vertices;
}

/// use(primitive) for each; false where one is refused.
template <typename Use> bool forEachPrimitive(napi_env env, napi_value list, uint32_t count, Use use) {
    for (uint32_t n = 0; n < count; n++) {
        napi_handle_scope scope;
        if (napi_open_handle_scope(env, &scope) != napi_ok) {
            return false;
        }
        PrimitiveView primitive;
        const bool ok = readPrimitive(env, list, n, &primitive) && use(primitive);
        napi_close_handle_scope(env, scope);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/// (clusters, box, palette, rows)
napi_value addRows(napi_env env, napi_callback_info info) {
    RigArguments<3, SkinClusters> arguments;
    View<double> box;
    View<const float> palette;
    int rows;
    if (!arguments.read(env, info) || !readView(env, arguments.values[0], napi_float64_array, &box) || box.length < 6 ||
        !readView(env, arguments.values[1], napi_float32_array, &palette) ||
        !readInt(env, arguments.values[2], 0, &rows)) {
        return refuse(env);
    }
    SkinClusters* const clusters = arguments.subject;
    const size_t row = static_cast<size_t>(clusters->joints) * 16;
    const size_t count = static_cast<size_t>(rows);
    if (palette.length / row < count || overlap(rangeOf(box, 6), rangeOf(palette, count * row))) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    return addSkinnedRows(box.data, clusters, palette.data, count) ? done() : refuse(env);
}

/// (allocate, vertexBox, jointBoxes, joints, primitives): makes SkinClusters.
napi_value gather(napi_env env, napi_callback_info info) {
    Arguments<5> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value list = arguments.values[4];
    bool isArray = false;
    uint32_t length;
    int joints;
    if (!readInt(env, arguments.values[3], 1, &joints) || static_cast<size_t>(joints) > kMaxJoints ||
        napi_is_array(env, list, &isArray) != napi_ok || !isArray ||
        napi_get_array_length(env, list, &length) != napi_ok || length % kPerPrimitive != 0) {
        return refuse(env);
    }
    const uint32_t count = length / kPerPrimitive;
    size_t vertices = 0, influences = 0;
    SkinVertices gathered;
    CollectedMemory memory(env, arguments.values[0]);
    void* const piece = memory.allocate(sizeof(SkinClusters));
    if (piece == nullptr) {
        return refuse(env);
    }
    SkinClusters* const clusters = new (piece) SkinClusters();
    const FloatEnvironment environment;
    const bool clustered =
        forEachPrimitive(env, list, count,
                         [&](const PrimitiveView& primitive) {
                             vertices += primitive.vertices;
                             influences += primitive.vertices * primitive.influences;
                             return true;
                         }) &&
        gathered.reserve(vertices, influences) &&
        forEachPrimitive(env, list, count,
                         [&](const PrimitiveView& primitive) { return gathered.add(primitive, joints); }) &&
        gathered.cluster(memory, joints, clusters);
    View<double> box, jointBoxes;
    if (!clustered || !readView(env, arguments.values[1], napi_float64_array, &box) || box.length < 6 ||
        !readView(env, arguments.values[2], napi_float64_array, &jointBoxes) ||
        jointBoxes.length / 6 < clusters->jointBoxes.length ||
        overlap(rangeOf(box, 6), rangeOf(jointBoxes, clusters->jointBoxes.length * 6))) {
        return refuse(env);
    }
    gathered.addTo(box.data);
    static_assert(sizeof(CentredBox) == 6 * sizeof(double), "boxes are lists of six numbers in JavaScript");
    memcpy(jointBoxes.data, clusters->jointBoxes.data, clusters->jointBoxes.bytes());
    return done();
}

} // namespace

napi_value makeSkinBox(Builder& builder, napi_value closures) {
    const napi_value functions[] = {builder.function("gather", gather), builder.function("addRows", addRows)};
    return builder.closure(closures, "box", functions);
}

} // namespace poselane
