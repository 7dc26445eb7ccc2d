// SPDX-License-Identifier: MIT
//
// Code that the calls of the Rig share.
#pragma once

#define NAPI_VERSION 8
#include <math.h>
#include <node_api.h>
#include <stddef.h>

#include "call.h"
#include "collected_memory.h"
#include "rig_tables.h"
#include "views.h"

namespace poselane {

template <typename Number> bool areFinite(const Number* list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(list[i])) {
            return false;
        }
    }
    return true;
}

inline bool isNumber(napi_env env, napi_value value, double* number) {
    return napi_get_value_double(env, value, number) == napi_ok;
}

/// Whether an argument that may be left out is there: neither null nor undefined. False when that cannot be read.
inline bool readPresence(napi_env env, napi_value value, bool* present) {
    napi_valuetype type;
    if (napi_typeof(env, value, &type) != napi_ok) {
        return false;
    }
    *present = type != napi_null && type != napi_undefined;
    return true;
}

/// Reads once a number that another thread may change.
template <typename Number> Number readOnce(const Number* p) { return *static_cast<const volatile Number*>(p); }

template <typename Element> ByteRange rangeOf(const View<Element>& view, size_t elements) {
    return {view.data, elements * sizeof(Element)};
}

/// The first `count` poses of a list of blocks.
struct PosesView {
    View<float> data;
    int count;
    size_t blockFloats;

    size_t blocks() const { return (static_cast<size_t>(count) + kPoses - 1) / kPoses; }
    ByteRange range() const { return rangeOf(data, blocks() * blockFloats); }
    int inBlock(size_t block) const {
        const size_t rest = static_cast<size_t>(count) - block * kPoses;
        return rest < kPoses ? static_cast<int>(rest) : kPoses;
    }
    float* block(size_t index) const { return data.data + index * blockFloats; }

    bool read(napi_env env, napi_value array, int poses, const LoadedSlots& slots) {
        count = poses;
        blockFloats = slots.blockFloats();
        return readFloats(env, array, &data) && data.length / (blockFloats == 0 ? 1 : blockFloats) >= blocks();
    }
};

/// A finite weight for all poses, rounded to float32, or one for each. Read it with the environment of kernels.
struct Weights {
    bool same;
    float number;
    View<float> list = {nullptr, 0};

    bool read(napi_env env, napi_value value, int count) {
        double wide = 0.0;
        const size_t poses = static_cast<size_t>(count);
        same = isNumber(env, value, &wide);
        number = static_cast<float>(wide);
        return isfinite(number) &&
               (same || (readFloats(env, value, &list) && list.length >= poses && areFinite(list.data, poses)));
    }
    ByteRange range(int count) const { return rangeOf(list, same ? 0 : static_cast<size_t>(count)); }
    void copy(float (&to)[kPoses], size_t block, int poses) const {
        for (int i = 0; i < poses; i++) {
            to[i] = same ? number : list.data[block * kPoses + static_cast<size_t>(i)];
        }
    }
};

/// Nothing to do: no poses, or nothing in them.
inline bool isNothing(const LoadedSlots& slots, int count) { return count == 0 || slots.blockFloats() == 0; }

/// A list to write, as `palettes` has: `floats` for each of `count` poses.
inline bool readOut(napi_env env, napi_value array, const PosesView& poses, size_t count, size_t floats,
                    View<float>* out) {
    return readFloats(env, array, out) && out->length / floats >= count &&
           !overlap(poses.range(), rangeOf(*out, count * floats));
}

} // namespace poselane
