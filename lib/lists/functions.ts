// SPDX-License-Identifier: MIT

/**
 * The functions on lists of joints and of quaternions, on plain typed arrays: nothing is copied, nothing allocated. Destination first, as in
 * the papers. Each checks its arguments (checks.ts) and runs the kernel of its name, which gives the same bits on every machine: the best
 * `strict` of this one (choose.ts).
 */

import { checkNumber } from '../base/arguments';
import { stateError } from '../base/errors';
import type { Convention } from '../base/kernel';
import type { BoundBlend, BoundCall } from './bind';
import { checkInteger } from './checks';
import { FLOATS } from './description';
import { bindPlain, memory, plain } from './plain';

/**
 * Floats of a JointQuat: unit quaternion x y z w, translation x y z, and `t.w`, which fills up the 32 bytes and is free for your use.
 * Blends treat `t.w` as they treat x y z, `normalizeJoints` leaves it alone, the conversion to matrices does not read it, and the one from
 * matrices sets it to 0.
 */
export const JOINT_QUAT_FLOATS = FLOATS.jointQuat;

/** Floats of a JointMat: row-major 3x4, translation last in each row. */
export const JOINT_MAT_FLOATS = FLOATS.jointMat;

/** Floats of a quaternion x y z w. */
export const QUAT_FLOATS = FLOATS.quat;

/**
 * JointQuats that the functions take without a copy, wherever they run: in WebAssembly they lie in its memory. Many lists share a buffer
 * there, which is freed with the last view of it, and which other things lie in: use the list, not its `buffer`, and send `list.slice()` to
 * other threads.
 *
 * @param numJoints How many, from 0 on.
 * @returns A list of {@link JOINT_QUAT_FLOATS 8 floats} each, all 0.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_COUNT_RANGE`; Error `ERR_COUNT_RANGE` where memory is lacking.
 * @example
 * const [pose, otherPose] = [createJoints(64), createJoints(64)];
 * slerpJoints(pose, otherPose, 0.25);
 */
export function createJoints(numJoints: number): Float32Array {
    return createList('createJoints', 'numJoints', numJoints, JOINT_QUAT_FLOATS);
}

/**
 * JointMats that need no copy: see {@link createJoints}.
 *
 * @param numJoints How many, from 0 on.
 * @returns A list of {@link JOINT_MAT_FLOATS 12 floats} each, all 0.
 * @throws As {@link createJoints}.
 */
export function createJointMats(numJoints: number): Float32Array {
    return createList('createJointMats', 'numJoints', numJoints, JOINT_MAT_FLOATS);
}

/**
 * Quaternions that need no copy: see {@link createJoints}.
 *
 * @param count How many, from 0 on.
 * @returns A list of {@link QUAT_FLOATS 4 floats} each, all 0.
 * @throws As {@link createJoints}.
 */
export function createQuats(count: number): Float32Array {
    return createList('createQuats', 'count', count, QUAT_FLOATS);
}

function createList(name: string, argument: string, count: number, floats: number): Float32Array {
    checkNumber(name, argument, count);
    checkInteger(name, argument, count, 0);
    try {
        return memory.createFloats(count * floats);
    } catch (cause) {
        throw stateError('ERR_COUNT_RANGE', `${name}: no memory for ${count * floats} floats`, cause);
    }
}

/** Options of the conversions. */
export interface ConvertOptions {
    /** How many joints to convert; default: as many as the buffers hold. */
    numJoints?: number;
    /** Default `'id'`. Using the wrong one gives the inverse rotations. */
    convention?: Convention;
}

const plainSlerpJoints = plain.slerpJoints;

