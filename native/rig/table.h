// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/table.ts
//
// The kernels of the Rig over types of lanes, as a table for the addon: wide ones for blocks of poses, narrow ones for
// the rest of a block and for single poses; `Skin` for vertices.
#pragma once

#include "clip_bound.h"
#include "fit_clip.h"
#include "kernels.h"
#include "playback_error.h"
#include "stream.h"

namespace poselane {
namespace {

template <class Wide, class Narrow, class Skin> constexpr RigKernels rigKernelsOver(const char* name) {
    RigKernels k = {};
    k.name = name;
#define POSELANE_ENTRY(kernel, ...) k.kernel = kernel<Wide, Narrow>;
    POSELANE_POSE_KERNELS(POSELANE_ENTRY)
    POSELANE_ADDON_KERNELS(POSELANE_ENTRY)
#undef POSELANE_ENTRY
#define POSELANE_ENTRY(kernel, ...) k.kernel = kernel<Wide, Narrow, Skin>;
    POSELANE_SKIN_KERNELS(POSELANE_ENTRY)
#undef POSELANE_ENTRY
    k.streamPalettes = streamPalettes<Wide, Narrow>;
    k.matrixFloats = Skin::kMatrixFloats;
    k.playbackError = playbackError;
    k.fitClip = fitClip;
    k.boundIntervals = boundIntervals;
    k.poseClip = poseClip;
    return k;
}

} // namespace
} // namespace poselane
