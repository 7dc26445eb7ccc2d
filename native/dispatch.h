// SPDX-License-Identifier: MIT
//
// Every implementation that this build has, best first, and whether this CPU can run it.
#pragma once

#include <stddef.h>

#include "joint_kernels.h"

namespace poselane {

struct Implementation {
    JointKernels kernels;
    /// Why it cannot run here; null where it can.
    const char* unavailable;
};

struct Implementations {
    const Implementation* list;
    size_t count;
};

Implementations implementations();

} // namespace poselane
