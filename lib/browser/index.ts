// SPDX-License-Identifier: MIT

/**
 * poselane in browsers: the strict kernels in TypeScript, the Rig, and bakes read back. No addon, no file system,
 * none of the documents' own listings; the same bits as in Node.
 *
 * @packageDocumentation
 */

export type { Routine } from '../backend/contract';
export { JOINT_MAT_FLOATS, JOINT_QUAT_FLOATS, QUAT_FLOATS } from '../checks/layout';
export { type ArgumentErrorCode, InputError, type InputErrorCode, type PoselaneError, UsageError } from '../errors';
export type { MeshoptDecoder } from '../gltf/decode-meshopt';
export type {
    Binders,
    BlendQuats,
    BoundBlend,
    BoundCall,
    Convention,
    ConvertOptions,
    JointKernels,
    QuatKernels,
} from '../implementations/kernels';
export type {
    BlendOptions,
    Cadence,
    ChannelParts,
    ClipParts,
    DocumentLike,
    EvaluateOptions,
    MeshParts,
    PaletteFormat,
    Poses,
    PosesOptions,
    RigClip,
    RigMesh,
    RigParts,
    RigRest,
    RigSkin,
    RigSlot,
    RootDeltaOptions,
    SkinParts,
} from '../rig';
export { STRICT_VERSION } from '../strict/version';
export * from '../table';
export { type LoadOptions, Rig } from './rig';

import { binders, kernels } from './kernels';

/** As in Node where the addon is not used. */
export const backend = 'ts';
/** As in Node where the addon is not used. */
export const defaultImplementation = 'strict/typescript';

export const {
    slerpJoints,
    lerpJoints,
    convertJointQuatsToJointMats,
    convertJointMatsToJointQuats,
    transformSkeleton,
    untransformSkeleton,
    transformJoints,
    slerpJointsPerJoint,
    normalizeJoints,
    slerpQuats,
    lerpQuats,
    slerpQuatsPerQuat,
    slerpQuatTimes,
} = kernels;

export const {
    bindSlerpJoints,
    bindLerpJoints,
    bindSlerpJointsPerJoint,
    bindNormalizeJoints,
    bindConvertJointQuatsToJointMats,
    bindConvertJointMatsToJointQuats,
    bindTransformSkeleton,
    bindUntransformSkeleton,
    bindTransformJoints,
    bindSlerpQuats,
    bindLerpQuats,
    bindSlerpQuatsPerQuat,
    bindSlerpQuatTimes,
} = binders;
