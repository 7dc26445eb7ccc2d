// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include <math.h>

#include "../rig/implementations.h"
#include "../rig/wrap_time.h"
#include "rig_call.h"
#include "skin_calls.h"
#include "timer.h"

namespace poselane {

namespace {

template <typename Number> bool areFinite(const Number* list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(list[i])) {
            return false;
        }
    }
    return true;
}

bool isNumber(napi_env env, napi_value value, double* number) {
    return napi_get_value_double(env, value, number) == napi_ok;
}

/// One clip for all poses or one for each.
struct ClipList {
    int same;
    View<const uint16_t> each;

    bool read(napi_env env, napi_value value, size_t count, size_t clips) {
        double number;
        each = {nullptr, 0};
        if (isNumber(env, value, &number)) {
            return readInt(env, value, 0, &same) && static_cast<size_t>(same) < clips;
        }
        if (!readView(env, value, napi_uint16_array, &each) || each.length < count) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            if (each.data[i] >= clips) {
                return false;
            }
        }
        return true;
    }
    int at(size_t pose) const { return each.data == nullptr ? same : readOnce(each.data + pose); }
};

/// Float32 or float64.
struct TimeList {
    View<const float> floats;
    View<const double> doubles;

    bool read(napi_env env, napi_value value, size_t count) {
        floats = {nullptr, 0};
        doubles = {nullptr, 0};
        if (readView(env, value, napi_float32_array, &floats)) {
            return floats.length >= count && areFinite(floats.data, count);
        }
        floats = {nullptr, 0};
        return readView(env, value, napi_float64_array, &doubles) && doubles.length >= count &&
               areFinite(doubles.data, count);
    }
    ByteRange range(size_t count) const {
        return floats.data != nullptr ? rangeOf(floats, count) : rangeOf(doubles, count);
    }
    double at(size_t pose) const {
        return floats.data != nullptr ? static_cast<double>(floats.data[pose]) : doubles.data[pose];
    }
    double wrapped(size_t pose, float duration) const {
        return floats.data != nullptr ? wrapTime<float>(floats.data[pose], duration)
                                      : wrapTime<double>(doubles.data[pose], duration);
    }
};

/// What `evaluate` is given.
struct Evaluation {
    LoadedSlots& slots;
    PosesView poses;
    View<uint16_t> hints;
    ClipList clips;
    TimeList times;
    bool wrap;

    /// @param values (data, hints, count, clips, times, wrap), with `count` read already.
    /// @param total Clips and times.
    bool read(napi_env env, const napi_value* values, int count, size_t total) {
        const LoadedRig& rig = *slots.rig;
        hints = {nullptr, 0};
        if (napi_get_value_bool(env, values[5], &wrap) != napi_ok || !poses.read(env, values[0], count, slots) ||
            !clips.read(env, values[3], total, rig.clips.length) || !times.read(env, values[4], total)) {
            return false;
        }
        const size_t allHints = poses.blocks() * blockHints();
        if (allHints > 0 && (!readView(env, values[1], napi_uint16_array, &hints) || hints.length < allHints)) {
            return false;
        }
        const ByteRange written[] = {poses.range(), rangeOf(hints, allHints)};
        for (const ByteRange& range : written) {
            if (readsFrom(range, total)) {
                return false;
            }
        }
        return !overlap(written[0], written[1]);
    }

    /// Whether these bytes are, in part, clips or times.
    bool readsFrom(const ByteRange& range, size_t total) const {
        return overlap(range, times.range(total)) || overlap(range, rangeOf(clips.each, total));
    }

    /// Evaluates a block of the poses, for the clips and times from `first` on. False where another thread changed the
    /// clips.
    bool run(size_t block, size_t first) const {
        const LoadedRig& rig = *slots.rig;
        BlockTimes at;
        at.poses = poses.inBlock(block);
        for (int i = 0; i < at.poses; i++) {
            const size_t pose = first + static_cast<size_t>(i);
            const int clip = clips.at(pose);
            if (static_cast<size_t>(clip) >= rig.clips.length) {
                return false;
            }
            at.clips[i] = clip;
            at.times[i] = wrap ? times.wrapped(pose, rig.view.clips[clip].duration) : times.at(pose);
        }
        uint16_t* const here = hints.data == nullptr ? nullptr : hints.data + block * blockHints();
        rig.kernels->evaluate(rig.view, slots.view, poses.block(block), here, at, &slots.workspace);
        return true;
    }

private:
    size_t blockHints() const { return static_cast<size_t>(slots.hintGroups) * kPoses; }
};

