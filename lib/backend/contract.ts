// SPDX-License-Identifier: MIT

/** Which rotation a quaternion means as a matrix: the papers' (`'id'`), or glTF's, three.js's and gl-matrix's (`'gltf'`), its transpose. */
export type Convention = 'id' | 'gltf';

/** The routines on joint lists that the papers have, in their order. */
export const PAPER_JOINT_ROUTINES = [
    'slerpJoints',
    'lerpJoints',
    'convertJointQuatsToJointMats',
    'convertJointMatsToJointQuats',
    'transformSkeleton',
    'untransformSkeleton',
    'transformJoints',
] as const;

/** All routines on joint lists. */
export const JOINT_ROUTINES = [...PAPER_JOINT_ROUTINES, 'slerpJointsPerJoint', 'normalizeJoints'] as const;

/** "Slerping Clock Cycles", sections 3 to 5. */
export const SCALAR_ROUTINES = [
    'slerp',
    'slerpTransformed',
    'slerpOptimized',
    'slerpOptimizedExact',
    'lerp',
    'reciprocalSqrt',
    'sinZeroHalfPI',
    'atanPositive',
] as const;

/** What every `strict` implementation has. */
export const STRICT_ROUTINES = [
    ...JOINT_ROUTINES,
    'slerpQuats',
    'lerpQuats',
    'slerpQuatsPerQuat',
    'slerpQuatTimes',
] as const;

/** The names of all routines: joint lists, quaternion lists, the scalar family. */
export const ROUTINES = [...STRICT_ROUTINES, ...SCALAR_ROUTINES] as const;

/** The name of a routine: of lists of joints, of lists of quaternions, or of the scalar family. */
export type Routine = (typeof ROUTINES)[number];

/** The routines that can be bound to their lists. */
const BINDABLE_ROUTINES = STRICT_ROUTINES;

export type BindableRoutine = (typeof BINDABLE_ROUTINES)[number];

/** TypeScript kernels: they run behind checks made elsewhere and do not check again. Every argument is resolved. */
export interface CheckedKernels {
    slerpJoints: CheckedBlend;
    lerpJoints: CheckedBlend;
    convertJointQuatsToJointMats: CheckedConvert;
    convertJointMatsToJointQuats: CheckedConvert;
    transformSkeleton: CheckedSkeleton;
    untransformSkeleton: CheckedSkeleton;
    transformJoints(result: Float32Array, joints1: Float32Array, joints2: Float32Array, numJoints: number): void;
    /** The papers do not have it, nor do the other optional ones. */
    slerpJointsPerJoint?(
        joints: Float32Array,
        blendJoints: Float32Array,
        lerps: Float32Array,
        index: Int32Array | null,
        numJoints: number,
    ): void;
    normalizeJoints?(joints: Float32Array, index: Int32Array | null, numJoints: number): void;
    slerpQuats: CheckedBlendQuats;
    lerpQuats: CheckedBlendQuats;
    slerpQuatsPerQuat?(
        result: Float32Array,
        from: Float32Array,
        to: Float32Array,
        t: Float32Array,
        count: number,
    ): void;
    slerpQuatTimes: CheckedQuatTimes;
    slerp: CheckedBlendQuats;
    slerpTransformed: CheckedBlendQuats;
    slerpOptimized: CheckedBlendQuats;
    slerpOptimizedExact: CheckedBlendQuats;
    lerp: CheckedBlendQuats;
    reciprocalSqrt: CheckedFunction;
    sinZeroHalfPI: CheckedFunction;
    atanPositive(result: Float32Array, y: Float32Array, x: Float32Array): void;
}

export type CheckedBlend = (
    joints: Float32Array,
    blendJoints: Float32Array,
    lerp: number,
    index: Int32Array | null,
    numJoints: number,
) => void;
export type CheckedConvert = (to: Float32Array, from: Float32Array, numJoints: number, convention: Convention) => void;
export type CheckedSkeleton = (
    jointMats: Float32Array,
    parents: Int32Array,
    firstJoint: number,
    lastJoint: number,
) => void;
/** `terms` is 0 for implementations that have only one form. */
export type CheckedBlendQuats = (
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: number,
    count: number,
    terms: number,
) => void;
export type CheckedQuatTimes = (
    result: Float32Array,
    q0: Float32Array,
    q1: Float32Array,
    t: Float32Array,
    count: number,
    terms: number,
) => void;
type CheckedFunction = (result: Float32Array, x: Float32Array) => void;

