// SPDX-License-Identifier: MIT
//
// Index lists and parents can sit in a SharedArrayBuffer that another thread writes to while we read. Kernels address
// memory with them, so the addon copies them, checks the copies, and passes only the copies to kernels.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../kernels.h"
#include "chunks.h"

namespace poselane {

/// Whether all of `count` indices are joints below `room`.
bool areBelow(const int32_t* index, int count, size_t room);

/// The maximum of such indices + 1; 0 if there are none.
size_t usedBy(const int32_t* index, int count);

/// Whether each joint's parent is -1 or a joint before it.
bool scanParents(const int32_t* parents, int firstJoint, int lastJoint);

struct SkeletonRun {
    Skeleton<Order::parentsFirst>::Kernel kernel;
    JointMat* jointMats;
    const int32_t* parents;
};

/// Runs the kernel over firstJoint … lastJoint (not empty, within both buffers), leaving out the roots, which the
/// listings do not know. False, with nothing written, where a parent is neither -1 nor a joint before its child.
template <Order order> bool runSkeleton(const SkeletonRun& run, int firstJoint, int lastJoint);

/// Copies the parents of firstJoint … lastJoint, that of firstJoint first; false as above. `hasRoots` becomes whether
/// one of them is -1.
bool copyParents(int* copy, const int32_t* parents, int firstJoint, int lastJoint, bool* hasRoots);

/// runSkeleton with the parents in such a copy, which no other thread can change; `run.parents` is not read.
template <Order order>
void runSkeletonOn(const int* copy, bool hasRoots, const SkeletonRun& run, int firstJoint, int lastJoint);

} // namespace poselane
