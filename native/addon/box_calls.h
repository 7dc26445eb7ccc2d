// SPDX-License-Identifier: MIT
//
// The box of what a skin moves, for the baker: lib/bake/skin-box.ts.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// Sets `skinBox` on `object`: (vertexBox, jointBoxes, joints, [positions, joints, weights, influences, …]) => addRows,
/// which takes (box, palette, rows). False is returned for what is refused; nothing has been written then.
napi_status defineBoxCalls(napi_env env, napi_value object);

} // namespace poselane
