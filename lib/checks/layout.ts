// SPDX-License-Identifier: MIT

/** Floats of a JointQuat: quaternion x y z w, then translation x y z w. */
export const JOINT_QUAT_FLOATS = 8;

/** Floats of a JointMat: row-major 3x4, translation last in each row. */
export const JOINT_MAT_FLOATS = 12;

/** Floats of a quaternion x y z w. */
export const QUAT_FLOATS = 4;

/** Counts and indices are 32-bit on the native side. */
export const MAX_COUNT = 0x7fffffff;
