// SPDX-License-Identifier: MIT
//
// The box of what a skin moves (native/addon/skin_clusters.h), which has no table of kernels: one implementation, in
// double precision, without Node-API.
#pragma once

#include "input.h"

namespace poselane {

void fuzzSkinBox(Input& input);

} // namespace poselane
