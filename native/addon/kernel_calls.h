// SPDX-License-Identifier: MIT
//
// The routines as JavaScript functions. Each takes all of its arguments, checks them, and returns undefined when the
// work is done or false when it refused. A refusal has written nothing, except where another thread changed an index
// list or parents in shared memory while the call ran.
#pragma once

#include "../kernels.h"
#include "builder.h"

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
void defineKernelCalls(Builder& builder, napi_value closures, const Functions& functions, const Kernels* kernels);

} // namespace poselane
