// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include <math.h>

#include "../rig/implementations.h"
#include "../rig/wrap_time.h"
#include "rig_call.h"
#include "skin_calls.h"

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

/// (data, hints, count, clips, times, wrap)
napi_value evaluate(napi_env env, napi_callback_info info) {
    const RigArguments<6, LoadedSlots> arguments(env, info);
    const napi_value* const values = arguments.values;
    LoadedSlots& slots = *arguments.subject;
    const LoadedRig& rig = *slots.rig;
    int count;
    bool wrap;
    if (!readInt(env, values[2], 0, &count) || napi_get_value_bool(env, values[5], &wrap) != napi_ok) {
        return refuse(env);
    }
    if (isNothing(slots, count)) {
        return done();
    }
    PosesView poses;
    ClipList clips;
    TimeList times;
    View<uint16_t> hints = {nullptr, 0};
    const size_t poseCount = static_cast<size_t>(count);
    const size_t blockHints = static_cast<size_t>(slots.hintGroups) * kPoses;
    if (!poses.read(env, values[0], count, slots) || !clips.read(env, values[3], poseCount, rig.clips.length) ||
        !times.read(env, values[4], poseCount)) {
        return refuse(env);
    }
    const size_t allHints = poses.blocks() * blockHints;
    if (blockHints > 0 && (!readView(env, values[1], napi_uint16_array, &hints) || hints.length < allHints)) {
        return refuse(env);
    }
    const ByteRange written[] = {poses.range(), rangeOf(hints, allHints)};
    if (overlap(written[0], written[1])) {
        return refuse(env);
    }
    for (const ByteRange& range : written) {
        if (overlap(range, times.range(poseCount)) || overlap(range, rangeOf(clips.each, poseCount))) {
            return refuse(env);
        }
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < poses.blocks(); block++) {
        BlockTimes at;
        at.poses = poses.inBlock(block);
        for (int i = 0; i < at.poses; i++) {
            const size_t pose = block * kPoses + static_cast<size_t>(i);
            const int clip = clips.at(pose);
            if (static_cast<size_t>(clip) >= rig.clips.length) {
                return refuse(env);
            }
            at.clips[i] = clip;
            at.times[i] = wrap ? times.wrapped(pose, rig.view.clips[clip].duration) : times.at(pose);
        }
        uint16_t* const here = hints.data == nullptr ? nullptr : hints.data + block * blockHints;
        rig.kernels->evaluate(rig.view, slots.view, poses.block(block), here, at, &slots.workspace);
    }
    return done();
}

/// (out, a, b, count, weights, mask | null, additive)
napi_value blend(napi_env env, napi_callback_info info) {
    const RigArguments<7, LoadedSlots> arguments(env, info);
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
    const FloatEnvironment environment;
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
    const RigArguments<2, LoadedSlots> arguments(env, info);
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

/// (data, count, skin, out, mat4)
napi_value palettes(napi_env env, napi_callback_info info) {
    const RigArguments<5, LoadedSlots> arguments(env, info);
    const napi_value* const values = arguments.values;
    const LoadedSlots& slots = *arguments.subject;
    const LoadedRig& rig = *slots.rig;
    int count, skinIndex;
    bool mat4;
    if (!readInt(env, values[1], 0, &count) || !readInt(env, values[2], 0, &skinIndex) ||
        static_cast<size_t>(skinIndex) >= rig.skins.length || napi_get_value_bool(env, values[4], &mat4) != napi_ok) {
        return refuse(env);
    }
    const LoadedSkin& skin = rig.skins.data[skinIndex];
    const OwnedArray<int32_t>& places = slots.skinPlaces.data[skinIndex];
    if (places.length != skin.slots.length) {
        return refuse(env);
    }
    if (count == 0 || places.length == 0) {
        return done();
    }
    PosesView poses;
    View<float> out;
    const size_t floats = places.length * (mat4 ? 16 : 12);
    if (!poses.read(env, values[0], count, slots) || !readOut(env, values[3], poses, floats, &out)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < poses.blocks(); block++) {
        rig.kernels->palettes(poses.block(block) + slots.globalsOffset(), poses.inBlock(block), places.data,
                              skin.inverseBinds.data, static_cast<int>(places.length),
                              out.data + block * kPoses * floats, mat4);
    }
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
    const RigArguments<4, LoadedSlots> arguments(env, info);
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
        !readOut(env, values[3], poses, list.length * kGlobalFloats, &out)) {
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

void release(napi_env env, LoadedRig* rig) {
    if (--rig->references == 0) {
        int64_t all;
        napi_adjust_external_memory(env, -rig->bytes, &all);
        delete rig;
    }
}

void release(napi_env env, LoadedSlots* slots) {
    if (--slots->references == 0) {
        int64_t all;
        napi_adjust_external_memory(env, -slots->bytes, &all);
        release(env, slots->rig);
        delete slots;
    }
}

template <typename Subject> void finalizeSubject(napi_env env, void* data, void*) {
    release(env, static_cast<Subject*>(data));
}

/// A function that works on `subject`, and keeps it alive.
template <typename Subject>
bool createFunction(napi_env env, const char* name, napi_callback call, Subject* subject, napi_value* function) {
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, call, subject, function) != napi_ok ||
        napi_add_finalizer(env, *function, subject, finalizeSubject<Subject>, nullptr, nullptr) != napi_ok) {
        return false;
    }
    subject->references++;
    return true;
}

