// SPDX-License-Identifier: MIT

/**
 * Functions on lists of joints and of quaternions, as plain typed arrays. They do not copy or allocate. The destination
 * comes first, as in the papers. Each function checks its arguments (checks.ts) and runs the fastest `strict` kernel of
 * this machine (choose.ts). All `strict` kernels give the same bits.
 */

import { checkNumber } from '../base/arguments';
import { stateError } from '../base/errors';
import type { Convention } from '../base/kernel';
import type { BoundBlend, BoundCall } from './bind';
import { checkInteger } from './checks';
import { FLOATS } from './description';
import { bindPlain, memory, plain } from './plain';

/**
 * Number of floats of a JointQuat, 8: unit quaternion x y z w, translation x y z, and `t.w`. `t.w` pads to 32 bytes and
 * is free for your use. Blends interpolate it like x y z. `normalizeJoints` does not change it. The conversion to
 * matrices ignores it, and the conversion from matrices sets it to 0.
 *
 * Source: J.M.P. van Waveren, "Slerping Clock Cycles" (2005), appendix A.
 */
export const JOINT_QUAT_FLOATS = FLOATS.jointQuat;

/**
 * Number of floats of a JointMat, 12: row-major 3x4, translation last in each row.
 *
 * Source: J.M.P. van Waveren, "The Skeleton Assembly Line" (2005), section 3.
 */
export const JOINT_MAT_FLOATS = FLOATS.jointMat;

/** Number of floats of a quaternion, 4: x y z w. */
export const QUAT_FLOATS = FLOATS.quat;

/**
 * Allocates JointQuats that the functions use without a copy. In WebAssembly the list is a view of the module's memory.
 * There, many lists share one buffer, which is freed with its last view. Use the list, not its `buffer`, and send
 * `list.slice()` to other threads.
 *
 * @param numJoints Number of joints, at least 0.
 * @returns A list of {@link JOINT_QUAT_FLOATS 8 floats} per joint, all 0.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; RangeError `ERR_COUNT_RANGE`; Error `ERR_COUNT_RANGE` if there is not enough
 * memory.
 * @example
 * const [pose, otherPose] = [createJoints(64), createJoints(64)];
 * slerpJoints(pose, otherPose, 0.25);
 */
export function createJoints(numJoints: number): Float32Array {
    return createList('createJoints', 'numJoints', numJoints, JOINT_QUAT_FLOATS);
}

/**
 * Allocates JointMats that the functions use without a copy: see {@link createJoints}.
 *
 * @param numJoints Number of joints, at least 0.
 * @returns A list of {@link JOINT_MAT_FLOATS 12 floats} per joint, all 0.
 * @throws As {@link createJoints}.
 */
export function createJointMats(numJoints: number): Float32Array {
    return createList('createJointMats', 'numJoints', numJoints, JOINT_MAT_FLOATS);
}

/**
 * Allocates quaternions that the functions use without a copy: see {@link createJoints}.
 *
 * @param count Number of quaternions, at least 0.
 * @returns A list of {@link QUAT_FLOATS 4 floats} per quaternion, all 0.
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

/** Options of the conversions between JointQuats and JointMats. */
export interface ConvertOptions {
    /** Number of joints to convert. Default: all joints of lists of the same length. */
    numJoints?: number;
    /**
     * `'id'`: the matrices of the papers. `'gltf'`: their transpose, as in glTF, three.js and gl-matrix. The wrong one
     * gives inverse rotations. Default: `'id'`.
     */
    convention?: Convention;
}

const plainSlerpJoints = plain.slerpJoints;