/// (data, hints, count, clips, times, wrap)
napi_value evaluate(napi_env env, napi_callback_info info) {
    RigArguments<6, LoadedSlots> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    int count;
    if (!readInt(env, arguments.values[2], 0, &count)) {
        return refuse(env);
    }
    if (isNothing(*arguments.subject, count)) {
        return done();
    }
    Evaluation evaluation = {*arguments.subject, {}, {}, {}, {}, false};
    if (!evaluation.read(env, arguments.values, count, static_cast<size_t>(count))) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < evaluation.poses.blocks(); block++) {
        if (!evaluation.run(block, block * kPoses)) {
            return refuse(env);
        }
    }
    return done();
}

/// (out, a, b, count, weights, mask | null, additive)
napi_value blend(napi_env env, napi_callback_info info) {
    RigArguments<7, LoadedSlots> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    const LoadedSlots& slots = *arguments.subject;
    const LoadedRig& rig = *slots.rig;
    int count;
    bool additive;
    if (!readInt(env, values[3], 0, &count) || napi_get_value_bool(env, values[6], &additive) != napi_ok) {
        return refuse(env);
    }
    if (isNothing(slots, count)) {
        return done();
    }
    // From here on, because a weight for all is rounded to float32.
    const FloatEnvironment environment;
    const size_t poseCount = static_cast<size_t>(count);
    PosesView out, a, b;
    double number = 0.0;
    View<float> weights = {nullptr, 0};
    const bool same = isNumber(env, values[4], &number);
    const float weight = static_cast<float>(number);
    if (!out.read(env, values[0], count, slots) || !a.read(env, values[1], count, slots) ||
        !b.read(env, values[2], count, slots) || !isfinite(weight) ||
        (!same && (!readFloats(env, values[4], &weights) || weights.length < poseCount ||
                   !areFinite(weights.data, poseCount)))) {
        return refuse(env);
    }
    napi_valuetype maskType;
    View<float> mask = {nullptr, 0};
    if (napi_typeof(env, values[5], &maskType) != napi_ok ||
        (maskType != napi_null && maskType != napi_undefined &&
         (!readFloats(env, values[5], &mask) || mask.length < static_cast<size_t>(rig.slots) ||
          !areFinite(mask.data, static_cast<size_t>(rig.slots))))) {
        return refuse(env);
    }
    const auto apart = [&](const PosesView& operand) {
        return operand.data.data == out.data.data || !overlap(out.range(), operand.range());
    };
    if (!apart(a) || !apart(b) || overlap(out.range(), rangeOf(weights, poseCount)) ||
        overlap(out.range(), rangeOf(mask, mask.length))) {
        return refuse(env);
    }
    for (size_t block = 0; block < out.blocks(); block++) {
        float here[kPoses] = {};
        const int poses = out.inBlock(block);
        for (int i = 0; i < poses; i++) {
            here[i] = same ? weight : weights.data[block * kPoses + static_cast<size_t>(i)];
        }
        rig.kernels->blend(rig.view, slots.view, out.block(block), a.block(block), b.block(block), poses, here,
                           mask.data, additive);
    }
    return done();
}

/// (data, count)
napi_value toGlobal(napi_env env, napi_callback_info info) {
    RigArguments<2, LoadedSlots> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const LoadedSlots& slots = *arguments.subject;
    const LoadedRig& rig = *slots.rig;
    int count;
    PosesView poses;
    if (!readInt(env, arguments.values[1], 0, &count)) {
        return refuse(env);
    }
    if (isNothing(slots, count)) {
        return done();
    }
    if (!poses.read(env, arguments.values[0], count, slots)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < poses.blocks(); block++) {
        rig.kernels->toGlobal(rig.view, slots.view, poses.block(block), poses.inBlock(block));
    }
    return done();
}

/// Lists of more bytes than this are written past the caches: more than a second-level cache keeps for whoever reads
/// them next.
constexpr size_t kStreamedBytes = size_t{2} << 20;

/// What `palettes` is given, the poses aside.
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
    /// Of a pose.
    size_t floats() const { return places->length * (mat4 ? 16 : 12); }

    bool readList(napi_env env, napi_value array, const PosesView& poses, size_t count) {
        streamed = count * floats() * sizeof(float) > kStreamedBytes;
        return readOut(env, array, poses, count, floats(), &out);
    }
    /// Writes the poses of a block as those from `first` on.
    void run(const PosesView& poses, size_t block, size_t first) const {
        const RigKernels& kernels = *slots.rig->kernels;
        const auto write = streamed ? kernels.streamPalettes : kernels.palettes;
        write(poses.block(block) + slots.globalsOffset(), poses.inBlock(block), places->data, skin->inverseBinds.data,
              static_cast<int>(places->length), out.data + first * floats(), mat4);
    }
    /// After the last block: what went past the caches is there for other threads.
    void finish() const {
        if (streamed) {
            finishWrites();
        }
    }
};

