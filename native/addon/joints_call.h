// SPDX-License-Identifier: MIT
//
// The globals of chosen slots, among the functions of rig_calls.h. It works on a LoadedSlots.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// (data, count, slots, out)
napi_value joints(napi_env env, napi_callback_info info);

} // namespace poselane
