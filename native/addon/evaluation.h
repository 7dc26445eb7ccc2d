// SPDX-License-Identifier: MIT
//
// Clips and times to evaluate, as `evaluate` and `bakePalettes` receive them.
#pragma once

#include "../rig/wrap_time.h"
#include "rig_call.h"

namespace poselane {

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
        napi_typedarray_type type;
        View<void> list;
        if (!readAnyView(env, value, &type, &list) || list.length < count) {
            return false;
        }
        if (type == napi_float32_array) {
            floats = {static_cast<const float*>(list.data), list.length};
            return areFinite(floats.data, count);
        }
        doubles = {static_cast<const double*>(list.data), list.length};
        return type == napi_float64_array && areFinite(doubles.data, count);
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

/// Whether to wrap all times, or a number for each that is not 0 where to wrap.
struct WrapList {
    bool same;
    View<const uint8_t> each;

    bool read(napi_env env, napi_value value, size_t count) {
        each = {nullptr, 0};
        return napi_get_value_bool(env, value, &same) == napi_ok ||
               (readView(env, value, napi_uint8_array, &each) && each.length >= count);
    }
    bool at(size_t pose) const { return each.data == nullptr ? same : readOnce(each.data + pose) != 0; }
};

/// The arguments of `evaluate`.
struct Evaluation {
    LoadedSlots& slots;
    PosesView poses;
    ClipList clips;
    TimeList times;
    WrapList wrap;

    /// @param values (data, count, clips, times, wrap), with `count` read already.
    /// @param total Number of clips and times, and of `wrap` if it is a list.
    bool read(napi_env env, const napi_value* values, int count, size_t total) {
        return poses.read(env, values[0], count, slots) && readTimes(env, values, total) &&
               !readsFrom(poses.range(), total);
    }

    /// All but the poses.
    bool readTimes(napi_env env, const napi_value* values, size_t total) {
        return wrap.read(env, values[4], total) && clips.read(env, values[2], total, slots.rig->clips.length) &&
               times.read(env, values[3], total);
    }

    /// Whether these bytes overlap the clips, the times or the list of those that wrap.
    bool readsFrom(const ByteRange& range, size_t total) const {
        return overlap(range, times.range(total)) || overlap(range, rangeOf(clips.each, total)) ||
               overlap(range, rangeOf(wrap.each, total));
    }

    /// The clips and times of `count` poses, from `first` on. False where another thread changed the clips.
    bool timesOf(size_t first, int count, BlockTimes* at) const {
        const LoadedRig& rig = *slots.rig;
        at->poses = count;
        for (int i = 0; i < count; i++) {
            const size_t pose = first + static_cast<size_t>(i);
            const int clip = clips.at(pose);
            if (static_cast<size_t>(clip) >= rig.clips.length) {
                return false;
            }
            at->clips[i] = clip;
            at->times[i] = wrap.at(pose) ? times.wrapped(pose, rig.view.clips[clip].duration) : times.at(pose);
        }
        return true;
    }

    /// Evaluates a block of the poses, for the clips and times from `first` on. False as above.
    bool run(size_t block, size_t first) const {
        const LoadedRig& rig = *slots.rig;
        BlockTimes at;
        if (!timesOf(first, poses.inBlock(block), &at)) {
            return false;
        }
        rig.kernels->evaluate(rig.view, slots.view, poses.block(block), at, &slots.workspace);
        return true;
    }
};

} // namespace poselane
