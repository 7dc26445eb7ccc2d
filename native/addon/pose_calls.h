// SPDX-License-Identifier: MIT
//
// Locals and globals of poses, among the functions of rig_calls.h. They work on a LoadedSlots.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// (data, count, clips, times, wrap)
napi_value evaluate(napi_env env, napi_callback_info info);

/// (out, a, b, count, weights, mask | null, additive)
napi_value blend(napi_env env, napi_callback_info info);

/// (data, count)
napi_value toGlobal(napi_env env, napi_callback_info info);

} // namespace poselane
