// SPDX-License-Identifier: MIT
// Twin: lib/strict/blendJoints.ts
//
// Lists of joints: slerpJoints, slerpJointsPerJoint, lerpJoints, normalizeJoints.
#pragma once

#include <string.h>

#include "lerp_uniform.h"
#include "slerp_each.h"
#include "slerp_uniform.h"

namespace poselane {
namespace {

void copyJoints(JointQuat* joints, const JointQuat* blendJoints, const int* index, int numJoints) {
    for (int i = 0; i < numJoints; i++) {
        const int j = index == nullptr ? i : index[i];
        memmove(joints + j, blendJoints + j, sizeof(JointQuat));
    }
}

/// blend(blocks, base, other, store) on every batch; `swapped` as in slerpUniform.
template <class Swapped, class Blend>
POSELANE_ALWAYS_INLINE void forEachJointBatch(Swapped swapped, JointQuat* joints, const JointQuat* blendJoints,
                                              const int* index, int numJoints, Blend&& blend) {
    using Joints = Lanes::Joints;
    forEachBatch(index, numJoints, [=](auto batch, int blocks) POSELANE_INLINED {
        const JointQuat* const base = swapped ? blendJoints : joints;
        const JointQuat* const other = swapped ? joints : blendJoints;
        blend(
            blocks, [=](int block, int row) POSELANE_INLINED { return batch.template load<Joints>(base, block, row); },
            [=](int block, int row) POSELANE_INLINED { return batch.template load<Joints>(other, block, row); },
            [=](int block, const Joints::Row(&rows)[Joints::kRows])
                POSELANE_INLINED { batch.template store<Joints>(joints, block, rows); });
    });
}

template <class Swapped>
void slerpJointsInside(Swapped swapped, JointQuat* joints, const JointQuat* blendJoints, float t, const int* index,
                       int numJoints) {
    const PreparedSlerp prepared(t);
    forEachJointBatch(swapped, joints, blendJoints, index, numJoints,
                      [&](int blocks, auto base, auto other, auto store) POSELANE_INLINED {
                          slerpUniform<Lanes::Joints>(swapped, prepared, blocks, base, other, store);
                      });
}

template <class Swapped>
void lerpJointsInside(Swapped swapped, JointQuat* joints, const JointQuat* blendJoints, float t, const int* index,
                      int numJoints) {
    forEachJointBatch(swapped, joints, blendJoints, index, numJoints,
                      [&](int blocks, auto base, auto other, auto store)
                          POSELANE_INLINED { lerpUniform<Lanes::Joints>(swapped, t, blocks, base, other, store); });
}

void slerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints) {
    if (lerp <= 0.0f) {
        return;
    }
    if (!(lerp < 1.0f)) {
        copyJoints(joints, blendJoints, index, numJoints);
    } else {
        withConstant(lerp > 0.5f, [=](auto swapped) POSELANE_INLINED {
            slerpJointsInside(swapped, joints, blendJoints, swapped ? 1.0f - lerp : lerp, index, numJoints);
        });
    }
}

void lerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints) {
    if (lerp <= 0.0f) {
        return;
    }
    if (!(lerp < 1.0f)) {
        copyJoints(joints, blendJoints, index, numJoints);
    } else {
        withConstant(lerp > 0.5f, [=](auto swapped) POSELANE_INLINED {
            lerpJointsInside(swapped, joints, blendJoints, swapped ? 1.0f - lerp : lerp, index, numJoints);
        });
    }
}

void slerpJointsPerJoint(JointQuat* joints, const JointQuat* blendJoints, const float* lerps, const int* index,
                         int numJoints) {
    using Joints = Lanes::Joints;
    forEachBatch(index, numJoints, [&](auto batch, int blocks) POSELANE_INLINED {
        slerpEach<Joints>(
            blocks, [=](int block) POSELANE_INLINED { return Joints::inOrderOfSums(batch.load(lerps, block)); },
            [=](int block, int row) POSELANE_INLINED { return batch.template load<Joints>(joints, block, row); },
            [=](int block, int row) POSELANE_INLINED { return batch.template load<Joints>(blendJoints, block, row); },
            [=](int block, const Joints::Row(&rows)[Joints::kRows])
                POSELANE_INLINED { batch.template store<Joints>(joints, block, rows); });
    });
}

void normalizeJoints(JointQuat* joints, const int* index, int numJoints) {
    using Joints = Lanes::Joints;
    forEachBatch(index, numJoints, [&](auto batch, int blocks) POSELANE_INLINED {
        for (int block = 0; block < blocks; block++) {
            Joints::Row rows[Joints::kRows];
            each<Joints::kRows>([&](auto row)
                                    POSELANE_INLINED { rows[row] = batch.template load<Joints>(joints, block, row); });
            normalizeBlock<Joints>(rows);
            batch.template store<Joints>(joints, block, rows);
        }
    });
}

} // namespace
} // namespace poselane
