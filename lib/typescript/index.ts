// SPDX-License-Identifier: MIT

/**
 * `poselane/typescript`: the browser version of `poselane` without WebAssembly. It is 40 kB smaller, needs no
 * permission in a Content-Security-Policy, and gives the same bits.
 *
 * @packageDocumentation
 */

import { STRICT_TYPESCRIPT } from '../lists/routines';

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
export * from '../lists/functions';
export type { Routine } from '../lists/routines';
export type { Binders, BlendQuats, JointKernels, QuatKernels } from '../lists/types';
export type * from '../rig/types';
export { STRICT_VERSION } from '../strict/version';
export * from '../table';
export { type LoadOptions, Rig } from './rig';

/** Always this one. */
export const backend = 'ts';
/** Always this one. */
export const defaultImplementation: string = STRICT_TYPESCRIPT;

/**
 * Resolves at once. For programs that also run with `poselane`. Throws nothing.
 *
 * @returns `'ts'`.
 */
export async function ready(): Promise<'ts'> {
    return backend;
}
