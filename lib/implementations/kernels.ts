// SPDX-License-Identifier: MIT

import type { Convention } from '../backend/contract';

export type { Convention };

/** How many joints, and whose rotations. */
export interface ConvertOptions {
    /** How many joints to convert; default: as many as the buffers hold. */
    numJoints?: number;
    /** Default `'id'`. Using the wrong one gives the inverse rotations. */
    convention?: Convention;
}

/**
 * The routines on joint lists, most of them those of the 2005 papers. Destination first, as in the papers.
 * JointQuat = 8 floats `x y z w  tx ty tz tw`; JointMat = 12 floats, row-major 3x4, translation last in each row.
 * Each is described at the function of its name.
 */
export interface JointKernels {
    slerpJoints(
        joints: Float32Array,
        blendJoints: Float32Array,
        lerp: number,
        index?: Int32Array | null,
        numJoints?: number,
    ): void;
    lerpJoints(
        joints: Float32Array,
        blendJoints: Float32Array,
        lerp: number,
        index?: Int32Array | null,
        numJoints?: number,
    ): void;
    convertJointQuatsToJointMats(jointMats: Float32Array, jointQuats: Float32Array, options?: ConvertOptions): void;
    convertJointMatsToJointQuats(jointQuats: Float32Array, jointMats: Float32Array, options?: ConvertOptions): void;
    transformSkeleton(jointMats: Float32Array, parents: Int32Array, firstJoint?: number, lastJoint?: number): void;
    untransformSkeleton(jointMats: Float32Array, parents: Int32Array, firstJoint?: number, lastJoint?: number): void;
    transformJoints(result: Float32Array, joints1: Float32Array, joints2: Float32Array, numJoints?: number): void;
    // Only in `strict/*` and `fast/*`, as `normalizeJoints`: the papers do not have them.
    slerpJointsPerJoint(
        joints: Float32Array,
        blendJoints: Float32Array,
        lerps: Float32Array,
        index?: Int32Array | null,
        numJoints?: number,
    ): void;
    normalizeJoints(joints: Float32Array, index?: Int32Array | null, numJoints?: number): void;
}

/**
 * Routines on plain quaternions, 4 floats `x y z w` each. `result` may be `from` or `to` itself. Every interpolation
 * takes the shorter way round.
 */
export interface QuatKernels {
    slerpQuats: BlendQuats;
    lerpQuats: BlendQuats;
    // Only in `strict/*` and `fast/*`.
    slerpQuatsPerQuat(
        result: Float32Array,
        from: Float32Array,
        to: Float32Array,
        t: Float32Array,
        count?: number,
    ): void;
    slerpQuatTimes(result: Float32Array, q0: Float32Array, q1: Float32Array, t: Float32Array): void;
}

/** The scalar routines of "Slerping Clock Cycles", over lists; a list of one is a single quaternion or number. */
export interface ScalarKernels {
    slerp: BlendQuats;
    slerpTransformed: BlendQuats;
    slerpOptimized: BlendQuats;
    slerpOptimizedExact: BlendQuats;
    lerp: BlendQuats;
    reciprocalSqrt(result: Float32Array, x: Float32Array): void;
    sinZeroHalfPI(result: Float32Array, a: Float32Array): void;
    atanPositive(result: Float32Array, y: Float32Array, x: Float32Array): void;
}

/** Interpolates `count` pairs of quaternions by one time; see {@link QuatKernels}. */
export type BlendQuats = (
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: number,
    count?: number,
) => void;

/** Everything that an implementation can have. */
export interface Kernels extends JointKernels, QuatKernels, ScalarKernels {}

/** A call with everything fixed but one number. */
export interface BoundBlend {
    /**
     * Does the call.
     *
     * @param t As the routine takes it, for this once.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`,
     * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
     */
    run(t: number): void;
}

/** A call with everything fixed. */
export interface BoundCall {
    /** Does the call. Errors as of {@link BoundBlend.run}. */
    run(): void;
}

/** Routines bound to their lists; see `bindSlerpJoints`. */
export interface Binders {
    bindSlerpJoints(
        joints: Float32Array,
        blendJoints: Float32Array,
        index?: Int32Array | null,
        numJoints?: number,
    ): BoundBlend;
    bindLerpJoints(
        joints: Float32Array,
        blendJoints: Float32Array,
        index?: Int32Array | null,
        numJoints?: number,
    ): BoundBlend;
    bindSlerpJointsPerJoint(
        joints: Float32Array,
        blendJoints: Float32Array,
        lerps: Float32Array,
        index?: Int32Array | null,
        numJoints?: number,
    ): BoundCall;
    bindNormalizeJoints(joints: Float32Array, index?: Int32Array | null, numJoints?: number): BoundCall;
    bindConvertJointQuatsToJointMats(
        jointMats: Float32Array,
        jointQuats: Float32Array,
        options?: ConvertOptions,
    ): BoundCall;
    bindConvertJointMatsToJointQuats(
        jointQuats: Float32Array,
        jointMats: Float32Array,
        options?: ConvertOptions,
    ): BoundCall;
    bindTransformSkeleton(
        jointMats: Float32Array,
        parents: Int32Array,
        firstJoint?: number,
        lastJoint?: number,
    ): BoundCall;
    bindUntransformSkeleton(
        jointMats: Float32Array,
        parents: Int32Array,
        firstJoint?: number,
        lastJoint?: number,
    ): BoundCall;
    bindTransformJoints(
        result: Float32Array,
        joints1: Float32Array,
        joints2: Float32Array,
        numJoints?: number,
    ): BoundCall;
    bindSlerpQuats(result: Float32Array, from: Float32Array, to: Float32Array, count?: number): BoundBlend;
    bindLerpQuats(result: Float32Array, from: Float32Array, to: Float32Array, count?: number): BoundBlend;
    bindSlerpQuatsPerQuat(
        result: Float32Array,
        from: Float32Array,
        to: Float32Array,
        t: Float32Array,
        count?: number,
    ): BoundCall;
    bindSlerpQuatTimes(result: Float32Array, q0: Float32Array, q1: Float32Array, t: Float32Array): BoundCall;
}
