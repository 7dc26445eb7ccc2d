// SPDX-License-Identifier: MIT
// Twin: lib/strict/convertJointQuatsToJointMats.ts
#pragma once

#include "../kernels.h"
#include "joint_blocks.h"

namespace poselane {
namespace {

/// The rotation matrix of a unit quaternion, in the papers' convention; glTF's is its transpose, which -w gives.
/// The products that are added or subtracted are xx2 = x * x2, wz2 = w * z2 and so on: m01 is xy2 + wz2, m10 xy2 - wz2.
template <Convention convention> struct QuatsToMats {
    using L = JointLanes;
    using Floats = L::Floats;

    template <class Block>
    POSELANE_ALWAYS_INLINE void operator()(Block block, JointMat* mats, const JointQuat* joints) const {
        Floats q[4], t[3];
        L::loadJoints(block, joints, q, t);
        const Floats x = q[0], y = q[1], z = q[2], w = convention == Convention::gltf ? L::flip(q[3]) : q[3];

        const Floats x2 = L::add(x, x), y2 = L::add(y, y), z2 = L::add(z, z);
        const Floats xy2 = L::mul(x, y2), xz2 = L::mul(x, z2), yz2 = L::mul(y, z2);
        const Floats one = L::set1(1.0f);
        const Floats oneMinusXX2 = L::negMulAdd(x, x2, one), oneMinusZZ2 = L::negMulAdd(z, z2, one);

        const Floats m[3][4] = {
            {L::negMulAdd(y, y2, oneMinusZZ2), L::mulAdd(w, z2, xy2), L::negMulAdd(w, y2, xz2), t[0]},
            {L::negMulAdd(w, z2, xy2), L::negMulAdd(x, x2, oneMinusZZ2), L::mulAdd(w, x2, yz2), t[1]},
            {L::mulAdd(w, y2, xz2), L::negMulAdd(w, x2, yz2), L::negMulAdd(y, y2, oneMinusXX2), t[2]},
        };
        L::storeMats(block, mats, m);
    }
};

void convertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, int numJoints,
                                  Convention convention) {
    if (convention == Convention::gltf) {
        forEachJointBlock<JointLanes>(jointMats, jointQuats, numJoints, QuatsToMats<Convention::gltf>());
    } else {
        forEachJointBlock<JointLanes>(jointMats, jointQuats, numJoints, QuatsToMats<Convention::id>());
    }
}

} // namespace
} // namespace poselane
