// SPDX-License-Identifier: MIT
//
// The baker's error figures: lib/bake/playback/playback-error.ts. The function's data is its RigKernels.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// (max, rows, samples, nearest, joints, boxes)
napi_value playbackError(napi_env env, napi_callback_info info);

} // namespace poselane
