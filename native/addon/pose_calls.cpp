// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include "evaluation.h"

namespace poselane {

/// (data, count, clips, times, wrap)
bool evaluate(napi_env env, const napi_value* values, LoadedSlots& slots) {
    int count;
    if (!readInt(env, values[1], 0, &count)) {
        return false;
    }
    if (isNothing(slots, count)) {
        return true;
    }
    Evaluation evaluation = {slots, {}, {}, {}, {}};
    if (!evaluation.read(env, values, count, static_cast<size_t>(count))) {
        return false;
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < evaluation.poses.blocks(); block++) {
        if (!evaluation.run(block, block * kPoses)) {
            return false;
        }
    }
    return true;
}

/// (out, a, b, count, weights, mask | null, additive, reference | null, each)
bool blend(napi_env env, const napi_value* values, LoadedSlots& slots) {
    const LoadedRig& rig = *slots.rig;
    int count;
    bool additive, each;
    if (!readInt(env, values[3], 0, &count) || napi_get_value_bool(env, values[6], &additive) != napi_ok ||
        napi_get_value_bool(env, values[8], &each) != napi_ok) {
        return false;
    }
    if (isNothing(slots, count)) {
        return true;
    }
    // From here on, because the code below rounds a weight for all poses to float32.
    const FloatEnvironment environment;
    PosesView out, a, b;
    Weights weights;
    if (!out.read(env, values[0], count, slots) || !a.read(env, values[1], count, slots) ||
        !b.read(env, values[2], count, slots) || !weights.read(env, values[4], count)) {
        return false;
    }
    bool masked;
    View<float> mask = {nullptr, 0};
    if (!readPresence(env, values[5], &masked) ||
        (masked && (!readFloats(env, values[5], &mask) || mask.length < static_cast<size_t>(rig.slots) ||
                    !areFinite(mask.data, static_cast<size_t>(rig.slots))))) {
        return false;
    }
    bool referred;
    PosesView reference = {};
    if (!readPresence(env, values[7], &referred) ||
        (referred && !reference.read(env, values[7], each ? count : 1, slots))) {
        return false;
    }
    const auto apart = [&](const PosesView& operand) {
        return operand.data.data == out.data.data || !overlap(out.range(), operand.range());
    };
    // A pose for all is read again after the first block is written.
    if (referred && (each ? !apart(reference) : overlap(out.range(), reference.range()) && out.count > 1)) {
        return false;
    }
    if (!apart(a) || !apart(b) || overlap(out.range(), weights.range(count)) ||
        overlap(out.range(), rangeOf(mask, mask.length))) {
        return false;
    }
    for (size_t block = 0; block < out.blocks(); block++) {
        float here[kPoses] = {};
        const int poses = out.inBlock(block);
        weights.copy(here, block, poses);
        rig.kernels->blend(rig.view, slots.view, out.block(block), a.block(block), b.block(block), poses, here,
                           mask.data, additive, referred ? reference.block(each ? block : 0) : nullptr, each);
    }
    return true;
}

/// (data, count, from | -1)
bool toGlobal(napi_env env, const napi_value* values, LoadedSlots& slots) {
    const LoadedRig& rig = *slots.rig;
    int count, from;
    PosesView poses;
    if (!readInt(env, values[1], 0, &count) || !readInt(env, values[2], -1, &from)) {
        return false;
    }
    if (isNothing(slots, count)) {
        return true;
    }
    if (from >= slots.view.count || !poses.read(env, values[0], count, slots)) {
        return false;
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < poses.blocks(); block++) {
        rig.kernels->toGlobal(rig.view, slots.view, poses.block(block), poses.inBlock(block), from);
    }
    return true;
}

} // namespace poselane
