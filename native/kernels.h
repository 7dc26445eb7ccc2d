// SPDX-License-Identifier: MIT
//
// The routines on lists, and one implementation of them = one table.
//
// POSELANE_STRICT_ROUTINES lists them, each with its shape: what it takes. From there come the tables of every
// instruction set (kernels/table.h), what JavaScript calls (addon/kernel_calls.cpp) and the fuzzer's cases
// (fuzz/kernels.cpp). A new kernel is a line there, and its header at the end of this file.
#pragma once

#include "core/joint.h"

namespace poselane {

/// The matrix of a quaternion. `id`: as in the papers, the transpose of glTF's.
enum class Convention { id, gltf };

/// The direction in which a routine processes a skeleton.
enum class Order { parentsFirst, childrenFirst };

// Shapes. Every kernel assumes checked arguments: counts >= 0, indices and parents within the buffers, parents before
// their children and never -1, no forbidden overlap. `addon/` checks all of that in the same call, on copies that no
// other thread can change. `index` may be null: the first `numJoints` joints.

struct BlendJoints {
    using Kernel = void (*)(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index,
                            int numJoints);
};

/// `lerps` has one element per joint: joint i is blended by lerps[i], with or without an index.
struct BlendJointsPerJoint {
    using Kernel = void (*)(JointQuat* joints, const JointQuat* blendJoints, const float* lerps, const int* index,
                            int numJoints);
};

struct ChangeJoints {
    using Kernel = void (*)(JointQuat* joints, const int* index, int numJoints);
};

template <typename To, typename From> struct Convert {
    using Kernel = void (*)(To* to, const From* from, int numJoints, Convention convention);
};

/// Joints firstJoint ... lastJoint; firstJoint >= 1, because joint 0 can only be a root.
template <Order order> struct Skeleton {
    using Kernel = void (*)(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
};

/// Computes element i of the result from the elements i of the other lists. Each of these lists may be the result.
template <typename To, typename... From> struct Map {
    using Kernel = void (*)(To* result, const From*... from, int count);
};

/// `terms` is 1 … maxTerms, or 0 where maxTerms is.
struct BlendQuats {
    using Kernel = void (*)(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count,
                            int terms);
};

/// Pair i is interpolated by t[i].
struct BlendQuatsPerQuat {
    using Kernel = void (*)(Quaternion* result, const Quaternion* from, const Quaternion* to, const float* t,
                            int count);
};

struct BlendQuatTimes {
    using Kernel = void (*)(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                            int terms);
};

/// A function of one or two floats, over lists of the same length.
template <typename... From> struct Function : Map<float, From...> {};

// clang-format off
/// X(name, shape) for every routine of all strict implementations.
#define POSELANE_STRICT_ROUTINES(X) \
    X(slerpJoints, BlendJoints) \
    X(lerpJoints, BlendJoints) \
    X(slerpJointsPerJoint, BlendJointsPerJoint) \
    X(normalizeJoints, ChangeJoints) \
    X(convertJointQuatsToJointMats, Convert<JointMat, JointQuat>) \
    X(convertJointMatsToJointQuats, Convert<JointQuat, JointMat>) \
    X(transformSkeleton, Skeleton<Order::parentsFirst>) \
    X(untransformSkeleton, Skeleton<Order::childrenFirst>) \
    X(transformJoints, Map<JointMat, JointMat, JointMat>) \
    X(slerpQuats, BlendQuats) \
    X(lerpQuats, BlendQuats) \
    X(slerpQuatsPerQuat, BlendQuatsPerQuat) \
    X(slerpQuatTimes, BlendQuatTimes)

/// The same for the scalar family of "Slerping Clock Cycles", sections 3 to 5, over lists, which only some have.
#define POSELANE_SCALAR_ROUTINES(X) \
    X(slerp, BlendQuats) \
    X(slerpTransformed, BlendQuats) \
    X(slerpOptimized, BlendQuats) \
    X(slerpOptimizedExact, BlendQuats) \
    X(lerp, BlendQuats) \
    X(reciprocalSqrt, Function<float>) \
    X(sinZeroHalfPI, Function<float>) \
    X(atanPositive, Function<float, float>)
// clang-format on

/// A null entry means that the implementation does not have the routine.
struct Kernels {
    const char* name;
    /// Max number of terms of the series of `slerpQuats` and `slerpQuatTimes`; 0 if the number is fixed.
    int maxTerms;

#define POSELANE_MEMBER(routine, ...) __VA_ARGS__::Kernel routine;
    POSELANE_STRICT_ROUTINES(POSELANE_MEMBER)
    POSELANE_SCALAR_ROUTINES(POSELANE_MEMBER)
#undef POSELANE_MEMBER
};

} // namespace poselane

// Only the units of native/isa have the lanes that kernels are written over.
#ifdef POSELANE_OVER_LANES
#include "kernels/blend_joints.h"
#include "kernels/blend_quats.h"
#include "kernels/convert_joint_mats_to_joint_quats.h"
#include "kernels/convert_joint_quats_to_joint_mats.h"
#include "kernels/transform_joints.h"
#include "kernels/transform_skeleton.h"
#include "kernels/untransform_skeleton.h"
#endif