/**
 * Blends joints in place toward the same joints of `blendJoints`. Rotations are interpolated spherically (slerp) along
 * the shorter arc, translations linearly.
 *
 * A joint that `index` names several times is blended once per mention. `paper/sse` differs, as the published listing
 * does: within a group of four, the rotation is blended only once.
 *
 * Source: the routine, J.M.P. van Waveren, "Slerping Clock Cycles" (2005), sections 3 and 6, appendix A; the arithmetic
 * of `strict`, this project's own.
 *
 * @example
 * ```js
 * slerpJoints(pose, otherPose, 0.25); // a quarter of the way, all joints
 * slerpJoints(pose, wave, 1, Int32Array.of(4, 5, 6)); // three joints of an arm take over the other pose
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. It may be `joints` itself; any other overlap is an error.
 * @param lerp Weight, 0 … 1, rounded to float32. At most 0: `joints` does not change. At least 1, or NaN: `joints`
 * becomes a copy of `blendJoints`.
 * @param index Indices of the joints to process, each within every list. Default or null: the first `numJoints` joints.
 * @param numJoints Number of joints. Default: the length of `index`; without it, all joints of lists of the same
 * length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then, except for
 * `ERR_BUFFER_CHANGED`: if another thread changes a shared `index` during the call, some joints may have been
 * processed.
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
 * Blends joints in place by linear interpolation, then normalizes the rotations. It is faster than {@link slerpJoints}
 * and close to it for similar poses.
 *
 * Source: the routine, "Slerping Clock Cycles" (2005), section 4, appendix B; the arithmetic of `strict`, this
 * project's own.
 *
 * @example
 * ```js
 * lerpJoints(pose, nextPose, 0.5);
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. It may be `joints` itself; any other overlap is an error.
 * @param lerp Weight, 0 … 1, rounded to float32. At most 0: `joints` does not change. At least 1, or NaN: `joints`
 * becomes a copy of `blendJoints`.
 * @param index Indices of the joints to process, each within every list. Default or null: the first `numJoints` joints.
 * @param numJoints Number of joints. Default: the length of `index`; without it, all joints of lists of the same
 * length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then, except for
 * `ERR_BUFFER_CHANGED`: if another thread changes a shared `index` during the call, some joints may have been
 * processed.
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
 * {@link slerpJoints} with one weight per joint. At equal weights the results differ by up to 4e-7, because a single
 * weight allows a faster polynomial.
 *
 * Source: the routine, "Slerping Clock Cycles" (2005), section 6; the arithmetic of `strict`, this project's own.
 *
 * @example
 * ```js
 * slerpJointsPerJoint(walk, wave, upperBody); // upperBody: a mask with 0 for the legs, 1 for the arms
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. It may be `joints` itself; any other overlap is an error.
 * @param lerps One weight per joint, 0 … 1: joint i is blended by `lerps[i]`, with or without `index`. At most 0: the
 * joint does not change. At least 1, or NaN: it becomes a copy. Must not overlap `joints`.
 * @param index Indices of the joints to process, each within every list. Default or null: the first `numJoints` joints.
 * @param numJoints Number of joints. Default: the length of `index`; without it, all joints of lists of the same
 * length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then, except for
 * `ERR_BUFFER_CHANGED`: if another thread changes a shared `index` during the call, some joints may have been
 * processed.
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
 * Normalizes the quaternions of joints in place: divides each by its length. Zero quaternions and translations do not
 * change.
 *
 * Source: this project's own.
 *
 * @example
 * ```js
 * normalizeJoints(pose);
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read and written.
 * @param index Indices of the joints to process, each within every list. Default or null: the first `numJoints` joints.
 * @param numJoints Number of joints. Default: the length of `index`; without it, all joints of the list.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then, except for
 * `ERR_BUFFER_CHANGED`: if another thread changes a shared `index` during the call, some joints may have been
 * processed.
 */
export function normalizeJoints(joints: Float32Array, index?: Int32Array | null, numJoints?: number): void {
    plainNormalizeJoints.run(joints, index, numJoints);
}

const plainConvertJointQuatsToJointMats = plain.convertJointQuatsToJointMats;