/**
 * Spherical linear interpolation of joints, in place: each joint turns and moves towards its like in `blendJoints`, rotation
 * by slerp along the shorter arc, translation linearly.
 *
 * A joint that `index` names more than once is blended once per mention, except in `paper/sse`, which keeps the listing's
 * behavior: within a group of four its translation is blended once per mention, its rotation only once.
 *
 * Source: the routine, J.M.P. van Waveren, "Slerping Clock Cycles" (2005), sections 3 and 6, appendix A; the arithmetic of
 * `strict`, this project's own.
 *
 * @example
 * ```js
 * slerpJoints(pose, otherPose, 0.25); // a quarter of the way, all joints
 * slerpJoints(pose, wave, 1, Int32Array.of(4, 5, 6)); // three joints of an arm take over the other pose
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. May be `joints` itself; must not overlap it in any other way.
 * @param lerp 0 … 1, rounded to float32. At or below 0 `joints` stays as it is; at or above 1, or NaN, it becomes a copy.
 * @param index Which joints; null or left out: the first `numJoints`. Each list must hold every joint named.
 * @param numJoints Default: the length of `index`, else all joints of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then, except for
 * `ERR_BUFFER_CHANGED`: where another thread changes a shared `index` during the call, some joints may be done.
 */
export function slerpJoints(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index?: Int32Array | null,
    numJoints?: number,
): void {
    plainSlerpJoints.run(joints, blendJoints, lerp, index, numJoints);
}

const plainLerpJoints = plain.lerpJoints;

/**
 * Linear interpolation of joints, in place, rotations renormalized: cheaper than {@link slerpJoints}, and close to it for
 * poses that are close to each other.
 *
 * Source: the routine, "Slerping Clock Cycles" (2005), section 4, appendix B; the arithmetic of `strict`, this project's own.
 *
 * @example
 * ```js
 * lerpJoints(pose, nextPose, 0.5);
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. May be `joints` itself; must not overlap it in any other way.
 * @param lerp 0 … 1, rounded to float32. At or below 0 `joints` stays as it is; at or above 1, or NaN, it becomes a copy.
 * @param index Which joints; null or left out: the first `numJoints`. Each list must hold every joint named.
 * @param numJoints Default: the length of `index`, else all joints of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then, except for
 * `ERR_BUFFER_CHANGED`: where another thread changes a shared `index` during the call, some joints may be done.
 */
export function lerpJoints(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index?: Int32Array | null,
    numJoints?: number,
): void {
    plainLerpJoints.run(joints, blendJoints, lerp, index, numJoints);
}

const plainSlerpJointsPerJoint = plain.slerpJointsPerJoint;

/**
 * {@link slerpJoints} with a time for each joint. Differs from it by up to 4e-7 at the same time, because a polynomial for one
 * time only costs less.
 *
 * Source: the routine, "Slerping Clock Cycles" (2005), section 6; the arithmetic of `strict`, this project's own.
 *
 * @example
 * ```js
 * slerpJointsPerJoint(walk, wave, upperBody); // upperBody: a mask with 0 for the legs, 1 for the arms
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. May be `joints` itself; must not overlap it in any other way.
 * @param lerps One number for each joint, by joint number, as `joints` and `blendJoints` go: joint i is blended by `lerps[i]`,
 * with or without an index. 0 … 1; at or below 0 the joint stays as it is, at or above 1, or NaN, it becomes a copy. Must not
 * overlap `joints`.
 * @param index Which joints; null or left out: the first `numJoints`. Each list must hold every joint named.
 * @param numJoints Default: the length of `index`, else all joints of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then, except for
 * `ERR_BUFFER_CHANGED`: where another thread changes a shared `index` during the call, some joints may be done.
 */
export function slerpJointsPerJoint(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerps: Float32Array,
    index?: Int32Array | null,
    numJoints?: number,
): void {
    plainSlerpJointsPerJoint.run(joints, blendJoints, lerps, index, numJoints);
}

const plainNormalizeJoints = plain.normalizeJoints;

/**
 * Quaternions of joints to unit length, in place, each divided by its length. A zero quaternion stays as it is, and
 * translations are left alone.
 *
 * Source: this project's own.
 *
 * @example
 * ```js
 * normalizeJoints(pose);
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read and written.
 * @param index Which joints; null or left out: the first `numJoints`. Each list must hold every joint named.
 * @param numJoints Default: the length of `index`, else all joints of the list.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then, except for
 * `ERR_BUFFER_CHANGED`: where another thread changes a shared `index` during the call, some joints may be done.
 */