/// (data, count, skin, out, mat4)
napi_value palettes(napi_env env, napi_callback_info info) {
    RigArguments<5, LoadedSlots> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    const LoadedSlots& slots = *arguments.subject;
    PaletteList list = {slots, nullptr, nullptr, false, {}, false};
    int count;
    if (!readInt(env, values[1], 0, &count) || !list.readSkin(env, values[2], values[4])) {
        return refuse(env);
    }
    if (count == 0 || list.floats() == 0) {
        return done();
    }
    PosesView poses;
    if (!poses.read(env, values[0], count, slots) ||
        !list.readList(env, values[3], poses, static_cast<size_t>(count))) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < poses.blocks(); block++) {
        list.run(poses, block, block * kPoses);
    }
    list.finish();
    return done();
}

/// (data, hints, capacity, clips, times, wrap, count, skin, out, mat4)
napi_value bakePalettes(napi_env env, napi_callback_info info) {
    RigArguments<10, LoadedSlots> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    LoadedSlots& slots = *arguments.subject;
    const LoadedRig& rig = *slots.rig;
    PaletteList list = {slots, nullptr, nullptr, false, {}, false};
    int capacity, count;
    if (!readInt(env, values[2], 1, &capacity) || !readInt(env, values[6], 0, &count) ||
        !list.readSkin(env, values[7], values[9])) {
        return refuse(env);
    }
    if (count == 0 || list.floats() == 0) {
        return done();
    }
    const size_t total = static_cast<size_t>(count);
    Evaluation evaluation = {slots, {}, {}, {}, {}, false};
    PosesView& poses = evaluation.poses;
    if (!evaluation.read(env, values, count < capacity ? count : capacity, total) ||
        !list.readList(env, values[8], poses, total) ||
        evaluation.readsFrom(rangeOf(list.out, total * list.floats()), total) ||
        overlap(rangeOf(evaluation.hints, evaluation.hints.length), rangeOf(list.out, total * list.floats()))) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    for (size_t first = 0; first < total; first += static_cast<size_t>(capacity)) {
        const size_t left = total - first;
        poses.count = left < static_cast<size_t>(capacity) ? static_cast<int>(left) : capacity;
        // A block goes all the way while it is in the cache.
        for (size_t block = 0; block < poses.blocks(); block++) {
            const size_t at = first + block * kPoses;
            if (!evaluation.run(block, at)) {
                return refuse(env);
            }
            rig.kernels->toGlobal(rig.view, slots.view, poses.block(block), poses.inBlock(block));
            list.run(poses, block, at);
        }
    }
    list.finish();
    return done();
}

/// The places of some slots. False where one is not there.
bool findPlaces(const LoadedSlots& slots, const uint16_t* list, size_t count, int32_t* places) {
    for (size_t i = 0; i < count; i++) {
        const uint16_t slot = readOnce(list + i);
        if (slot >= slots.places.length || slots.places.data[slot] < 0) {
            return false;
        }
        places[i] = slots.places.data[slot];
    }
    return true;
}

/// (data, count, slots, out)
napi_value joints(napi_env env, napi_callback_info info) {
    RigArguments<4, LoadedSlots> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    const LoadedSlots& slots = *arguments.subject;
    const LoadedRig& rig = *slots.rig;
    int count;
    PosesView poses;
    View<const uint16_t> list;
    View<float> out;
    if (!readInt(env, values[1], 0, &count)) {
        return refuse(env);
    }
    if (count == 0) {
        return done();
    }
    if (!readView(env, values[2], napi_uint16_array, &list) || list.length > INT32_MAX ||
        !poses.read(env, values[0], count, slots) ||
        !readOut(env, values[3], poses, static_cast<size_t>(count), list.length * kGlobalFloats, &out)) {
        return refuse(env);
    }
    const size_t floats = list.length * kGlobalFloats;
    if (overlap(rangeOf(out, static_cast<size_t>(count) * floats), rangeOf(list, list.length))) {
        return refuse(env);
    }
    constexpr size_t kChunk = 256;
    int32_t places[kChunk];
    const auto chunkAt = [&](size_t first) { return list.length - first < kChunk ? list.length - first : kChunk; };
    for (size_t first = 0; first < list.length; first += kChunk) {
        if (!findPlaces(slots, list.data + first, chunkAt(first), places)) {
            return refuse(env);
        }
    }
    const FloatEnvironment environment;
    for (size_t first = 0; first < list.length; first += kChunk) {
        const size_t chunk = chunkAt(first);
        if (!findPlaces(slots, list.data + first, chunk, places)) {
            return refuse(env);
        }
        for (size_t block = 0; block < poses.blocks(); block++) {
            rig.kernels->joints(poses.block(block) + slots.globalsOffset(), poses.inBlock(block), places,
                                static_cast<int>(chunk), out.data + block * kPoses * floats + first * kGlobalFloats,
                                floats);
        }
    }
    return done();
}