/**
 * Converts joints (rotation and translation) to matrices.
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
 * @param jointQuats JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read.
 * @param options `numJoints`: number of joints. Default: all joints of lists of the same length. `convention`: `'id'`
 * (default), the matrices of the papers, or `'gltf'`, their transpose, as in glTF, three.js and gl-matrix.
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
 * Converts matrices to joints (rotation and translation). The matrices must not have scale or shear. The sign of a
 * quaternion is not canonical: `w` can be negative.
 *
 * Source: "From Quaternion to Matrix and Back" (2005), section 4, appendix B.
 *
 * @example
 * ```js
 * convertJointMatsToJointQuats(pose, mats, { convention: 'gltf' });
 * ```
 *
 * @param jointQuats JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), written.
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read.
 * @param options `numJoints`: number of joints. Default: all joints of lists of the same length. `convention`: `'id'`
 * (default), the matrices of the papers, or `'gltf'`, their transpose, as in glTF, three.js and gl-matrix.
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
 * Converts matrices in place from parent space to model space: joint = parent * joint, parents before children.
 *
 * Source: J.M.P. van Waveren, "The Skeleton Assembly Line" (2005), section 3, appendix A.
 *
 * @example
 * ```js
 * transformSkeleton(mats, Int32Array.of(-1, 0, 1)); // hip, knee, ankle
 * ```
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read and written.
 * @param parents Index of the parent of each joint: a lower index, or -1 for a root. Roots do not change.
 * @param firstJoint Index of the first joint to convert. Default: 1, because joint 0 is usually the root.
 * @param lastJoint Index of the last joint to convert, inclusive. Default: the last joint of `jointMats`. If it is
 * below `firstJoint`, nothing is done.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_PARENT_RANGE`, `ERR_PARENT_ORDER`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written
 * then, except for `ERR_BUFFER_CHANGED`: if another thread changes shared `parents` during the call, some joints may
 * have been processed.
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
 * Converts matrices in place from model space to parent space, children first: the inverse of
 * {@link transformSkeleton}. Parents are inverted by transposing, so they must not have scale or shear.
 *
 * Source: "The Skeleton Assembly Line" (2005), section 4, appendix B.
 *
 * @example
 * ```js
 * untransformSkeleton(mats, Int32Array.of(-1, 0, 1));
 * ```
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read and written.
 * @param parents Index of the parent of each joint: a lower index, or -1 for a root. Roots do not change.
 * @param firstJoint Index of the first joint to convert. Default: 1, because joint 0 is usually the root.
 * @param lastJoint Index of the last joint to convert, inclusive. Default: the last joint of `jointMats`. If it is
 * below `firstJoint`, nothing is done.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_PARENT_RANGE`, `ERR_PARENT_ORDER`, `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written
 * then, except for `ERR_BUFFER_CHANGED`: if another thread changes shared `parents` during the call, some joints may
 * have been processed.
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
 * Multiplies joint matrices: `result[i] = joints1[i] * joints2[i]`, for example animated joints times inverse bind
 * matrices.
 *
 * Source: "The Skeleton Assembly Line" (2005), section 5, appendix C.
 *
 * @example
 * ```js
 * transformJoints(palette, mats, inverseBindMats);
 * ```
 *
 * @param result JointMats (12 floats each: row-major 3x4, translation last in each row), written. It may be `joints1`
 * or `joints2` itself; any other overlap is an error.
 * @param joints1 JointMats, read.
 * @param joints2 JointMats, read.
 * @param numJoints Number of joints. Default: all joints of lists of the same length.
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
 * Spherical linear interpolation (slerp) of lists of quaternions: `result[i]` is `from[i]` blended toward `to[i]` along
 * the shorter arc.
 *
 * Source: depends on the implementation. `strict/*`, `fast/*`: this project's own, the arithmetic of `slerpJoints`.
 * `paper/sse`: "Slerping Clock Cycles" (2005), appendix A. `paper/c`, `paper/typescript`: its section 3. `intel/avx`:
 * Intel, "Benefits of Intel AVX for Quaternion Spherical Linear Interpolation" (undated), with its defects fixed.
 * `eberly/*`: D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP", JGT 15:3 (2011).
 *
 * @example
 * ```js
 * slerpQuats(between, before, after, 0.5);
 * ```
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap is an
 * error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t Time, 0 … 1, rounded to float32. In `strict/*`, `fast/*` and `paper/*`, at most 0 gives `from`; at least 1,
 * or NaN, gives `to`. `intel/*` and `eberly/*` follow their documents: they extrapolate with growing errors, and NaN
 * gives NaN.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length.
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
 * Linear interpolation of lists of quaternions, then normalized. It is faster than {@link slerpQuats} and close to it
 * for similar quaternions.
 *
 * Source: the routine, "Slerping Clock Cycles" (2005), section 4, appendix B; the arithmetic of `strict`, this
 * project's own.
 *
 * @example
 * ```js
 * lerpQuats(between, before, after, 0.5);
 * ```
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap is an
 * error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t Time, 0 … 1, rounded to float32. In `strict/*`, `fast/*` and `paper/*`, at most 0 gives `from`; at least 1,
 * or NaN, gives `to`. `intel/*` and `eberly/*` follow their documents: they extrapolate with growing errors, and NaN
 * gives NaN.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function lerpQuats(result: Float32Array, from: Float32Array, to: Float32Array, t: number, count?: number): void {
    plainLerpQuats.run(result, from, to, t, count);
}

const plainSlerpQuatsPerQuat = plain.slerpQuatsPerQuat;

/**
 * {@link slerpQuats} with a time for each pair: `result[i]` is the slerp of `from[i]` and `to[i]` at `t[i]`. At equal
 * times the results differ by up to 4e-7.
 *
 * Source: this project's own. The formula is that of {@link slerpQuats}.
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap, also
 * with `t`, is an error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t One time per pair. Outside 0 … 1 and for NaN, as in {@link slerpQuats}.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length. `t` must then have one
 * number per pair.
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
 * Slerp of one pair at several times: `result[i]` is the slerp of `q0` and `q1` at `t[i]`, along the shorter arc.
 *
 * Source: D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP", JGT 15:3 (2011), sections 5.1 and 5.2, in
 * `eberly/*`. In `strict/*` this project's own: the bits of {@link slerpQuatsPerQuat} with the pair repeated.
 *
 * @param result `t.length` quaternions (4 floats x y z w each), written. It may overlap `q0` and `q1`, but not `t`.
 * @param q0 One quaternion (4 floats), the result at time 0. Read.
 * @param q1 One quaternion (4 floats), the result at time 1. Read.
 * @param t The times. Outside 0 … 1 and for NaN, as in {@link slerpQuats}.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_BUFFER_OVERLAP`;
 * Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
 */
