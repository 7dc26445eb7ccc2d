// SPDX-License-Identifier: MIT

/**
 * poselane in browsers: the strict kernels in TypeScript, the Rig, and bakes read back. No addon, no file system,
 * none of the documents' own listings; the same bits as in Node.
 *
 * @packageDocumentation
 */

export { type ArgumentErrorCode, InputError, type InputErrorCode, type PoselaneError, UsageError } from '../errors';
export type { MeshoptDecoder } from '../gltf/decode-meshopt';
export type { Convention } from '../kernel';
export type { BoundBlend, BoundCall } from '../lists/bind';
export * from '../lists/functions';
export type { Routine } from '../lists/routines';
export type { Binders, BlendQuats, JointKernels, QuatKernels } from '../lists/types';
export type {
    BlendOptions,
    Cadence,
    ChannelParts,
    ClipParts,
    DocumentLike,
    EvaluateOptions,
    ExtractRootOptions,
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
    RootParts,
    SkinParts,
    SlotList,
} from '../rig';
export { STRICT_VERSION } from '../strict/version';
export * from '../table';
export { type LoadOptions, Rig } from './rig';

/** As in Node where the addon is not used. */
export const backend = 'ts';
/** As in Node where the addon is not used. */
export const defaultImplementation = 'strict/typescript';
