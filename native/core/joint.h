// SPDX-License-Identifier: MIT
//
// The joint layouts shared by every kernel: plain structs over caller-owned float buffers.
// Buffers arrive from JavaScript views, so nothing here may assume more than 4-byte alignment.
#pragma once

namespace poselane {

struct Quaternion {
    float x, y, z, w;
};

struct Vec4 {
    float x, y, z, w;
};

/// 32 bytes: rotation, then translation. JOINT_QUAT_FLOATS in lib/lists/functions.ts documents `t.w`.
struct JointQuat {
    Quaternion q;
    Vec4 t;
};

/// 48 bytes: row-major 3x4, translation last in each row (`mat[r * 4 + 3]`).
struct JointMat {
    float mat[12];
};

static_assert(sizeof(JointQuat) == 32 && alignof(JointQuat) == 4, "JointQuat is 8 packed floats");
static_assert(sizeof(JointMat) == 48 && alignof(JointMat) == 4, "JointMat is 12 packed floats");

} // namespace poselane