/**
 * The addon's functions check everything that they are given. They return `undefined` when the work is done and
 * anything else when they refused; then nothing was written, and `lib/checks` says why.
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
    slerpJointsPerJoint: [joints: unknown, blendJoints: unknown, lerps: unknown, index: unknown, numJoints: number];
    normalizeJoints: [joints: unknown, index: unknown, numJoints: number];
    slerpQuats: NativeBlendQuats;
    lerpQuats: NativeBlendQuats;
    slerpQuatsPerQuat: [result: unknown, from: unknown, to: unknown, t: unknown, count: number];
    slerpQuatTimes: [result: unknown, q0: unknown, q1: unknown, t: unknown, terms: number];
    slerp: NativeBlendQuats;
    slerpTransformed: NativeBlendQuats;
    slerpOptimized: NativeBlendQuats;
    slerpOptimizedExact: NativeBlendQuats;
    lerp: NativeBlendQuats;
    reciprocalSqrt: NativeFunction;
    sinZeroHalfPI: NativeFunction;
    atanPositive: [result: unknown, y: unknown, x: unknown];
}

// Counts: a number, or -1 where the caller gave none and the buffers decide.
type NativeBlend = [joints: unknown, blendJoints: unknown, lerp: unknown, index: unknown, numJoints: number];
type NativeConvert = [to: unknown, from: unknown, numJoints: number, gltf: boolean];
type NativeSkeleton = [jointMats: unknown, parents: unknown, firstJoint: number, lastJoint: number];
type NativeBlendQuats = [result: unknown, from: unknown, to: unknown, t: unknown, count: number, terms: number];
type NativeFunction = [result: unknown, x: unknown];

/**
 * A function bound to its lists, with everything fixed but `lerp` or `t`, where the routine has one. It returns as the
 * others do.
 */
export type NativeRun = (parameter?: unknown) => unknown;

/**
 * Makes bound functions: arguments as those of the call, without `lerp` or `t` where that is a number. `false` is a
 * refusal, which lists without elements get, too. Index lists and parents are copied.
 */
export type NativeBinders = { readonly [R in BindableRoutine]?: (...args: unknown[]) => NativeRun | false };

export interface NativeImplementation {
    readonly name: string;
    /** Why this implementation cannot run on this CPU; absent where it can. */
    readonly unavailable?: string;
    /** The most terms that its series can have; 0 where it has only one form. */
    readonly terms: number;
    readonly kernels: NativeKernels;
    readonly bind: NativeBinders;
    /** The same calls, repeated and timed: `(samples: Float64Array, source: Float32Array, …arguments)`. */
    readonly timed: { readonly [R in Routine]?: (...args: unknown[]) => unknown };
}

/**
 * The Rig's kernels of one instruction set. What the tables and the functions are is the Rig's affair (lib/rig/native.ts):
 * nothing here depends on it.
 */
export interface NativeRig {
    readonly name: string;
    /** Why it cannot run on this CPU; absent where it can. */
    readonly unavailable?: string;
    /** Takes a rig's tables, then those of the slots of some poses, and gives the functions for these; `false`: refused. */
    readonly load?: (tables: object) => ((slots: object) => object | false) | false;
    /** The baker's error figures (lib/bake/playback-error.ts): `undefined` when the work is done. */
    readonly playbackError?: (...args: unknown[]) => unknown;
}

/**
 * Gathers what a skin moves, writes the boxes of its vertices as the file has them, and gives what grows a box by rows of
 * a palette; both `false` where they refuse. Layouts: lib/bake/skin-box.ts.
 *
 * @param primitives Positions, joints, weights and influences of each, one after another.
 */
export type NativeSkinBox = (
    vertexBox: Float64Array,
    jointBoxes: Float64Array,
    joints: number,
    primitives: readonly unknown[],
) => ((box: Float64Array, palette: Float32Array, rows: number) => undefined | false) | false;

export interface NativeAddon {
    /** Of the package whose sources it was compiled from. */
    readonly version: string;
    readonly implementations: readonly NativeImplementation[];
    /** Best first. */
    readonly rigs: readonly NativeRig[];
    readonly skinBox: NativeSkinBox;
    /** The unit of timed samples: ticks of the time stamp counter, or nanoseconds. */
    readonly timer: 'tsc' | 'ns';
}
