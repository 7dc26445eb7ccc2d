// SPDX-License-Identifier: MIT
//
// The Rig's kernels as JavaScript functions: load(tables) => select, select(slots) => { evaluate, blend, toGlobal,
// palettes, joints, castRays, bakePalettes, skinVertices, bounds }, with the tables and the arguments of
// lib/rig/kernels/contract.ts. Each function holds the object that it works on (closures.h), so JavaScript has no
// handle that it could confuse with another.
//
// Every function checks all its arguments: `load` and `select` copy their tables, the others read the addresses and
// lengths of their lists in the call. They return undefined when the work is done and false when they refused (`load`
// and `select`: false). A refusal has written nothing, save where another thread changed a list in shared memory
// meanwhile.
#pragma once

#include "../rig/rig.h"
#include "builder.h"

namespace poselane {

/// [{ name, unavailable?, load, playbackError, subtreeErrors }], best first. An implementation that this CPU cannot run
/// has no functions. `playbackError`: lib/bake/playback/playback-error.ts; `subtreeErrors`:
/// lib/reduce/fit/subtree-errors.ts.
napi_value listRigs(Builder& builder, napi_value closures);

} // namespace poselane
