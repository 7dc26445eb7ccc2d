// SPDX-License-Identifier: MIT
//
// Index lists and parents can sit in a SharedArrayBuffer that another thread writes to while we read. Kernels address
// memory with them, so kernels only ever see copies on the stack, and the copies are what is checked.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../kernels.h"

namespace poselane {

constexpr int kMaxChunk = 1024;

/// How many joints of the rest to hand to a kernel at once.
///
/// The listings work in groups of four from the front, and a list of exactly four goes through their one-at-a-time
/// loop, which rounds differently. So that a split list gives the same bits as a whole one, chunks are whole groups
/// and no split leaves exactly four.
inline int nextChunk(int rest) {
    if (rest <= kMaxChunk) {
        return rest;
    }
    return rest - kMaxChunk == 4 ? kMaxChunk - 4 : kMaxChunk;
}

/// 0 … kMaxChunk - 1, for calls without an index list.
const int* identityIndex();

/// Whether all of `count` indices are joints below `room`. `used` becomes the greatest index + 1.
bool scanIndex(const int32_t* index, int count, size_t room, size_t* used);

/// The same check while copying: the value that is checked is the value that is kept.
bool copyIndex(int* copy, const int32_t* index, int count, size_t room);

/// Whether each joint's parent is -1 or a joint before it.
bool scanParents(const int32_t* parents, int firstJoint, int lastJoint);

enum class Order { parentsFirst, childrenFirst };

struct SkeletonRun {
    void (*kernel)(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
    JointMat* jointMats;
    const int32_t* parents;
};

/// Runs the kernel over firstJoint … lastJoint (not empty, within both buffers), leaving out the roots, which the
/// listings do not know. False, with nothing written, where a parent is neither -1 nor a joint before its child.
template <Order order> bool runSkeleton(const SkeletonRun& run, int firstJoint, int lastJoint);

} // namespace poselane
