// SPDX-License-Identifier: MIT
//
// The baker's error figures: lib/bake/playback-error.ts. The data of the function is the RigKernels that it was made
// for.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// (max, rows, samples, nearest, joints, boxes)
napi_value playbackError(napi_env env, napi_callback_info info);

} // namespace poselane
