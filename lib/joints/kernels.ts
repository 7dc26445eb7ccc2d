// SPDX-License-Identifier: MIT

import type { Convention } from '../backend/raw';

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