export function slerpQuatTimes(result: Float32Array, q0: Float32Array, q1: Float32Array, t: Float32Array): void {
    plainSlerpQuatTimes.run(result, q0, q1, t);
}

/**
 * {@link slerpJoints} with everything fixed but `lerp`, for repeated calls: a run costs little more than the
 * arithmetic. `bindSlerpJoints` checks the arguments, with the same errors.
 *
 * The lists are not copied: each run reads and writes their current contents. `index` is copied, so later changes to it
 * have no effect. The number of joints is fixed, even if a buffer grows later.
 *
 * @example
 * ```js
 * const blend = bindSlerpJoints(pose, otherPose);
 * for (const t of times) blend.run(t);
 * ```
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. It may be `joints` itself; any other overlap is an error.
 * @param index Indices of the joints to process, each within every list. Default or null: the first `numJoints` joints.
 * @param numJoints Number of joints. Default: the length of `index`; without it, all joints of lists of the same
 * length.
 * @returns An object whose `run(lerp)` does the call. It throws the errors of `slerpJoints` if a buffer was detached or
 * is now too short. It throws `ERR_BUFFER_CHANGED` if the lists change during the run or turn out to share memory.
 * Nothing has been written then.
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
 * {@link lerpJoints} with all but `lerp` fixed, for repeated calls; see {@link bindSlerpJoints}.
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. It may be `joints` itself; any other overlap is an error.
 * @param index Indices of the joints to process, each within every list. Default or null: the first `numJoints` joints.
 * @param numJoints Number of joints. Default: the length of `index`; without it, all joints of lists of the same
 * length.
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
 * {@link slerpJointsPerJoint} with everything fixed, for repeated calls; see {@link bindSlerpJoints}. `run()` reads the
 * current contents of `lerps`.
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read and written.
 * @param blendJoints JointQuats of the other pose. It may be `joints` itself; any other overlap is an error.
 * @param lerps One weight per joint, 0 … 1: joint i is blended by `lerps[i]`, with or without `index`. At most 0: the
 * joint does not change. At least 1, or NaN: it becomes a copy. Must not overlap `joints`.
 * @param index Indices of the joints to process, each within every list. Default or null: the first `numJoints` joints.
 * @param numJoints Number of joints. Default: the length of `index`; without it, all joints of lists of the same
 * length.
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
 * {@link normalizeJoints} with everything fixed, for repeated calls; see {@link bindSlerpJoints}.
 *
 * @param joints JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read and written.
 * @param index Indices of the joints to process, each within every list. Default or null: the first `numJoints` joints.
 * @param numJoints Number of joints. Default: the length of `index`; without it, all joints of the list.
 * @returns An object whose `run()` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_INDEX_RANGE`, `ERR_BUFFER_OVERLAP`.
 */
export function bindNormalizeJoints(joints: Float32Array, index?: Int32Array | null, numJoints?: number): BoundCall {
    return bindPlain('normalizeJoints', joints, index, numJoints);
}

