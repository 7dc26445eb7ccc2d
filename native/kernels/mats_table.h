// SPDX-License-Identifier: MIT
//
// The kernels that read or write matrices, over the JointLanes and MatLanes of native/lanes/*/mats.h.
#pragma once

#include "../kernels.h"
#include "convert_joint_mats_to_joint_quats.h"
#include "convert_joint_quats_to_joint_mats.h"
#include "transform_joints.h"
#include "transform_skeleton.h"
#include "untransform_skeleton.h"

namespace poselane {
namespace {

constexpr void addMats(Kernels& k) {
    k.convertJointQuatsToJointMats = convertJointQuatsToJointMats;
    k.convertJointMatsToJointQuats = convertJointMatsToJointQuats;
    k.transformSkeleton = transformSkeleton;
    k.untransformSkeleton = untransformSkeleton;
    k.transformJoints = transformJoints;
}

} // namespace
} // namespace poselane
