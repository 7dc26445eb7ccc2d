// SPDX-License-Identifier: MIT
//
// The errors of clips with fewer keys: lib/reduce/fit/subtree-errors.ts. The function's data is its RigKernels.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

namespace poselane {

/// (trial, errors, locals, source, placed, weights, parents, points, starts, nodes, blocks, from, to, limit)
napi_value subtreeErrors(napi_env env, napi_callback_info info);

} // namespace poselane
