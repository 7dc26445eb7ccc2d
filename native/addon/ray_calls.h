// SPDX-License-Identifier: MIT
//
// Rays against capsules, among the functions of rig_calls.h. It works on a LoadedSlots.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// (data, count, slots, ends, rays, numRays, placements | null, outDistances, outCapsules)
napi_value castRays(napi_env env, napi_callback_info info);

} // namespace poselane
