// SPDX-License-Identifier: MIT

/**
 * poselane in browsers: the strict kernels in WebAssembly and TypeScript, the Rig, and bakes read back. Without addon,
 * file system, and the papers' own listings. The same bits as in Node.
 *
 * @packageDocumentation
 */

export {
    type ArgumentErrorCode,
    InputError,
    type InputErrorCode,
    type PoselaneError,
    UsageError,
} from '../base/errors';
export type { Convention } from '../base/kernel';
export type { MeshoptDecoder } from '../gltf/decode-meshopt';
export type { FileBytes } from '../gltf/file-bytes';
export type { Warning } from '../gltf/scene';
export type { BoundBlend, BoundCall } from '../lists/bind';
export type { Backend } from '../lists/choose';
export type { ImplementationInfo } from '../lists/implementations';
export type { Routine } from '../lists/routines';
export type { Binders, BlendQuats, JointKernels, QuatKernels } from '../lists/types';
export type * from '../rig/types';
export { STRICT_VERSION } from '../strict/version';
export * from '../table';
export type { LoadOptions } from '../typescript/rig';
export type { Module as CompiledModule } from '../webassembly/api';
export * from './kernels';
