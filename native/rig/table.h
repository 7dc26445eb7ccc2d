// SPDX-License-Identifier: MIT
//
// The kernels of the Rig over two types of lanes, as a table for the addon: wide ones for blocks, narrow ones for what
// is left of a block, and for single poses.
#pragma once

#include "blend.h"
#include "evaluate.h"
#include "gather.h"
#include "to_global.h"

namespace poselane {
namespace {

template <class Wide, class Narrow> constexpr RigKernels rigKernelsOver(const char* name) {
    return {name,
            evaluate<Wide, Narrow>,
            blend<Wide, Narrow>,
            toGlobal<Wide, Narrow>,
            palettes<Wide, Narrow>,
            joints<Wide, Narrow>};
}

} // namespace
} // namespace poselane