/**
 * {@link convertJointQuatsToJointMats} with everything fixed, for repeated calls; see {@link bindSlerpJoints}.
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), written.
 * @param jointQuats JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), read.
 * @param options `numJoints`: number of joints. Default: all joints of lists of the same length. `convention`: `'id'`
 * (default), the matrices of the papers, or `'gltf'`, their transpose, as in glTF, three.js and gl-matrix.
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
 * {@link convertJointMatsToJointQuats} with everything fixed, for repeated calls; see {@link bindSlerpJoints}.
 *
 * @param jointQuats JointQuats ({@link JOINT_QUAT_FLOATS 8 floats} each: unit quaternion x y z w, translation x y z,
 * `t.w`), written.
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read.
 * @param options `numJoints`: number of joints. Default: all joints of lists of the same length. `convention`: `'id'`
 * (default), the matrices of the papers, or `'gltf'`, their transpose, as in glTF, three.js and gl-matrix.
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
 * {@link transformSkeleton} with everything fixed, for repeated calls; see {@link bindSlerpJoints}. `parents` is
 * copied.
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read and written.
 * @param parents Index of the parent of each joint: a lower index, or -1 for a root. Roots do not change.
 * @param firstJoint Index of the first joint to convert. Default: 1, because joint 0 is usually the root.
 * @param lastJoint Index of the last joint to convert, inclusive. Default: the last joint of `jointMats`. If it is
 * below `firstJoint`, nothing is done.
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
 * {@link untransformSkeleton} with everything fixed, for repeated calls; see {@link bindSlerpJoints}. `parents` is
 * copied.
 *
 * @param jointMats JointMats (12 floats each: row-major 3x4, translation last in each row), read and written.
 * @param parents Index of the parent of each joint: a lower index, or -1 for a root. Roots do not change.
 * @param firstJoint Index of the first joint to convert. Default: 1, because joint 0 is usually the root.
 * @param lastJoint Index of the last joint to convert, inclusive. Default: the last joint of `jointMats`. If it is
 * below `firstJoint`, nothing is done.
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
 * {@link transformJoints} with everything fixed, for repeated calls; see {@link bindSlerpJoints}.
 *
 * @param result JointMats (12 floats each: row-major 3x4, translation last in each row), written. It may be `joints1`
 * or `joints2` itself; any other overlap is an error.
 * @param joints1 JointMats, read.
 * @param joints2 JointMats, read.
 * @param numJoints Number of joints. Default: all joints of lists of the same length.
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
 * {@link slerpQuats} with all but `t` fixed, for repeated calls; see {@link bindSlerpJoints}.
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap is an
 * error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length.
 * @returns An object whose `run(t)` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`.
 */
export function bindSlerpQuats(result: Float32Array, from: Float32Array, to: Float32Array, count?: number): BoundBlend {
    return bindPlain('slerpQuats', result, from, to, count);
}

/**
 * {@link lerpQuats} with all but `t` fixed, for repeated calls; see {@link bindSlerpJoints}.
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap is an
 * error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length.
 * @returns An object whose `run(t)` does the call.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`, `ERR_COUNT_RANGE`,
 * `ERR_BUFFER_OVERLAP`.
 */
export function bindLerpQuats(result: Float32Array, from: Float32Array, to: Float32Array, count?: number): BoundBlend {
    return bindPlain('lerpQuats', result, from, to, count);
}

/**
 * {@link slerpQuatsPerQuat} with everything fixed, for repeated calls; see {@link bindSlerpJoints}. `run()` reads the
 * current contents of `t`.
 *
 * @param result Quaternions (4 floats x y z w each), written. It may be `from` or `to` itself; any other overlap, also
 * with `t`, is an error.
 * @param from Quaternions, read.
 * @param to Quaternions, read.
 * @param t One time per pair. Outside 0 … 1 and for NaN, as in {@link slerpQuats}.
 * @param count Number of quaternions. Default: all quaternions of lists of the same length. `t` must then have one
 * number per pair.
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
 * {@link slerpQuatTimes} with everything fixed, for repeated calls; see {@link bindSlerpJoints}. `run()` reads the
 * current contents of `q0`, `q1` and `t`.
 *
 * @param result `t.length` quaternions (4 floats x y z w each), written. It may overlap `q0` and `q1`, but not `t`.
 * @param q0 One quaternion (4 floats), the result at time 0. Read.
 * @param q1 One quaternion (4 floats), the result at time 1. Read.
 * @param t The times. Outside 0 … 1 and for NaN, as in {@link slerpQuats}.
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