/// (slots) => kernels
napi_value select(napi_env env, napi_callback_info info) {
    const RigArguments<1, LoadedRig> arguments(env, info);
    LoadedSlots* const slots = loadSlots(env, arguments.subject, arguments.values[0]);
    if (slots == nullptr) {
        return refuse(env);
    }
    slots->references = 1;
    slots->rig->references++;
    int64_t all;
    napi_adjust_external_memory(env, slots->bytes, &all);
    const struct {
        const char* name;
        napi_callback call;
    } definitions[] = {
        {"evaluate", evaluate}, {"blend", blend},   {"toGlobal", toGlobal},
        {"palettes", palettes}, {"joints", joints}, {"skinVertices", skinVertices},
        {"bounds", bounds},
    };
    napi_value kernels = nullptr;
    bool ok = napi_create_object(env, &kernels) == napi_ok;
    for (const auto& definition : definitions) {
        napi_value function;
        ok = ok && createFunction(env, definition.name, definition.call, slots, &function) &&
             napi_set_named_property(env, kernels, definition.name, function) == napi_ok;
    }
    release(env, slots);
    return ok ? kernels : refuse(env);
}

/// (tables) => select
napi_value load(napi_env env, napi_callback_info info) {
    const RigArguments<1, const RigKernels> arguments(env, info);
    LoadedRig* const rig = loadTables(env, arguments.subject, arguments.values[0]);
    if (rig == nullptr) {
        return refuse(env);
    }
    int64_t all;
    napi_adjust_external_memory(env, rig->bytes, &all);
    napi_value function = nullptr;
    const bool ok = createFunction(env, "select", select, rig, &function);
    release(env, rig);
    return ok ? function : refuse(env);
}

struct RigList {
    napi_env env;
    napi_value array;
    uint32_t length;
    napi_status status;
};

void append(void* context, const RigKernels& kernels, const char* unavailable) {
    RigList& list = *static_cast<RigList*>(context);
    const napi_env env = list.env;
    napi_value entry, name, reason;
    const auto check = [&](napi_status status) {
        list.status = list.status == napi_ok ? status : list.status;
        return list.status == napi_ok;
    };
    if (!check(napi_create_object(env, &entry)) ||
        !check(napi_create_string_utf8(env, kernels.name, NAPI_AUTO_LENGTH, &name)) ||
        !check(napi_set_named_property(env, entry, "name", name))) {
        return;
    }
    if (unavailable == nullptr) {
        check(defineRigCalls(env, entry, &kernels));
    } else if (check(napi_create_string_utf8(env, unavailable, NAPI_AUTO_LENGTH, &reason))) {
        check(napi_set_named_property(env, entry, "unavailable", reason));
    }
    check(napi_set_element(env, list.array, list.length++, entry));
}

} // namespace

napi_status defineRigCalls(napi_env env, napi_value object, const RigKernels* kernels) {
    napi_value function;
    const napi_status status =
        napi_create_function(env, "load", NAPI_AUTO_LENGTH, load, const_cast<RigKernels*>(kernels), &function);
    return status == napi_ok ? napi_set_named_property(env, object, "load", function) : status;
}

napi_status listRigs(napi_env env, napi_value* array) {
    RigList list = {env, nullptr, 0, napi_create_array(env, array)};
    if (list.status == napi_ok) {
        list.array = *array;
        forEachRigImplementation(append, &list);
    }
    return list.status;
}

} // namespace poselane