export function normalizeJoints(joints: Float32Array, index?: Int32Array | null, numJoints?: number): void {
    plainNormalizeJoints.run(joints, index, numJoints);
}

const plainConvertJointQuatsToJointMats = plain.convertJointQuatsToJointMats;

/**
 * Rotation + translation to matrices.
 *
 * Source: J.M.P. van Waveren, "From Quaternion to Matrix and Back" (2005), section 3, appendix A.
 *
 * @example
 * ```js
 * const mats = new Float32Array((pose.length / 8) * 12);
 * convertJointQuatsToJointMats(mats, pose, { convention: 'gltf' });
 * ```
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), written.
 * @param jointQuats JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read.
 * @param options `numJoints` (default: all joints of lists of the same length); `convention`: `'id'` (default), the papers'
 * matrices, which are the transpose of `'gltf'`, those of glTF, three.js and gl-matrix.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP` (the lists must not share memory); Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function convertJointQuatsToJointMats(
    jointMats: Float32Array,
    jointQuats: Float32Array,
    options?: ConvertOptions,
): void {
    plainConvertJointQuatsToJointMats.run(jointMats, jointQuats, options);
}

const plainConvertJointMatsToJointQuats = plain.convertJointMatsToJointQuats;

/**
 * Matrices to rotation + translation, for matrices without scale or shear. The sign of a quaternion is not canonical: `w` may
 * be negative.
 *
 * Source: "From Quaternion to Matrix and Back" (2005), section 4, appendix B.
 *
 * @example
 * ```js
 * convertJointMatsToJointQuats(pose, mats, { convention: 'gltf' });
 * ```
 *
 * @param jointQuats JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), written.
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read.
 * @param options `numJoints` (default: all joints of lists of the same length); `convention`: `'id'` (default), the papers'
 * matrices, which are the transpose of `'gltf'`, those of glTF, three.js and gl-matrix.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP` (the lists must not share memory); Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function convertJointMatsToJointQuats(
    jointQuats: Float32Array,
    jointMats: Float32Array,
    options?: ConvertOptions,
): void {
    plainConvertJointMatsToJointQuats.run(jointQuats, jointMats, options);
}

const plainTransformSkeleton = plain.transformSkeleton;

/**
 * From matrices relative to the parent to matrices relative to the model, in place: joint = parent * joint, parents before
 * children.
 *
 * Source: J.M.P. van Waveren, "The Skeleton Assembly Line" (2005), section 3, appendix A.
 *
 * @example
 * ```js
 * transformSkeleton(mats, Int32Array.of(-1, 0, 1)); // hip, knee, ankle
 * ```
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read and written.
 * @param parents The parent of each joint: a joint before it, or -1 for a root, which is left as it is.
 * @param firstJoint Default 1: joint 0 is taken for the root.
 * @param lastJoint Inclusive; default: the last joint of `jointMats`. Less than `firstJoint`: nothing is done.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_PARENT_RANGE`, `ERR_PARENT_ORDER`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then,
 * except for `ERR_BUFFER_CHANGED`: if another thread changes shared `parents` during the call, some joints may be done.
 */
export function transformSkeleton(
    jointMats: Float32Array,
    parents: Int32Array,
    firstJoint?: number,
    lastJoint?: number,
): void {
    plainTransformSkeleton.run(jointMats, parents, firstJoint, lastJoint);
}

const plainUntransformSkeleton = plain.untransformSkeleton;

