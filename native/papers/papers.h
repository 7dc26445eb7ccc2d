// SPDX-License-Identifier: MIT
//
// What the three files of ports offer to the dispatcher, in the papers' own names.
// slerping_clock_cycles.cpp: Slerp/LerpJoints. from_quaternion_to_matrix_and_back.cpp: the conversions.
// the_skeleton_assembly_line.cpp: Transform/UntransformSkeleton, TransformJoints.
#pragma once

#include "../joint_kernels.h"

#if defined(__SSE2__) || defined(_M_X64)
#define POSELANE_HAVE_SSE2 1
#endif

namespace poselane {

/// The scalar C of the papers' text, legible again (shared/papers: REPAIRS, SPEC), otherwise as published.
namespace paper_c {
void SlerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
void LerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, int numJoints, Convention);
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints, Convention);
void TransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void UntransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void TransformJoints(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints);
} // namespace paper_c

/// The routines whose published C is inaccurate, with the exact reciprocal square root.
namespace paper_c_exact {
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints, Convention);
} // namespace paper_c_exact

#ifdef POSELANE_HAVE_SSE2
/// The appendix listings, instruction for instruction.
namespace paper_sse {
void SlerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
void LerpJoints(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index, int numJoints);
void ConvertJointQuatsToJointMats(JointMat* jointMats, const JointQuat* jointQuats, int numJoints, Convention);
void ConvertJointMatsToJointQuats(JointQuat* jointQuats, const JointMat* jointMats, int numJoints, Convention);
void TransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void UntransformSkeleton(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint);
void TransformJoints(JointMat* result, const JointMat* joints1, const JointMat* joints2, int numJoints);
} // namespace paper_sse
#endif

} // namespace poselane
