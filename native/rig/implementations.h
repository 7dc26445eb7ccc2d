// SPDX-License-Identifier: MIT
//
// Every implementation of the Rig's kernels that this build has, and whether this CPU can run it.
#pragma once

#include "kernels.h"

namespace poselane {

/// Calls `visit(context, kernels, unavailable)` for each, best first. The tables are static.
void forEachRigImplementation(void (*visit)(void* context, const RigKernels& kernels, const char* unavailable),
                              void* context);

} // namespace poselane
