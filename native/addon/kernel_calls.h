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

/// The objects that functions are set on.
struct Functions {
    napi_value kernels;
    /// Timed forms (call.h).
    napi_value timed;
    /// Functions that return bound functions (bound.h), for the routines that have those.
    napi_value bind;
};

/// Sets one function on each object for each routine that `kernels` has. `kernels` must outlive the functions.
napi_status defineKernelCalls(napi_env env, const Functions& functions, const Kernels* kernels);

} // namespace poselane
