// SPDX-License-Identifier: MIT
//
// One implementation = one table of the joint-list routines it has, under the papers' names.
#pragma once

#include "joint.h"

namespace poselane {

/// Which rotation a quaternion means as a matrix. `id` is the papers' (the transpose of glTF's).
enum class Convention { id, gltf };

/// A null entry means that the implementation does not have the routine.
///
/// Every kernel assumes checked arguments: counts >= 0 (> 0 where the listing needs it), indices and
/// parents within the buffers, parents before their children and never -1, no forbidden overlap.
/// `addon/` checks all of that in the same call, on copies that no other thread can change.
struct JointKernels {
    const char* name;

    void (*slerpJoints)(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
    void (*lerpJoints)(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
    void (*convertJointQuatsToJointMats)(JointMat* jointMats, const JointQuat* jointQuats, int numJoints,
                                         Convention convention);
    void (*convertJointMatsToJointQuats)(JointQuat* jointQuats, const JointMat* jointMats, int numJoints,
                                         Convention convention);
    void (*transformSkeleton)(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
    void (*untransformSkeleton)(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
    void (*transformJoints)(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints);
};

} // namespace poselane
