// SPDX-License-Identifier: MIT
//
// The box of what a skin moves, for the baker: lib/bake/skin-box.ts.
#pragma once

#include "builder.h"

namespace poselane {

/// (vertexBox, jointBoxes, joints, [positions, joints, weights, influences, …]) => addRows, which takes (box, palette,
/// rows). False is returned for what is refused; nothing has been written then.
napi_value makeSkinBox(Builder& builder, napi_value closures);

} // namespace poselane
