// SPDX-License-Identifier: MIT
#include "rig_calls.h"

#include "../rig/implementations.h"
#include "baker_calls.h"
#include "rig_call.h"

namespace poselane {

namespace {

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

/// A function on a LoadedSlots: one of POSELANE_RIG_KERNELS with this number of arguments.
template <bool (*call)(napi_env, const napi_value*, LoadedSlots&), size_t arguments>
napi_value callOnSlots(napi_env env, napi_callback_info info) {
    Arguments<1 + arguments> all;
    LoadedSlots* slots;
    const bool ok =
        all.read(env, info) && readCollected(env, all.values[0], &slots) && call(env, all.values + 1, *slots);
    return ok ? done() : refuse(env);
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
        const napi_value functions[] = {builder.function("load", load, &kernels), builder.function("select", select),
#define POSELANE_FUNCTION(call, _, arguments) builder.function(#call, callOnSlots<call, arguments>),
                                        POSELANE_RIG_KERNELS(POSELANE_FUNCTION)
#undef POSELANE_FUNCTION
        };
        builder.set(entry, "load", builder.closure(list.closures, "rig", functions));
        builder.set(entry, "playbackError", builder.function("playbackError", playbackError, &kernels));
        builder.set(entry, "fitClip", builder.function("fitClip", fitClip, &kernels));
        builder.set(entry, "boundIntervals", builder.function("boundIntervals", boundIntervals, &kernels));
        builder.set(entry, "poseClip", builder.function("poseClip", poseClip, &kernels));
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
