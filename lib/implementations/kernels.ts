// SPDX-License-Identifier: MIT

import type { Convention } from '../backend/contract';

export type { Convention };

export interface ConvertOptions {
    /** How many joints to convert; default: as many as the buffers hold. */
    numJoints?: number;
    /** Default `'id'`. Using the wrong one gives the inverse rotations. */
    convention?: Convention;
}

/**
 * The joint-list routines of the 2005 papers. Destination first, as in the papers.
 * JointQuat = 8 floats `x y z w  tx ty tz tw`; JointMat = 12 floats, row-major 3x4, translation last in each row.
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
}

/**
 * Routines on plain quaternions, 4 floats `x y z w` each. `result` may be `from` or `to` itself. Every interpolation
 * takes the shorter way round.
 */
export interface QuatKernels {
    slerpQuats: BlendQuats;
    lerpQuats: BlendQuats;
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

export type BlendQuats = (
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: number,
    count?: number,
) => void;

/** Everything that an implementation can have. */
export interface Kernels extends JointKernels, QuatKernels, ScalarKernels {}
