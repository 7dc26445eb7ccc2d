// SPDX-License-Identifier: MIT
//
// Some functions work on an object that was made for them: bound functions, and those of a rig. JavaScript gets
// closures over the addon's own functions, so that its collector sees which objects belong together, cycles included.
// No other code can reach the contents of a closure: neither the memory (collected_memory.h) nor the functions that
// trust it.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// An object of functions that turn the addon's own functions into such closures:
///
/// - bound(bind, run): bound.h
/// - rig(load, select, evaluate, …): rig_calls.h
///
/// The first argument of each, and `select`, fill a CollectedMemory: they get `allocate` before their arguments, and
/// return undefined, or false to refuse. The others get the first piece of it before their arguments.
napi_status makeClosures(napi_env env, napi_value* closures);

} // namespace poselane
