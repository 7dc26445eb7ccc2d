// SPDX-License-Identifier: MIT
// Twin: lib/strict/transformSkeleton.ts
#pragma once

#include "../kernels.h"
#include "mat_product.h"

namespace poselane {
namespace {

/// Each joint's matrix, relative to its parent's, becomes one in the space of the root: parents first. firstJoint >= 1,
/// because joint 0 can only be a root: the joint before the first is loaded whether it is a parent or not.
void transformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint) {
    if (firstJoint > lastJoint) {
        return;
    }
    // Most parents are the joint before or, beside a leaf, the one before that. As far as there are enough registers,
    // both stay in them, which is faster than loading them; and the next product need not wait for the translation.
    MatLanes::Mat last = MatLanes::load(jointMats + firstJoint - 1);
    MatLanes::Mat beforeLast = last;
    MatLanes::Mat lastRotation = last;
    for (int i = firstJoint; i <= lastJoint; i++) {
        const int parent = parents[i];
        MatLanes::Mat mat = last;
        MatLanes::Mat rotation = lastRotation;
        if (parent != i - 1) {
            const bool isBeforeLast = MatLanes::kKept > 1 && parent == i - 2 && i > firstJoint;
            rotation = mat = isBeforeLast ? beforeLast : MatLanes::load(jointMats + parent);
        }
        beforeLast = last;
        lastRotation = rotated<MatLanes>(rotation, jointMats + i);
        last = MatLanes::movedBy(lastRotation, mat);
        MatLanes::store(jointMats + i, last);
    }
}

} // namespace
} // namespace poselane
