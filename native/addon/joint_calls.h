// SPDX-License-Identifier: MIT
//
// The joint-list routines as JavaScript functions. Each takes all of its arguments, checks them, and returns
// undefined when the work is done or false when it refused. A refusal has written nothing, save where another thread
// changed an index list or parents in shared memory while the call ran.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

#include "../joint_kernels.h"

namespace poselane {

/// Sets one function on `object` for each routine that `kernels` has. `kernels` must outlive the functions.
napi_status defineJointCalls(napi_env env, napi_value object, const JointKernels* kernels);

} // namespace poselane
