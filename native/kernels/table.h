// SPDX-License-Identifier: MIT
//
// The kernels over the Lanes type that was included before this file, as a table for the dispatcher.
#pragma once

#define POSELANE_OVER_LANES
#include "../kernels.h"

namespace poselane {
namespace {

constexpr Kernels kernelsOverLanes(const char* name) {
    Kernels k = {};
    k.name = name;
#define POSELANE_ENTRY(routine, ...) k.routine = routine;
    POSELANE_STRICT_ROUTINES(POSELANE_ENTRY)
#undef POSELANE_ENTRY
    return k;
}

} // namespace
} // namespace poselane
