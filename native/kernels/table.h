// SPDX-License-Identifier: MIT
//
// The kernels over the Lanes type that was included before this file, as a table for the dispatcher.
#pragma once

#include "../kernels.h"
#include "blend_table.h"
#include "mats_table.h"

namespace poselane {
namespace {

constexpr Kernels kernelsOverLanes(const char* name) {
    Kernels k = {};
    k.name = name;
    addBlends(k);
    addMats(k);
    return k;
}

} // namespace
} // namespace poselane
