// SPDX-License-Identifier: MIT
//
// Palettes of poses, among the functions of rig_calls.h. They work on a LoadedSlots.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// (data, count, skin, out, mat4)
napi_value palettes(napi_env env, napi_callback_info info);

/// (data, capacity, clips, times, wrap, count, skin, out, mat4)
napi_value bakePalettes(napi_env env, napi_callback_info info);

} // namespace poselane
