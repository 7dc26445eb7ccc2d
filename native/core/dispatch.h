// SPDX-License-Identifier: MIT
//
// Every implementation that this build has, and whether this CPU can run it.
#pragma once

#include "../kernels.h"

namespace poselane {

/// Calls `visit(context, kernels, unavailable)` for each implementation, best first. The tables outlive everything;
/// availability is asked of the CPU in this call.
void forEachImplementation(void (*visit)(void* context, const Kernels& kernels, const char* unavailable),
                           void* context);

} // namespace poselane
