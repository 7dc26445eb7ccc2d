// SPDX-License-Identifier: MIT
//
// Every implementation that this build has, and whether this CPU can run it.
#pragma once

#include "../kernels.h"

namespace poselane {

/// Calls `visit(context, kernels, unavailable)` for each implementation, best first. The tables are static; this call
/// asks the CPU what it can run.
void forEachImplementation(void (*visit)(void* context, const Kernels& kernels, const char* unavailable),
                           void* context);

} // namespace poselane
