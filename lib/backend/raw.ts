// SPDX-License-Identifier: MIT

/** Which rotation a quaternion means as a matrix: the papers' (`'id'`), or glTF's, three.js's and gl-matrix's (`'gltf'`), its transpose. */
export type Convention = 'id' | 'gltf';

/** The names of the joint-list routines, in the papers' order. */
export const ROUTINES = [
    'slerpJoints',
    'lerpJoints',
    'convertJointQuatsToJointMats',
    'convertJointMatsToJointQuats',
    'transformSkeleton',
    'untransformSkeleton',
    'transformJoints',
] as const;

export type Routine = (typeof ROUTINES)[number];

/** TypeScript kernels: they run behind checks made elsewhere and do not check again. Every argument is resolved. */
export interface CheckedKernels {
    slerpJoints: CheckedBlend;
    lerpJoints: CheckedBlend;
    convertJointQuatsToJointMats: CheckedConvert;
    convertJointMatsToJointQuats: CheckedConvert;
    transformSkeleton: CheckedSkeleton;
    untransformSkeleton: CheckedSkeleton;
    transformJoints(result: Float32Array, joints1: Float32Array, joints2: Float32Array, numJoints: number): void;
}

type CheckedBlend = (
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index: Int32Array | null,
    numJoints: number,
) => void;
type CheckedConvert = (to: Float32Array, from: Float32Array, numJoints: number, convention: Convention) => void;
type CheckedSkeleton = (jointMats: Float32Array, parents: Int32Array, firstJoint: number, lastJoint: number) => void;

/**
 * The addon's functions check everything that they are given. They return `undefined` when the work is done and
 * anything else when they refused; then nothing was written, and `joints/validate.ts` says why.
 */
export type NativeKernels = { readonly [R in Routine]?: (...args: NativeArguments[R]) => unknown };

interface NativeArguments {
    slerpJoints: NativeBlend;
    lerpJoints: NativeBlend;
    convertJointQuatsToJointMats: NativeConvert;
    convertJointMatsToJointQuats: NativeConvert;
    transformSkeleton: NativeSkeleton;
    untransformSkeleton: NativeSkeleton;
    transformJoints: [result: unknown, joints1: unknown, joints2: unknown, numJoints: number];
}

// Counts: a number, or -1 where the caller gave none and the buffers decide.
type NativeBlend = [joints: unknown, blendJoints: unknown, lerp: unknown, index: unknown, numJoints: number];
type NativeConvert = [to: unknown, from: unknown, numJoints: number, gltf: boolean];
type NativeSkeleton = [jointMats: unknown, parents: unknown, firstJoint: number, lastJoint: number];

export interface NativeImplementation {
    readonly name: string;
    /** Why this implementation cannot run on this CPU; absent where it can. */
    readonly unavailable?: string;
    readonly kernels: NativeKernels;
}

export interface NativeAddon {
    readonly implementations: readonly NativeImplementation[];
}
