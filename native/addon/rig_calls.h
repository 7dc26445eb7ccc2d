// SPDX-License-Identifier: MIT
//
// The Rig's kernels as JavaScript functions: load(tables) => select, select(slots) => { evaluate, blend, … }, with the
// tables of lib/rig/kernels/contract.ts and the arguments of lib/rig/kernels/table.ts. Each function holds the object
// that it works on (closures.h), so JavaScript has no handle that it could confuse with another.
//
// Every function checks all its arguments: `load` and `select` copy their tables, the others read the addresses and
// lengths of their lists in the call. They return undefined when the work is done and false when they refused (`load`
// and `select`: false). A refusal has written nothing, except where another thread changed a list in shared memory
// during the call.
#pragma once

#include "../rig/kernels.h"
#include "builder.h"

namespace poselane {

struct LoadedSlots;

/// One for each: its arguments behind the object that its closure passes first. False to refuse.
#define POSELANE_DECLARATION(call, ...) bool call(napi_env env, const napi_value* values, LoadedSlots& slots);
POSELANE_RIG_KERNELS(POSELANE_DECLARATION)
#undef POSELANE_DECLARATION

/// [{ name, unavailable?, load, playbackError, fitClip, boundIntervals, poseClip }], best first. An implementation that
/// this CPU cannot run has no functions. See `NativeRig` in lib/addon/addon.ts.
napi_value listRigs(Builder& builder, napi_value closures);

} // namespace poselane
