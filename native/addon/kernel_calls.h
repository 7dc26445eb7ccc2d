// SPDX-License-Identifier: MIT
//
// The routines as JavaScript functions. Each takes all of its arguments, checks them, and returns undefined when the
// work is done or false when it refused. A refusal has written nothing, save where another thread changed an index
// list or parents in shared memory while the call ran.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

#include "../kernels.h"

namespace poselane {

/// Sets one function on `calls` for each routine that `kernels` has, and its timed form (call.h) on `timed`.
/// `kernels` must outlive the functions.
napi_status defineKernelCalls(napi_env env, napi_value calls, napi_value timed, const Kernels* kernels);

} // namespace poselane
