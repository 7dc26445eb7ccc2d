// SPDX-License-Identifier: MIT
// Twin: lib/strict/untransformSkeleton.ts
#pragma once

#include "../core/always_inline.h"
#include "../kernels.h"

namespace poselane {
namespace {

/// The inverse of `parent`, a rotation and a translation, times `joint`: it subtracts the translation of `parent`, then
/// `rotated` multiplies by the transpose of `parent` from the left.
POSELANE_ALWAYS_INLINE MatLanes::Mat relativeToParent(const JointMat* parent, const JointMat* joint) {
    using M = MatLanes;
    const auto moved = M::movedBack(joint, parent);
    const M::Mat product0 = M::mul(M::everyColumnOfTranspose<0>(parent), M::everyRow<0>(moved));
    const M::Mat sum = M::mulAdd(M::everyColumnOfTranspose<1>(parent), M::everyRow<1>(moved), product0);
    return M::mulAdd(M::everyColumnOfTranspose<2>(parent), M::everyRow<2>(moved), sum);
}

/// The inverse of transformSkeleton: children first, while their parents still are in the space of the root.
void untransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint) {
    for (int i = lastJoint; i >= firstJoint; i--) {
        MatLanes::store(jointMats + i, relativeToParent(jointMats + parents[i], jointMats + i));
    }
}

} // namespace
} // namespace poselane