/**
 * The inverse of {@link transformSkeleton}, in place: from matrices relative to the model to matrices relative to the parent,
 * children first. The inverse of a parent is taken by transposing, so parents must have neither scale nor shear.
 *
 * Source: "The Skeleton Assembly Line" (2005), section 4, appendix B.
 *
 * @example
 * ```js
 * untransformSkeleton(mats, Int32Array.of(-1, 0, 1));
 * ```
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read and written.
 * @param parents The parent of each joint: a joint before it, or -1 for a root, which is left as it is.
 * @param firstJoint Default 1: joint 0 is taken for the root.
 * @param lastJoint Inclusive; default: the last joint of `jointMats`. Less than `firstJoint`: nothing is done.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_PARENT_RANGE`, `ERR_PARENT_ORDER`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then,
 * except for `ERR_BUFFER_CHANGED`: if another thread changes shared `parents` during the call, some joints may be done.
 */
export function untransformSkeleton(
    jointMats: Float32Array,
    parents: Int32Array,
    firstJoint?: number,
    lastJoint?: number,
): void {
    plainUntransformSkeleton.run(jointMats, parents, firstJoint, lastJoint);
}

const plainTransformJoints = plain.transformJoints;

/**
 * Products of joint matrices: `result[i] = joints1[i] * joints2[i]`, e.g. animated joints times inverse bind poses.
 *
 * Source: "The Skeleton Assembly Line" (2005), section 5, appendix C.
 *
 * @example
 * ```js
 * transformJoints(palette, mats, inverseBindMats);
 * ```
 *
 * @param result JointMats (12 floats each: row-major 3x4, translation last in each row), written. May be `joints1` or
 * `joints2` itself; must not overlap them otherwise.
 * @param joints1 JointMats, read.
 * @param joints2 JointMats, read.
 * @param numJoints Default: all joints of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function transformJoints(
    result: Float32Array,
    joints1: Float32Array,
    joints2: Float32Array,
    numJoints?: number,
): void {
    plainTransformJoints.run(result, joints1, joints2, numJoints);
}

const plainSlerpQuats = plain.slerpQuats;

/**
 * Spherical linear interpolation of lists of quaternions: `result[i]` lies between `from[i]` and `to[i]`, on the shorter arc.
 *
 * Source: by implementation. `strict/*`, `fast/*`: this project's own, the arithmetic of `slerpJoints`. `paper/sse`: "Slerping
 * Clock Cycles" (2005), appendix A. `paper/c`, `paper/typescript`: its section 3. `intel/avx`: Intel, "Benefits of Intel AVX
 * for Quaternion Spherical Linear Interpolation" (undated), with its defects fixed. `eberly/*`: D. Eberly, "A Fast and Accurate
 * Algorithm for Computing SLERP", JGT 15:3 (2011).
 *
 * @example
 * ```js
 * slerpQuats(between, before, after, 0.5);
 * ```
 *
 * @param result Quaternions (4 floats x y z w each), written. May be `from` or `to` itself; must not overlap them in any other
 * way.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t 0 … 1, rounded to float32. At or below 0 the result is `from`, at or above 1, or NaN, it is `to`: in all of
 * `strict/*`, `fast/*` and `paper/*`. Intel's and Eberly's documents have no such edges: `intel/*` and `eberly/*` extrapolate,
 * with the growing errors of their polynomials, and a NaN gives NaN.
 * @param count Default: all quaternions of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function slerpQuats(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: number,
    count?: number,
): void {
    plainSlerpQuats.run(result, from, to, t, count);
}

const plainLerpQuats = plain.lerpQuats;

/**
 * Linear interpolation of lists of quaternions, renormalized: cheaper than {@link slerpQuats}, and close to it for quaternions
 * that are close to each other.
 *
 * Source: the routine, "Slerping Clock Cycles" (2005), section 4, appendix B; the arithmetic of `strict`, this project's own.
 *
 * @example
 * ```js
 * lerpQuats(between, before, after, 0.5);
 * ```
 *
 * @param result Quaternions (4 floats x y z w each), written. May be `from` or `to` itself; must not overlap them in any other
 * way.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t 0 … 1, rounded to float32. At or below 0 the result is `from`, at or above 1, or NaN, it is `to`: in all of
 * `strict/*`, `fast/*` and `paper/*`. Intel's and Eberly's documents have no such edges: `intel/*` and `eberly/*` extrapolate,
 * with the growing errors of their polynomials, and a NaN gives NaN.
 * @param count Default: all quaternions of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function lerpQuats(result: Float32Array, from: Float32Array, to: Float32Array, t: number, count?: number): void {
    plainLerpQuats.run(result, from, to, t, count);
}

const plainSlerpQuatsPerQuat = plain.slerpQuatsPerQuat;

/**
 * {@link slerpQuats} with a time for each pair: `result[i]` lies at `t[i]` between `from[i]` and `to[i]`. Differs from it by
 * up to 4e-7 at the same time.
 *
 * Source: the arithmetic of `strict`, this project's own.
 *
 * @param result Quaternions (4 floats x y z w each), written. May be `from` or `to` itself; must not overlap them in any other
 * way, nor `t`.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t A number for each pair, with the edges of {@link slerpQuats}, each for itself.
 * @param count Default: all quaternions of lists of the same length, `t` with as many numbers.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function slerpQuatsPerQuat(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: Float32Array,
    count?: number,
): void {
    plainSlerpQuatsPerQuat.run(result, from, to, t, count);
}

const plainSlerpQuatTimes = plain.slerpQuatTimes;

/**
 * Slerp of one pair at several times: `result[i]` lies at `t[i]` between `q0` and `q1`, on the shorter arc.
 *
 * Source: Eberly (2011), sections 5.1 and 5.2, in `eberly/*`; the plain function is {@link slerpQuatsPerQuat} with the same
 * pair throughout.
 *
 * @param result `t.length` quaternions, written. `q0` and `q1` may lie in it; it must not overlap `t`.
 * @param q0 One quaternion (4 floats).
 * @param q1 One quaternion (4 floats).
 * @param t Times; outside 0 … 1 as in {@link slerpQuats}.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_BUFFER_OVERLAP`; Error
 * `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function slerpQuatTimes(result: Float32Array, q0: Float32Array, q1: Float32Array, t: Float32Array): void {
    plainSlerpQuatTimes.run(result, q0, q1, t);
}

/**
 * {@link slerpJoints} with everything fixed but `lerp`, for repeated calls: a run costs little more than the arithmetic. `bindSlerpJoints`
 * checks the arguments, with the same errors.
 *
 * The lists are kept alive and not copied: each run reads and writes their present contents. `index` is copied: later changes to it have no
 * effect. The number of joints is fixed, even if a buffer grows later.
 *
 * @example
 * ```js
 * const blend = bindSlerpJoints(pose, otherPose);
 * for (const t of times) blend.run(t);
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. May be `joints` itself; must not overlap it in any other way.
 * @param index Which joints; null or left out: the first `numJoints`. Each list must hold every joint named.
 * @param numJoints Default: the length of `index`, else all joints of lists of the same length.
 * @returns An object whose `run(lerp)` does the call. Where a buffer has meanwhile been detached, or has become too short, it
 * throws as `slerpJoints` would, and has written nothing; the same where `ERR_BUFFER_CHANGED` says that the lists changed just
 * then, or turn out to share memory.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`.
 */
