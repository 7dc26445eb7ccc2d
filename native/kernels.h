// SPDX-License-Identifier: MIT
//
// One implementation = one table of the routines it has, under the papers' names.
#pragma once

#include "core/joint.h"

namespace poselane {

/// Which rotation a quaternion means as a matrix. `id` is the papers' (the transpose of glTF's).
enum class Convention { id, gltf };

/// A null entry means that the implementation does not have the routine.
///
/// Every kernel assumes checked arguments: counts >= 0, indices and parents within the buffers, parents before their
/// children and never -1, no forbidden overlap. `addon/` checks all of that in the same call, on copies that no other
/// thread can change. `index` may be null: the first `numJoints` joints.
struct Kernels {
    const char* name;

    // Lists of joints ("Slerping Clock Cycles", "From Quaternion to Matrix and Back", "The Skeleton Assembly Line").
    using BlendJoints = void (*)(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index,
                                 int numJoints);
    BlendJoints slerpJoints;
    BlendJoints lerpJoints;
    /// `lerps` goes by joint, as `joints` and `blendJoints` do: joint i is blended by lerps[i].
    void (*slerpJointsPerJoint)(JointQuat* joints, const JointQuat* blendJoints, const float* lerps, const int* index,
                                int numJoints);
    void (*normalizeJoints)(JointQuat* joints, const int* index, int numJoints);
    void (*convertJointQuatsToJointMats)(JointMat* jointMats, const JointQuat* jointQuats, int numJoints,
                                         Convention convention);
    void (*convertJointMatsToJointQuats)(JointQuat* jointQuats, const JointMat* jointMats, int numJoints,
                                         Convention convention);
    /// Joints firstJoint ... lastJoint; firstJoint >= 1, because joint 0 can only be a root.
    void (*transformSkeleton)(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
    void (*untransformSkeleton)(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
    void (*transformJoints)(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints);

    // Lists of plain quaternions. `terms` is 1 … maxTerms, or 0 where maxTerms is.
    using BlendQuats = void (*)(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count,
                                int terms);
    BlendQuats slerpQuats;
    BlendQuats lerpQuats;
    /// Pair i is interpolated by t[i].
    void (*slerpQuatsPerQuat)(Quaternion* result, const Quaternion* from, const Quaternion* to, const float* t,
                              int count);
    void (*slerpQuatTimes)(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                           int terms);
    int maxTerms;

    // The scalar family of "Slerping Clock Cycles", sections 3 to 5, over lists.
    BlendQuats slerp;
    BlendQuats slerpTransformed;
    BlendQuats slerpOptimized;
    BlendQuats slerpOptimizedExact;
    BlendQuats lerp;
    void (*reciprocalSqrt)(float* result, const float* x, int count);
    void (*sinZeroHalfPI)(float* result, const float* a, int count);
    void (*atanPositive)(float* result, const float* y, const float* x, int count);
};

} // namespace poselane
