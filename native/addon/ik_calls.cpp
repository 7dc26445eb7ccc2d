// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include <algorithm>

#include "rig_call.h"

namespace poselane {

namespace {

/// The lists that both calls have.
struct Aims {
    PosesView poses;
    View<float> targets;
    Weights weights;

    bool read(napi_env env, napi_value data, napi_value at, napi_value amounts, int count, const LoadedSlots& slots) {
        return poses.read(env, data, count, slots) && readVectors(env, at, &targets) &&
               weights.read(env, amounts, count) && !overlap(poses.range(), weights.range(count));
    }
    /// Three finite numbers for each pose.
    bool readVectors(napi_env env, napi_value value, View<float>* vectors) const {
        const size_t floats = static_cast<size_t>(poses.count) * 3;
        return readFloats(env, value, vectors) && vectors->length >= floats && areFinite(vectors->data, floats) &&
               !overlap(poses.range(), rangeOf(*vectors, floats));
    }
};

bool readSettings(napi_env env, napi_value value, float* first, size_t count) {
    View<float> list;
    if (!readFloats(env, value, &list) || list.length != count || !areFinite(list.data, count)) {
        return false;
    }
    std::copy_n(list.data, count, first);
    return true;
}

/// A place of the poses, whose slot has no matrix.
bool canTurn(const LoadedSlots& slots, int place) {
    return place >= 0 && place < slots.view.count && slots.view.matrices[place] < 0;
}

bool isBelow(const LoadedSlots& slots, int place, int ancestor) {
    while (place > ancestor) {
        place = slots.view.parents[place];
        if (place == ancestor) {
            return true;
        }
    }
    return false;
}

} // namespace

/// (data, count, chain, settings, targets, poles | null, weights, reached | null)
bool twoBoneIk(napi_env env, const napi_value* values, LoadedSlots& slots) {
    int count;
    bool hasPoles, reports;
    if (!readInt(env, values[1], 0, &count) || !readPresence(env, values[5], &hasPoles) ||
        !readPresence(env, values[7], &reports)) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    const FloatEnvironment environment;
    const size_t poseCount = static_cast<size_t>(count);
    Aims aims;
    View<const int32_t> chain;
    View<float> poles = {nullptr, 0};
    View<uint8_t> reached = {nullptr, 0};
    float settings[7];
    if (!aims.read(env, values[0], values[4], values[6], count, slots) || !readInts(env, values[2], &chain) ||
        chain.length != 3 || !readSettings(env, values[3], settings, 7) ||
        (hasPoles && !aims.readVectors(env, values[5], &poles)) ||
        (reports && (!readView(env, values[7], napi_uint8_array, &reached) || reached.length < poseCount))) {
        return false;
    }
    const ByteRange written = rangeOf(reached, reports ? poseCount : 0);
    if (overlap(written, aims.poses.range()) || overlap(written, rangeOf(aims.targets, poseCount * 3)) ||
        overlap(written, rangeOf(poles, hasPoles ? poseCount * 3 : 0)) || overlap(written, aims.weights.range(count))) {
        return false;
    }
    const int32_t places[3] = {readOnce(chain.data), readOnce(chain.data + 1), readOnce(chain.data + 2)};
    if (!canTurn(slots, places[0]) || !canTurn(slots, places[1]) || places[2] >= slots.view.count ||
        !isBelow(slots, places[1], places[0]) || !isBelow(slots, places[2], places[1])) {
        return false;
    }
    float weights[kPoses] = {};
    Limb limb = {places[0],
                 places[1],
                 places[2],
                 settings[3] != 0.0f,
                 settings[0],
                 {settings[1], settings[2]},
                 {settings[4], settings[5], settings[6]},
                 nullptr,
                 nullptr,
                 weights,
                 nullptr};
    for (size_t block = 0; block < aims.poses.blocks(); block++) {
        const int poses = aims.poses.inBlock(block);
        aims.weights.copy(weights, block, poses);
        limb.targets = aims.targets.data + block * kPoses * 3;
        limb.poles = hasPoles ? poles.data + block * kPoses * 3 : nullptr;
        limb.reached = reports ? reached.data + block * kPoses : nullptr;
        slots.rig->kernels->twoBoneIk(slots.rig->view, slots.view, aims.poses.block(block), poses, limb);
    }
    return true;
}

/// (data, count, path, until, length, settings, targets, weights)
bool aimIk(napi_env env, const napi_value* values, LoadedSlots& slots) {
    int count, length;
    if (!readInt(env, values[1], 0, &count) || !readInt(env, values[4], 1, &length) || length > kAimPath) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    const FloatEnvironment environment;
    const size_t steps = static_cast<size_t>(length);
    Aims aims;
    View<const int32_t> path;
    View<float> until;
    float settings[12];
    if (!aims.read(env, values[0], values[6], values[7], count, slots) || !readInts(env, values[2], &path) ||
        path.length < steps || !readFloats(env, values[3], &until) || until.length < steps ||
        !readSettings(env, values[5], settings, 12)) {
        return false;
    }
    int32_t places[kAimPath];
    float parts[kAimPath];
    for (size_t i = 0; i < steps; i++) {
        places[i] = readOnce(path.data + i);
        parts[i] = readOnce(until.data + i);
        const float before = i == 0 ? 0.0f : parts[i - 1];
        const bool follows = i == 0 || (places[i] >= 0 && places[i] < slots.view.count &&
                                        slots.view.parents[places[i]] == places[i - 1]);
        if (!follows || !(parts[i] >= before && parts[i] <= 1.0f) ||
            ((i == 0 || parts[i] > before) && !canTurn(slots, places[i]))) {
            return false;
        }
    }
    float weights[kPoses] = {};
    Aim aim = {length, places, parts, nullptr, weights, {}, {}, {}, {}};
    float* const vectors[] = {aim.forward, aim.up, aim.offset, aim.pole};
    for (int i = 0; i < 4; i++) {
        std::copy_n(settings + i * 3, 3, vectors[i]);
    }
    for (size_t block = 0; block < aims.poses.blocks(); block++) {
        const int poses = aims.poses.inBlock(block);
        aims.weights.copy(weights, block, poses);
        aim.targets = aims.targets.data + block * kPoses * 3;
        slots.rig->kernels->aimIk(slots.rig->view, slots.view, aims.poses.block(block), poses, aim);
    }
    return true;
}

} // namespace poselane
