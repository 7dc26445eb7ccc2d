// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/index.ts
//
// The kernels of the Rig over types of lanes, as a table for the addon: wide ones for blocks of poses, narrow ones for
// the rest of a block and for single poses; `Skin` for vertices.
#pragma once

#include "blend.h"
#include "cast_rays.h"
#include "evaluate.h"
#include "gather.h"
#include "playback_error.h"
#include "skin_bounds.h"
#include "skin_vertices.h"
#include "stream.h"
#include "subtree_errors.h"
#include "to_global.h"

namespace poselane {
namespace {

template <class Wide, class Narrow, class Skin> constexpr RigKernels rigKernelsOver(const char* name) {
    return {name,
            evaluate<Wide, Narrow>,
            blend<Wide, Narrow>,
            toGlobal<Wide, Narrow>,
            palettes<Wide, Narrow>,
            joints<Wide, Narrow>,
            castRays<Wide, Narrow>,
            streamPalettes<Wide, Narrow>,
            Skin::kMatrixFloats,
            skinVertices<Wide, Narrow, Skin>,
            bounds<Wide, Narrow, Skin>,
            playbackError,
            nodeErrors};
}

} // namespace
} // namespace poselane
