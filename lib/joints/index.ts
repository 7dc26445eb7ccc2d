// SPDX-License-Identifier: MIT

/**
 * The joint-list functions: the routines of the 2005 papers, and two more, on plain typed arrays, nothing copied,
 * nothing allocated.
 */

import type { Binders, JointKernels } from '../implementations/kernels';
import { defaultBinders, defaultKernels } from '../implementations/registry';

export type { Routine } from '../backend/contract';
export { JOINT_MAT_FLOATS, JOINT_QUAT_FLOATS } from '../checks/layout';
export type { BoundBlend, BoundCall, Convention, ConvertOptions, JointKernels } from '../implementations/kernels';
export {
    backend,
    defaultImplementation,
    type ImplementationInfo,
    type ImplementationOptions,
    implementation,
    implementations,
    nativeLoadError,
} from '../implementations/registry';
export { STRICT_VERSION } from '../strict/version';

/**
 * Spherical linear interpolation of joints, in place: each joint turns and moves towards its like in `blendJoints`,
 * rotation by slerp along the shorter arc, translation linearly.
 *
 * A joint that `index` names more than once is blended once per mention, except in `paper/sse`, which keeps the
 * listing's behaviour: within a group of four its translation is blended once per mention, its rotation only once.
 *
 * The plain function gives the same bits on every machine: it is the best `strict` implementation there.
 *
 * Source: the routine, J.M.P. van Waveren, "Slerping Clock Cycles" (2005), sections 3 and 6, appendix A; the arithmetic
 * of `strict`, this project's own.
 *
 * @param joints JointQuats (8 floats each), read and written.
 * @param blendJoints JointQuats of the other pose. May be `joints` itself; must not overlap it in any other way, which only
 * the addon finds out where two SharedArrayBuffer objects are one memory (`ERR_BUFFER_CHANGED`; TypeScript computes).
 * @param lerp 0 … 1, rounded to float32. At or below 0 `joints` stays as it is; at or above 1, or NaN, it becomes a
 * copy.
 * @param index Which joints to blend; null or left out: the first `numJoints`. Both lists must hold every joint named.
 * @param numJoints Default: the length of `index`, else all joints of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then, save for
 * `ERR_BUFFER_CHANGED`: where another thread changes a shared `index` during the call, some joints may be done.
 */
export const slerpJoints: JointKernels['slerpJoints'] = defaultKernels.slerpJoints;

/**
 * Linear interpolation of joints, in place, rotations renormalised: cheaper than {@link slerpJoints}, and close to it
 * for poses that are close to each other. Arguments and errors as there.
 *
 * Source: the routine, "Slerping Clock Cycles" (2005), section 4, appendix B; the arithmetic of `strict`, this
 * project's own.
 */
export const lerpJoints: JointKernels['lerpJoints'] = defaultKernels.lerpJoints;

/**
 * Rotation + translation to matrices.
 *
 * Source: J.M.P. van Waveren, "From Quaternion to Matrix and Back" (2005), section 3, appendix A.
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), written.
 * @param jointQuats JointQuats (8 floats each: unit quaternion x y z w, translation x y z and an unused fourth), read.
 * @param options `numJoints` (default: all joints of lists of the same length); `convention`: `'id'` (default), the
 * papers' matrices, which are the transpose of `'gltf'`, those of glTF, three.js and gl-matrix.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP` (the lists must not share memory); Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export const convertJointQuatsToJointMats: JointKernels['convertJointQuatsToJointMats'] =
    defaultKernels.convertJointQuatsToJointMats;

/**
 * Matrices to rotation + translation, for matrices without scale or shear. The sign of a quaternion is not canonical
 * (`w` may be negative), and the unused fourth component of the translation becomes 0. Errors as of
 * {@link convertJointQuatsToJointMats}.
 *
 * Source: "From Quaternion to Matrix and Back" (2005), section 4, appendix B.
 *
 * @param jointQuats JointQuats (8 floats each), written.
 * @param jointMats JointMats (12 floats each), read.
 * @param options As in {@link convertJointQuatsToJointMats}.
 */
export const convertJointMatsToJointQuats: JointKernels['convertJointMatsToJointQuats'] =
    defaultKernels.convertJointMatsToJointQuats;

/**
 * From matrices relative to the parent to matrices relative to the model, in place: joint = parent * joint, parents
 * before children.
 *
 * Source: J.M.P. van Waveren, "The Skeleton Assembly Line" (2005), section 3, appendix A.
 *
 * @param jointMats JointMats (12 floats each), read and written.
 * @param parents The parent of each joint: a joint before it, or -1 for a root, which is left as it is.
 * @param firstJoint Default 1: joint 0 is taken for the root.
 * @param lastJoint Inclusive; default: the last joint of `jointMats`. Less than `firstJoint`: nothing is done.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_PARENT_RANGE`, `ERR_PARENT_ORDER`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written
 * then, save for `ERR_BUFFER_CHANGED`: where another thread changes shared `parents` during the call, some joints may
 * be done.
 */
export const transformSkeleton: JointKernels['transformSkeleton'] = defaultKernels.transformSkeleton;

/**
 * The inverse of {@link transformSkeleton}, in place: from matrices relative to the model to matrices relative to the
 * parent, children first. The inverse of a parent is taken by transposing, so parents must have neither scale nor
 * shear. Arguments and errors as there.
 *
 * Source: "The Skeleton Assembly Line" (2005), section 4, appendix B.
 */
