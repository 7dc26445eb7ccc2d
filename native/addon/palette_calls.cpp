// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include "evaluation.h"
#include "timer.h"

namespace poselane {

namespace {

/// Lists of more bytes than this are written past the caches: a second-level cache would not keep them for their next
/// reader.
constexpr size_t kStreamedBytes = size_t{2} << 20;

/// The arguments of `palettes` besides the poses.
struct PaletteList {
    const LoadedSlots& slots;
    const LoadedSkin* skin;
    const Array<int32_t>* places;
    bool mat4;
    View<float> out;
    bool streamed;

    /// False where there is no such skin, or the poses do not have all of its joints.
    bool readSkin(napi_env env, napi_value skinValue, napi_value mat4Value) {
        const LoadedRig& rig = *slots.rig;
        int index;
        if (!readInt(env, skinValue, 0, &index) || static_cast<size_t>(index) >= rig.skins.length ||
            napi_get_value_bool(env, mat4Value, &mat4) != napi_ok) {
            return false;
        }
        skin = rig.skins.data + index;
        places = slots.skinPlaces.data + index;
        return places->length == skin->slots.length;
    }
    /// Floats of a pose.
    size_t floats() const { return places->length * (mat4 ? 16 : 12); }

    bool readList(napi_env env, napi_value array, const PosesView& poses, size_t count) {
        streamed = count * floats() * sizeof(float) > kStreamedBytes;
        return readOut(env, array, poses, count, floats(), &out);
    }
    SkinPalettes skinPalettes() const {
        return {places->data, skin->inverseBinds.data, static_cast<int>(places->length), mat4, streamed};
    }
    /// Writes the poses of a block as those from `first` on.
    void run(const PosesView& poses, size_t block, size_t first) const {
        const RigKernels& kernels = *slots.rig->kernels;
        const auto write = streamed ? kernels.streamPalettes : kernels.palettes;
        write(poses.block(block) + slots.globalsOffset(), poses.inBlock(block), places->data, skin->inverseBinds.data,
              static_cast<int>(places->length), out.data + first * floats(), mat4);
    }
    /// Call it after the last block: it makes bytes written past the caches visible to other threads.
    void finish() const {
        if (streamed) {
            finishWrites();
        }
    }
};

} // namespace

/// (data, count, skin, out, mat4)
bool palettes(napi_env env, const napi_value* values, LoadedSlots& slots) {
    PaletteList list = {slots, nullptr, nullptr, false, {}, false};
    int count;
    if (!readInt(env, values[1], 0, &count) || !list.readSkin(env, values[2], values[4])) {
        return false;
    }
    if (count == 0 || list.floats() == 0) {
        return true;
    }
    PosesView poses;
    if (!poses.read(env, values[0], count, slots) ||
        !list.readList(env, values[3], poses, static_cast<size_t>(count))) {
        return false;
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < poses.blocks(); block++) {
        list.run(poses, block, block * kPoses);
    }
    list.finish();
    return true;
}

/// (data | null, capacity, clips, times, wrap, count, skin, out, mat4): without `data`, no poses are kept.
bool bakePalettes(napi_env env, const napi_value* values, LoadedSlots& slots) {
    const LoadedRig& rig = *slots.rig;
    PaletteList list = {slots, nullptr, nullptr, false, {}, false};
    bool kept;
    int capacity, count;
    if (!readPresence(env, values[0], &kept) || !readInt(env, values[1], 1, &capacity) ||
        !readInt(env, values[5], 0, &count) || !list.readSkin(env, values[6], values[8])) {
        return false;
    }
    if (count == 0 || list.floats() == 0) {
        return true;
    }
    const size_t total = static_cast<size_t>(count);
    Evaluation evaluation = {slots, {}, {}, {}, {}};
    PosesView& poses = evaluation.poses;
    const bool isRead = kept ? evaluation.read(env, values, count < capacity ? count : capacity, total)
                             : slots.block.data != nullptr && evaluation.readTimes(env, values, total);
    if (!isRead || !list.readList(env, values[7], poses, total) ||
        evaluation.readsFrom(rangeOf(list.out, total * list.floats()), total)) {
        return false;
    }
    const FloatEnvironment environment;
    const size_t step = kept ? static_cast<size_t>(capacity) : kPoses;
    for (size_t first = 0; first < total; first += step) {
        const int here = static_cast<int>(total - first < step ? total - first : step);
        if (!kept) {
            BlockTimes at;
            if (!evaluation.timesOf(first, here, &at)) {
                return false;
            }
            rig.kernels->bakePalettes(rig.view, slots.view, at, list.skinPalettes(),
                                      list.out.data + first * list.floats(), &slots.workspace);
            continue;
        }
        poses.count = here;
        // A block goes through all kernels while it is in the cache.
        for (size_t block = 0; block < poses.blocks(); block++) {
            const size_t at = first + block * kPoses;
            if (!evaluation.run(block, at)) {
                return false;
            }
            rig.kernels->toGlobal(rig.view, slots.view, poses.block(block), poses.inBlock(block), -1);
            list.run(poses, block, at);
        }
    }
    list.finish();
    return true;
}

} // namespace poselane
