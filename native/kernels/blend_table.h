// SPDX-License-Identifier: MIT
#pragma once

#include "../kernels.h"
#include "blend_joints.h"
#include "blend_quats.h"

namespace poselane {
namespace {

constexpr void addBlends(Kernels& k) {
    k.slerpJoints = slerpJoints;
    k.lerpJoints = lerpJoints;
    k.slerpJointsPerJoint = slerpJointsPerJoint;
    k.normalizeJoints = normalizeJoints;
    k.slerpQuats = slerpQuats;
    k.lerpQuats = lerpQuats;
    k.slerpQuatsPerQuat = slerpQuatsPerQuat;
    k.slerpQuatTimes = slerpQuatTimes;
}

} // namespace
} // namespace poselane