export const untransformSkeleton: JointKernels['untransformSkeleton'] = defaultKernels.untransformSkeleton;

/**
 * Products of joint matrices: `result[i] = joints1[i] * joints2[i]`, e.g. animated joints times inverse bind poses.
 *
 * Source: "The Skeleton Assembly Line" (2005), section 5, appendix C.
 *
 * @param result JointMats (12 floats each), written. May be `joints1` or `joints2` itself; must not overlap them
 * otherwise.
 * @param joints1 JointMats, read.
 * @param joints2 JointMats, read.
 * @param numJoints Default: all joints of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export const transformJoints: JointKernels['transformJoints'] = defaultKernels.transformJoints;

/**
 * {@link slerpJoints} with a time for each joint; errors as there. Differs from it by up to 4e-7 at the same time,
 * because a polynomial for one time only costs less.
 *
 * Source: the routine, "Slerping Clock Cycles" (2005), section 6; the arithmetic of `strict`, this project's own.
 *
 * @param joints JointQuats (8 floats each), read and written.
 * @param blendJoints JointQuats of the other pose. May be `joints` itself; must not overlap it in any other way.
 * @param lerps One number for each joint, by joint number, as `joints` and `blendJoints` go: joint i is blended by
 * `lerps[i]`, with or without an index. 0 … 1; at or below 0 the joint stays as it is, at or above 1, or NaN, it
 * becomes a copy. Must not overlap `joints`.
 * @param index Which joints to blend; null or left out: the first `numJoints`. All three lists must hold every joint
 * named.
 * @param numJoints Default: the length of `index`, else all joints of lists of the same length.
 */
export const slerpJointsPerJoint: JointKernels['slerpJointsPerJoint'] = defaultKernels.slerpJointsPerJoint;

/**
 * Quaternions of joints to unit length, in place, each divided by its length. A zero quaternion stays as it is, and
 * translations are left alone.
 *
 * @param joints JointQuats (8 floats each), read and written.
 * @param index Which joints; null or left out: the first `numJoints`.
 * @param numJoints Default: the length of `index`, else all joints of the list.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP` (of `index` and `joints`); Error `ERR_BUFFER_CHANGED`. Nothing has been
 * written then, save for `ERR_BUFFER_CHANGED`, as in {@link slerpJoints}.
 */
export const normalizeJoints: JointKernels['normalizeJoints'] = defaultKernels.normalizeJoints;

/**
 * {@link slerpJoints} with everything fixed but `lerp`, for a call that comes again and again: a run costs little more
 * than the work. The arguments are checked now, with the same errors.
 *
 * Arguments and errors as of {@link slerpJoints}. `index` is copied: changing it later changes nothing. The lists are kept alive and not copied, each run reads and
 * writes them as they are then. How many joints it blends is settled now, and stays so where a buffer grows.
 *
 * @returns An object whose `run(lerp)` does the call. Where a buffer has meanwhile been detached, or has become too
 * short, it throws as `slerpJoints` would, and has written nothing; the same where `ERR_BUFFER_CHANGED` says that the
 * lists changed just then, or turn out to share memory.
 */
export const bindSlerpJoints: Binders['bindSlerpJoints'] = defaultBinders.bindSlerpJoints;

/** {@link lerpJoints} with everything fixed but `lerp`; see {@link bindSlerpJoints}. */
export const bindLerpJoints: Binders['bindLerpJoints'] = defaultBinders.bindLerpJoints;

/**
 * {@link slerpJointsPerJoint} with everything fixed: `run()` blends by what `lerps` holds then; see
 * {@link bindSlerpJoints}.
 */
export const bindSlerpJointsPerJoint: Binders['bindSlerpJointsPerJoint'] = defaultBinders.bindSlerpJointsPerJoint;

/** {@link normalizeJoints} with everything fixed; see {@link bindSlerpJoints}. */
export const bindNormalizeJoints: Binders['bindNormalizeJoints'] = defaultBinders.bindNormalizeJoints;

/** {@link convertJointQuatsToJointMats} with everything fixed; see {@link bindSlerpJoints}. */
export const bindConvertJointQuatsToJointMats: Binders['bindConvertJointQuatsToJointMats'] =
    defaultBinders.bindConvertJointQuatsToJointMats;

/** {@link convertJointMatsToJointQuats} with everything fixed; see {@link bindSlerpJoints}. */
export const bindConvertJointMatsToJointQuats: Binders['bindConvertJointMatsToJointQuats'] =
    defaultBinders.bindConvertJointMatsToJointQuats;

/** {@link transformSkeleton} with everything fixed; `parents` is copied; see {@link bindSlerpJoints}. */
export const bindTransformSkeleton: Binders['bindTransformSkeleton'] = defaultBinders.bindTransformSkeleton;

/** {@link untransformSkeleton} with everything fixed; `parents` is copied; see {@link bindSlerpJoints}. */
export const bindUntransformSkeleton: Binders['bindUntransformSkeleton'] = defaultBinders.bindUntransformSkeleton;

/** {@link transformJoints} with everything fixed; see {@link bindSlerpJoints}. */
export const bindTransformJoints: Binders['bindTransformJoints'] = defaultBinders.bindTransformJoints;
