// SPDX-License-Identifier: MIT
// Twin: lib/strict/convertJointMatsToJointQuats.ts
#pragma once

#include <type_traits>

#include "../kernels.h"
#include "joint_blocks.h"

namespace poselane {
namespace {

/// The quaternion of a rotation matrix. One of its components, the largest or nearly so, is half the square root of
/// t = 1 plus or minus the diagonal; the others are sums or differences of mirrored elements, divided by 4 times it.
template <Convention convention> struct MatsToQuats {
    using L = JointLanes;
    using Floats = L::Floats;
    using Mask = L::Mask;

    template <class Block>
    POSELANE_ALWAYS_INLINE void operator()(Block block, JointQuat* joints, const JointMat* mats) const {
        Floats m[3][4];
        L::loadMats(block, mats, m);

        // The component: w when the trace is not negative, else that of the largest diagonal element.
        const Mask w = L::isGreaterEqual(L::add(L::add(m[0][0], m[1][1]), m[2][2]), L::set1(0.0f));
        const Mask m0Largest = L::both(L::isGreaterEqual(m[0][0], m[1][1]), L::isGreaterEqual(m[0][0], m[2][2]));
        const Mask m1BeforeM2 = L::isGreaterEqual(m[1][1], m[2][2]);
        choose(w, m0Largest, m1BeforeM2, [&](Mask yOrZ, Mask xOrZ, Mask xOrY) POSELANE_INLINED {
            const Floats diagonal =
                L::add(L::add(L::flipWhere(yOrZ, m[0][0]), L::flipWhere(xOrZ, m[1][1])), L::flipWhere(xOrY, m[2][2]));
            const Floats root = L::sqrt(L::add(diagonal, L::set1(1.0f)));
            const Floats scale = L::div(L::set1(0.5f), root);

            // If the component is w, these are x, y, z, w. In the other cases some differences are sums, and two swaps
            // bring the numbers into order.
            Floats q[4] = {
                L::mul(differenceOrSum(m[1][2], m[2][1], yOrZ), scale),
                L::mul(differenceOrSum(m[2][0], m[0][2], xOrZ), scale),
                L::mul(differenceOrSum(m[0][1], m[1][0], xOrY), scale),
                L::mul(L::set1(0.5f), root),
            };
            L::swapWhere(xOrY, q[0], q[2]);
            L::swapWhere(xOrY, q[1], q[3]);
            L::swapWhere(xOrZ, q[0], q[1]);
            L::swapWhere(xOrZ, q[2], q[3]);
            L::storeJoints(block, joints, q, {m[0][3], m[1][3], m[2][3]});
        });
    }

private:
    /// convert(yOrZ, xOrZ, xOrY): whether the component is one of two. For one matrix as constants: processors predict
    /// the branch in less time than they select.
    template <class Mask, class Convert>
    static POSELANE_ALWAYS_INLINE void choose(Mask w, Mask m0Largest, Mask m1BeforeM2, Convert convert) {
        if constexpr (std::is_same_v<Mask, bool>) {
            if (w) {
                convert(false, false, false);
            } else if (m0Largest) {
                convert(false, true, true);
            } else if (m1BeforeM2) {
                convert(true, false, true);
            } else {
                convert(true, true, false);
            }
        } else {
            convert(L::inverse(L::either(w, m0Largest)), L::butNot(L::either(m0Largest, L::inverse(m1BeforeM2)), w),
                    L::butNot(L::either(m0Largest, m1BeforeM2), w));
        }
    }

    /// a - b, or a + b where `sum`. glTF's matrix is the transpose of the papers', which turns the difference round.
    static Floats differenceOrSum(Floats a, Floats b, Mask sum) {
        const Floats result = L::sub(a, L::flipWhere(sum, b));
        return convention == Convention::gltf ? L::flipWhere(L::inverse(sum), result) : result;
    }
};

void convertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints,
                                  Convention convention) {
    if (convention == Convention::gltf) {
        forEachJointBlock<JointLanes>(jointQuats, jointMats, numJoints, MatsToQuats<Convention::gltf>());
    } else {
        forEachJointBlock<JointLanes>(jointQuats, jointMats, numJoints, MatsToQuats<Convention::id>());
    }
}

} // namespace
} // namespace poselane
