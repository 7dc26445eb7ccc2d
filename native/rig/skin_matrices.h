// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/skin-matrices.ts
//
// Gathers the matrices of a mesh's joints from a block of poses, pose by pose, before the poses move the mesh.
#pragma once

#include "gather.h"

namespace poselane {
namespace {

/// The floats of one pose's matrices: the matrix of -0, then one for each joint.
inline size_t skinMatricesStride(const MeshView& mesh, int matrixFloats) {
    return (static_cast<size_t>(mesh.joints) + 1) * static_cast<size_t>(matrixFloats);
}

/// Global x inverse bind of the joints of a mesh, in the order of `palettes`.
template <class Wide, class Narrow, class Skin> void gatherSkinMatrices(const MeshView& mesh, const SkinBlock& block) {
    const size_t stride = skinMatricesStride(mesh, Skin::kMatrixFloats);
    for (int pose = 0; pose < block.poses; pose++) {
        // Adding -0 changes nothing.
        float* const nothing = block.scratch.matrices + static_cast<size_t>(pose) * stride;
        for (int i = 0; i < Skin::kMatrixFloats; i++) {
            nothing[i] = -0.0f;
        }
    }
    forEachGathered<Wide, Narrow>(block.poses, [&](auto span, int first) POSELANE_INLINED {
        palettesSpan<decltype(span), Skin::kColumns>(block.globals, first, block.poses, block.places, mesh.inverseBinds,
                                                     mesh.joints, block.scratch.matrices + Skin::kMatrixFloats, stride);
    });
}

} // namespace
} // namespace poselane
