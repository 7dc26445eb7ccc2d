// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/skin-bounds.ts
//
// The box around the vertices of a mesh, with vertices in lanes.
#pragma once

#include <math.h>

#include "skin_vertices.h"

namespace poselane {
namespace {

/// Every lane has a box of its own. A NaN is neither less nor greater than anything, so it does not count; repeated
/// vertices change nothing.
template <class L> struct LaneBox {
    typename L::Floats min[3], max[3];

    POSELANE_ALWAYS_INLINE LaneBox() {
        each<3>([&](auto axis) POSELANE_INLINED {
            min[axis] = L::set1(INFINITY);
            max[axis] = L::set1(-INFINITY);
        });
    }
    POSELANE_ALWAYS_INLINE void grow(const typename L::Floats (&vertices)[3]) {
        each<3>([&](auto axis) POSELANE_INLINED {
            min[axis] = L::min(vertices[axis], min[axis]);
            max[axis] = L::max(vertices[axis], max[axis]);
        });
    }
    /// The sign of a lane's zero does not matter: + 0 makes +0 of both.
    POSELANE_ALWAYS_INLINE void store(float* out) const {
        each<3>([&](auto axis) POSELANE_INLINED {
            float low[L::kWidth], high[L::kWidth];
            L::store(low, min[axis]);
            L::store(high, max[axis]);
            for (int i = 1; i < L::kWidth; i++) {
                low[0] = low[i] < low[0] ? low[i] : low[0];
                high[0] = high[i] > high[0] ? high[i] : high[0];
            }
            out[axis] = low[0] + 0.0f;
            out[3 + axis] = high[0] + 0.0f;
        });
    }
};

template <class L, int sets> void boundPose(const MeshView& mesh, const SkinPose& pose, float* out) {
    LaneBox<L> box;
    forEachVertices<L, sets>(std::false_type(), mesh, pose,
                             [&](int, int first, const LaneMat<L>& m, const VertexLists& vertices) POSELANE_INLINED {
                                 typename L::Floats moved[3];
                                 movePositions<L>(m, vertices.positions + first, moved);
                                 box.grow(moved);
                             });
    box.store(out);
}

template <class Wide, class Narrow, class Skin> void bounds(const MeshView& mesh, const SkinBlock& block, float* out) {
    gatherSkinMatrices<Wide, Narrow, Skin>(mesh, block);
    forEachSkinPose<Skin>(mesh, block, [&](int index, const SkinPose& pose) {
        float* const box = out + static_cast<size_t>(index) * 6;
        withSets(mesh, [&](auto sets) { boundPose<Skin, sets>(mesh, pose, box); });
    });
}

} // namespace
} // namespace poselane
