// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include "rig_call.h"

namespace poselane {

namespace {

/// Floats of a capsule, of a ray and of a placement.
constexpr size_t kFloats = 7;

struct CapsuleList {
    View<const int32_t> slots;
    View<float> ends;

    bool read(napi_env env, const napi_value* values) {
        return readInts(env, values[0], &slots) && readFloats(env, values[1], &ends) && length() <= INT32_MAX / 2 &&
               slots.length == length() * 2 && ends.length == length() * kFloats;
    }
    size_t length() const { return ends.length / kFloats; }
    size_t inTile(size_t first) const { return length() - first < kCapsules ? length() - first : kCapsules; }
    /// False when the poses lack a slot of the tile.
    bool findPlaces(const LoadedSlots& own, size_t first, int32_t* places) const {
        for (size_t i = 0; i < inTile(first) * 2; i++) {
            // A negative slot becomes a number that no rig has.
            const size_t slot = static_cast<size_t>(readOnce(slots.data + first * 2 + i));
            if (slot >= own.places.length || own.places.data[slot] < 0) {
                return false;
            }
            places[i] = own.places.data[slot];
        }
        return true;
    }
};

} // namespace

/// (data, count, slots, ends, rays, numRays, placements | null, outDistances, outCapsules)
bool castRays(napi_env env, const napi_value* values, LoadedSlots& slots) {
    int count, numRays;
    bool placed;
    if (!readInt(env, values[1], 0, &count) || !readInt(env, values[5], 0, &numRays) ||
        !readPresence(env, values[6], &placed)) {
        return false;
    }
    if (count == 0 || numRays == 0) {
        return true;
    }
    const size_t poseCount = static_cast<size_t>(count), rayCount = static_cast<size_t>(numRays);
    CapsuleList capsules;
    PosesView poses;
    View<float> rays, placements = {nullptr, 0}, distances;
    View<int32_t> numbers;
    if (!capsules.read(env, values + 2) || !poses.read(env, values[0], count, slots) ||
        !readFloats(env, values[4], &rays) || rays.length / kFloats < rayCount ||
        (placed && (!readFloats(env, values[6], &placements) || placements.length / kFloats < poseCount)) ||
        !readOut(env, values[7], poses, poseCount, rayCount, &distances) ||
        !readView(env, values[8], napi_int32_array, &numbers) || numbers.length / rayCount < poseCount) {
        return false;
    }
    const ByteRange written[] = {rangeOf(distances, poseCount * rayCount), rangeOf(numbers, poseCount * rayCount)};
    for (const ByteRange& out : written) {
        if (overlap(out, poses.range()) || overlap(out, rangeOf(placements, placed ? poseCount * kFloats : 0)) ||
            overlap(out, rangeOf(rays, rayCount * kFloats)) ||
            overlap(out, rangeOf(capsules.slots, capsules.slots.length)) ||
            overlap(out, rangeOf(capsules.ends, capsules.ends.length))) {
            return false;
        }
    }
    if (overlap(written[0], written[1])) {
        return false;
    }
    int32_t places[kCapsules * 2];
    for (size_t first = 0; first < capsules.length(); first += kCapsules) {
        if (!capsules.findPlaces(slots, first, places)) {
            return false;
        }
    }
    const FloatEnvironment environment;
    for (size_t first = 0; first < capsules.length(); first += kCapsules) {
        if (!capsules.findPlaces(slots, first, places)) {
            return false;
        }
        const CapsuleTile tile = {static_cast<int32_t>(first), static_cast<int32_t>(capsules.inTile(first)), places,
                                  capsules.ends.data + first * kFloats};
        for (size_t block = 0; block < poses.blocks(); block++) {
            const size_t pose = block * kPoses;
            slots.rig->kernels->castRays(poses.block(block) + slots.globalsOffset(), poses.inBlock(block), tile,
                                         placed ? placements.data + pose * kFloats : nullptr,
                                         {rays.data, rayCount, distances.data + pose, numbers.data + pose, poseCount});
        }
    }
    return true;
}

} // namespace poselane