export function bindSlerpJoints(
    joints: Float32Array,
    blendJoints: Float32Array,
    index?: Int32Array | null,
    numJoints?: number,
): BoundBlend {
    return bindPlain('slerpJoints', joints, blendJoints, index, numJoints);
}

/**
 * {@link lerpJoints} with all but `lerp` fixed, for a call that comes again and again; see {@link bindSlerpJoints}.
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. May be `joints` itself; must not overlap it in any other way.
 * @param index Which joints; null or left out: the first `numJoints`. Each list must hold every joint named.
 * @param numJoints Default: the length of `index`, else all joints of lists of the same length.
 * @returns An object whose `run(lerp)` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`.
 */
export function bindLerpJoints(
    joints: Float32Array,
    blendJoints: Float32Array,
    index?: Int32Array | null,
    numJoints?: number,
): BoundBlend {
    return bindPlain('lerpJoints', joints, blendJoints, index, numJoints);
}

/**
 * {@link slerpJointsPerJoint} with everything fixed, for a call that comes again and again; see {@link bindSlerpJoints}.
 * `run()` blends by what `lerps` holds then.
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. May be `joints` itself; must not overlap it in any other way.
 * @param lerps One number for each joint, by joint number, as `joints` and `blendJoints` go: joint i is blended by `lerps[i]`,
 * with or without an index. 0 … 1; at or below 0 the joint stays as it is, at or above 1, or NaN, it becomes a copy. Must not
 * overlap `joints`.
 * @param index Which joints; null or left out: the first `numJoints`. Each list must hold every joint named.
 * @param numJoints Default: the length of `index`, else all joints of lists of the same length.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`.
 */
