// SPDX-License-Identifier: MIT

/**
 * poselane/bake in browsers: the baker from bytes to bytes, the same as in Node.
 *
 * @packageDocumentation
 */

export type { BakeResult, BakeStats } from '../../bake/bake';
export { bakedFiles } from '../../bake/baked-files';
export type { BakeFile, Writable } from '../../bake/check-bake';
export type { WorstPlace } from '../../bake/clip';
export type { BakeContainer, ContainerOptions } from '../../bake/container';
export type { FrameRate } from '../../bake/fps';
export type {
    Manifest,
    ManifestArray,
    ManifestAttachment,
    ManifestClip,
    ManifestError,
    ManifestJoint,
    ManifestMorph,
    ManifestRoot,
    ManifestSlot,
} from '../../bake/manifest';
export type { BakeOptions, Emit } from '../../bake/options';
export type { BakeHooks } from '../../bake/progress';
export type { BakeOutput } from '../../bake/skin';
export type { ClipOptions } from '../../clips/options';
export {
    type ArgumentErrorCode,
    InputError,
    type InputErrorCode,
    type PoselaneError,
    ToleranceError,
    UsageError,
} from '../../errors';
export type { MeshoptDecoder } from '../../gltf/decode-meshopt';
export type { FileBytes } from '../../gltf/file-bytes';
export type { Warning } from '../../gltf/scene';
export { type BrowserFileBytes, bakeFile } from './bake-file';
