// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include "rig_call.h"

namespace poselane {

namespace {

/// Slots as a Uint16Array or an Int32Array.
struct SlotList {
    View<const uint16_t> narrow;
    View<const int32_t> wide;

    bool read(napi_env env, napi_value value) {
        wide = {nullptr, 0};
        if (readView(env, value, napi_uint16_array, &narrow)) {
            return narrow.length <= INT32_MAX;
        }
        narrow = {nullptr, 0};
        return readInts(env, value, &wide) && wide.length <= INT32_MAX;
    }
    size_t length() const { return narrow.data != nullptr ? narrow.length : wide.length; }
    ByteRange range() const {
        return narrow.data != nullptr ? rangeOf(narrow, narrow.length) : rangeOf(wide, wide.length);
    }
    /// A negative slot becomes a number that no rig has.
    size_t at(size_t i) const {
        return narrow.data != nullptr ? readOnce(narrow.data + i) : static_cast<size_t>(readOnce(wide.data + i));
    }
};

/// Finds the places of some slots. False when the poses lack one of them.
bool findPlaces(const LoadedSlots& slots, const SlotList& list, size_t first, size_t count, int32_t* places) {
    for (size_t i = 0; i < count; i++) {
        const size_t slot = list.at(first + i);
        if (slot >= slots.places.length || slots.places.data[slot] < 0) {
            return false;
        }
        places[i] = slots.places.data[slot];
    }
    return true;
}

} // namespace

/// (data, count, slots, out)
bool joints(napi_env env, const napi_value* values, LoadedSlots& slots) {
    const LoadedRig& rig = *slots.rig;
    int count;
    PosesView poses;
    SlotList list;
    View<float> out;
    if (!readInt(env, values[1], 0, &count)) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    if (!list.read(env, values[2]) || !poses.read(env, values[0], count, slots) ||
        !readOut(env, values[3], poses, static_cast<size_t>(count), list.length() * kGlobalFloats, &out)) {
        return false;
    }
    const size_t length = list.length();
    const size_t floats = length * kGlobalFloats;
    if (overlap(rangeOf(out, static_cast<size_t>(count) * floats), list.range())) {
        return false;
    }
    constexpr size_t kChunk = 256;
    int32_t places[kChunk];
    const auto chunkAt = [&](size_t first) { return length - first < kChunk ? length - first : kChunk; };
    for (size_t first = 0; first < length; first += kChunk) {
        if (!findPlaces(slots, list, first, chunkAt(first), places)) {
            return false;
        }
    }
    const FloatEnvironment environment;
    for (size_t first = 0; first < length; first += kChunk) {
        const size_t chunk = chunkAt(first);
        if (!findPlaces(slots, list, first, chunk, places)) {
            return false;
        }
        for (size_t block = 0; block < poses.blocks(); block++) {
            rig.kernels->joints(poses.block(block) + slots.globalsOffset(), poses.inBlock(block), places,
                                static_cast<int>(chunk), out.data + block * kPoses * floats + first * kGlobalFloats,
                                floats);
        }
    }
    return true;
}

} // namespace poselane