export function bindSlerpJointsPerJoint(
    joints: Float32Array,
    blendJoints: Float32Array,
    lerps: Float32Array,
    index?: Int32Array | null,
    numJoints?: number,
): BoundCall {
    return bindPlain('slerpJointsPerJoint', joints, blendJoints, lerps, index, numJoints);
}

/**
 * {@link normalizeJoints} with everything fixed, for a call that comes again and again; see {@link bindSlerpJoints}.
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read and written.
 * @param index Which joints; null or left out: the first `numJoints`. Each list must hold every joint named.
 * @param numJoints Default: the length of `index`, else all joints of the list.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`.
 */
export function bindNormalizeJoints(joints: Float32Array, index?: Int32Array | null, numJoints?: number): BoundCall {
    return bindPlain('normalizeJoints', joints, index, numJoints);
}

/**
 * {@link convertJointQuatsToJointMats} with everything fixed, for a call that comes again and again; see {@link
 * bindSlerpJoints}.
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), written.
 * @param jointQuats JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), read.
 * @param options `numJoints` (default: all joints of lists of the same length); `convention`: `'id'` (default), the papers'
 * matrices, which are the transpose of `'gltf'`, those of glTF, three.js and gl-matrix.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP` (the lists must not share memory).
 */
export function bindConvertJointQuatsToJointMats(
    jointMats: Float32Array,
    jointQuats: Float32Array,
    options?: ConvertOptions,
): BoundCall {
    return bindPlain('convertJointQuatsToJointMats', jointMats, jointQuats, options);
}

/**
 * {@link convertJointMatsToJointQuats} with everything fixed, for a call that comes again and again; see {@link
 * bindSlerpJoints}.
 *
 * @param jointQuats JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z, `t.w`), written.
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read.
 * @param options `numJoints` (default: all joints of lists of the same length); `convention`: `'id'` (default), the papers'
 * matrices, which are the transpose of `'gltf'`, those of glTF, three.js and gl-matrix.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP` (the lists must not share memory).
 */
export function bindConvertJointMatsToJointQuats(
    jointQuats: Float32Array,
    jointMats: Float32Array,
    options?: ConvertOptions,
): BoundCall {
    return bindPlain('convertJointMatsToJointQuats', jointQuats, jointMats, options);
}

/**
 * {@link transformSkeleton} with everything fixed, for a call that comes again and again; see {@link bindSlerpJoints}.
 * `parents` is copied.
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read and written.
 * @param parents The parent of each joint: a joint before it, or -1 for a root, which is left as it is.
 * @param firstJoint Default 1: joint 0 is taken for the root.
 * @param lastJoint Inclusive; default: the last joint of `jointMats`. Less than `firstJoint`: nothing is done.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_PARENT_RANGE`, `ERR_PARENT_ORDER`, `ERR_BUFFER_OVERLAP`.
 */
export function bindTransformSkeleton(
    jointMats: Float32Array,
    parents: Int32Array,
    firstJoint?: number,
    lastJoint?: number,
): BoundCall {
    return bindPlain('transformSkeleton', jointMats, parents, firstJoint, lastJoint);
}

