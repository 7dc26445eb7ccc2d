// SPDX-License-Identifier: MIT
//
// Skinning among the functions of rig_calls.h. They work on a LoadedSlots.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// (data, count, mesh, outPositions, outNormals | null)
napi_value skinVertices(napi_env env, napi_callback_info info);

/// (data, count, mesh, out)
napi_value bounds(napi_env env, napi_callback_info info);

} // namespace poselane