/// A clip of a usual rig has some arrays of a few hundred bytes, and one that is large.
constexpr size_t kShared = 4096;

/// (allocate, tables): makes a LoadedRig.
napi_value load(napi_env env, napi_callback_info info) {
    Arguments<2, const RigKernels> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    CollectedMemory memory(env, arguments.values[0], kShared);
    return loadTables(env, memory, arguments.data, arguments.values[1]) ? done() : refuse(env);
}

/// (allocate, rig, slots): makes a LoadedSlots.
napi_value select(napi_env env, napi_callback_info info) {
    Arguments<3> arguments;
    LoadedRig* rig;
    if (!arguments.read(env, info) || !readCollected(env, arguments.values[1], &rig)) {
        return refuse(env);
    }
    CollectedMemory memory(env, arguments.values[0], kShared);
    return loadSlots(env, memory, rig, arguments.values[2]) ? done() : refuse(env);
}

/// (max, rows, samples, nearest, joints, boxes)
napi_value playbackError(napi_env env, napi_callback_info info) {
    Arguments<6, const RigKernels> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const napi_value* const values = arguments.values;
    View<double> max;
    View<float> rows, samples;
    View<const uint8_t> nearest;
    View<const double> boxes;
    int joints;
    if (!readView(env, values[0], napi_float64_array, &max) || !readFloats(env, values[1], &rows) ||
        !readFloats(env, values[2], &samples) || !readView(env, values[3], napi_uint8_array, &nearest) ||
        !readInt(env, values[4], 1, &joints) || !readView(env, values[5], napi_float64_array, &boxes)) {
        return refuse(env);
    }
    const size_t row = static_cast<size_t>(joints) * 16;
    const size_t intervals = nearest.length;
    // Divisions, because products of what is given could wrap round.
    if (max.length < 2 || boxes.length / kBoxNumbers < static_cast<size_t>(joints) || rows.length / row <= intervals ||
        samples.length / row / kPlaybackSamples < intervals) {
        return refuse(env);
    }
    const ByteRange written = rangeOf(max, 2);
    if (overlap(written, rangeOf(rows, rows.length)) || overlap(written, rangeOf(samples, samples.length)) ||
        overlap(written, rangeOf(nearest, nearest.length)) || overlap(written, rangeOf(boxes, boxes.length))) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    arguments.data->playbackError(max.data, rows.data, samples.data, nearest.data, intervals,
                                  static_cast<size_t>(joints), boxes.data);
    return done();
}

struct RigList {
    Builder& builder;
    napi_value closures;
    napi_value array;
};

void append(void* context, const RigKernels& kernels, const char* unavailable) {
    const RigList& list = *static_cast<RigList*>(context);
    Builder& builder = list.builder;
    const napi_value entry = builder.object();
    builder.set(entry, "name", builder.string(kernels.name));
    if (unavailable == nullptr) {
        const napi_value functions[] = {
            builder.function("load", load, &kernels),
            builder.function("select", select),
            builder.function("evaluate", evaluate),
            builder.function("blend", blend),
            builder.function("toGlobal", toGlobal),
            builder.function("palettes", palettes),
            builder.function("joints", joints),
            builder.function("bakePalettes", bakePalettes),
            builder.function("skinVertices", skinVertices),
            builder.function("bounds", bounds),
        };
        builder.set(entry, "load", builder.closure(list.closures, "rig", functions));
        builder.set(entry, "playbackError", builder.function("playbackError", playbackError, &kernels));
    } else {
        builder.set(entry, "unavailable", builder.string(unavailable));
    }
    builder.append(list.array, entry);
}

} // namespace

napi_value listRigs(Builder& builder, napi_value closures) {
    RigList list = {builder, closures, builder.array()};
    forEachRigImplementation(append, &list);
    return list.array;
}

} // namespace poselane