/**
 * {@link untransformSkeleton} with everything fixed, for a call that comes again and again; see {@link bindSlerpJoints}.
 * `parents` is copied.
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read and written.
 * @param parents The parent of each joint: a joint before it, or -1 for a root, which is left as it is.
 * @param firstJoint Default 1: joint 0 is taken for the root.
 * @param lastJoint Inclusive; default: the last joint of `jointMats`. Less than `firstJoint`: nothing is done.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_PARENT_RANGE`, `ERR_PARENT_ORDER`, `ERR_BUFFER_OVERLAP`.
 */
export function bindUntransformSkeleton(
    jointMats: Float32Array,
    parents: Int32Array,
    firstJoint?: number,
    lastJoint?: number,
): BoundCall {
    return bindPlain('untransformSkeleton', jointMats, parents, firstJoint, lastJoint);
}

/**
 * {@link transformJoints} with everything fixed, for a call that comes again and again; see {@link bindSlerpJoints}.
 *
 * @param result JointMats (12 floats each: row-major 3x4, translation last in each row), written. May be `joints1` or
 * `joints2` itself; must not overlap them otherwise.
 * @param joints1 JointMats, read.
 * @param joints2 JointMats, read.
 * @param numJoints Default: all joints of lists of the same length.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`.
 */
export function bindTransformJoints(
    result: Float32Array,
    joints1: Float32Array,
    joints2: Float32Array,
    numJoints?: number,
): BoundCall {
    return bindPlain('transformJoints', result, joints1, joints2, numJoints);
}

/**
 * {@link slerpQuats} with all but `t` fixed, for a call that comes again and again; see {@link bindSlerpJoints}.
 *
 * @param result Quaternions (4 floats x y z w each), written. May be `from` or `to` itself; must not overlap them in any other
 * way.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param count Default: all quaternions of lists of the same length.
 * @returns An object whose `run(t)` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`.
 */
export function bindSlerpQuats(result: Float32Array, from: Float32Array, to: Float32Array, count?: number): BoundBlend {
    return bindPlain('slerpQuats', result, from, to, count);
}

/**
 * {@link lerpQuats} with all but `t` fixed, for a call that comes again and again; see {@link bindSlerpJoints}.
 *
 * @param result Quaternions (4 floats x y z w each), written. May be `from` or `to` itself; must not overlap them in any other
 * way.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param count Default: all quaternions of lists of the same length.
 * @returns An object whose `run(t)` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`.
 */
export function bindLerpQuats(result: Float32Array, from: Float32Array, to: Float32Array, count?: number): BoundBlend {
    return bindPlain('lerpQuats', result, from, to, count);
}

/**
 * {@link slerpQuatsPerQuat} with everything fixed, for a call that comes again and again; see {@link bindSlerpJoints}. `run()`
 * goes by what `t` holds then.
 *
 * @param result Quaternions (4 floats x y z w each), written. May be `from` or `to` itself; must not overlap them in any other
 * way, nor `t`.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t A number for each pair, with the edges of {@link slerpQuats}, each for itself.
 * @param count Default: all quaternions of lists of the same length, `t` with as many numbers.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`.
 */
export function bindSlerpQuatsPerQuat(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: Float32Array,
    count?: number,
): BoundCall {
    return bindPlain('slerpQuatsPerQuat', result, from, to, t, count);
}

/**
 * {@link slerpQuatTimes} with everything fixed, for a call that comes again and again; see {@link bindSlerpJoints}. `run()`
 * goes by what `q0`, `q1` and `t` hold then.
 *
 * @param result `t.length` quaternions, written. `q0` and `q1` may lie in it; it must not overlap `t`.
 * @param q0 One quaternion (4 floats).
 * @param q1 One quaternion (4 floats).
 * @param t Times; outside 0 … 1 as in {@link slerpQuats}.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_BUFFER_OVERLAP`.
 */
export function bindSlerpQuatTimes(
    result: Float32Array,
    q0: Float32Array,
    q1: Float32Array,
    t: Float32Array,
): BoundCall {
    return bindPlain('slerpQuatTimes', result, q0, q1, t);
}
