// SPDX-License-Identifier: MIT
// Twin: lib/strict/transformJoints.ts
#pragma once

#include "../kernels.h"
#include "mat_product.h"

namespace poselane {
namespace {

/// left * right, for one matrix or for a part of a block.
template <class M> POSELANE_ALWAYS_INLINE typename M::Mat product(const JointMat* left, const JointMat* right) {
    const typename M::Mat mats = M::load(left);
    return M::movedBy(rotated<M>(mats, right), mats);
}

/// Multiplies the matrices of whole blocks; returns how many these are. A block is read completely before any of it is
/// written.
template <class Block>
POSELANE_ALWAYS_INLINE int multiplyBlocks(JointMat* result, const JointMat* left, const JointMat* right,
                                          int numJoints) {
    int i = 0;
    if constexpr (Block::kMats > 1) {
        using Part0 = typename Block::template Part<0>;
        using Part1 = typename Block::template Part<1>;
        using Part2 = typename Block::template Part<2>;
        for (; i <= numJoints - Block::kMats; i += Block::kMats) {
            const auto product0 = product<Part0>(left + i, right + i);
            const auto product1 = product<Part1>(left + i, right + i);
            const auto product2 = product<Part2>(left + i, right + i);
            Part0::store(result + i, product0);
            Part1::store(result + i, product1);
            Part2::store(result + i, product2);
        }
    }
    return i;
}

void transformJoints(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints) {
    for (int i = multiplyBlocks<MatBlockLanes>(result, joints1, joints2, numJoints); i < numJoints; i++) {
        MatLanes::store(result + i, product<MatLanes>(joints1 + i, joints2 + i));
    }
}

} // namespace
} // namespace poselane
