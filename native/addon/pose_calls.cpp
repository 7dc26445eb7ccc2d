// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include <math.h>

#include "evaluation.h"

namespace poselane {

/// (data, count, clips, times, wrap)
napi_value evaluate(napi_env env, napi_callback_info info) {
    SlotsArguments<RigArguments::evaluate> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    int count;
    if (!readInt(env, arguments.values[1], 0, &count)) {
        return refuse(env);
    }
    if (isNothing(*arguments.subject, count)) {
        return done();
    }
    Evaluation evaluation = {*arguments.subject, {}, {}, {}, false};
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
    SlotsArguments<RigArguments::blend> arguments;
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
    // From here on, because the code below rounds a weight for all poses to float32.
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

/// (data, count, from | -1)
napi_value toGlobal(napi_env env, napi_callback_info info) {
    SlotsArguments<RigArguments::toGlobal> arguments;
    if (!arguments.read(env, info)) {
        return refuse(env);
    }
    const LoadedSlots& slots = *arguments.subject;
    const LoadedRig& rig = *slots.rig;
    int count, from;
    PosesView poses;
    if (!readInt(env, arguments.values[1], 0, &count) || !readInt(env, arguments.values[2], -1, &from)) {
        return refuse(env);
    }
    if (isNothing(slots, count)) {
        return done();
    }
    if (from >= slots.view.count || !poses.read(env, arguments.values[0], count, slots)) {
        return refuse(env);
    }
    const FloatEnvironment environment;
    for (size_t block = 0; block < poses.blocks(); block++) {
        rig.kernels->toGlobal(rig.view, slots.view, poses.block(block), poses.inBlock(block), from);
    }
    return done();
}

} // namespace poselane
