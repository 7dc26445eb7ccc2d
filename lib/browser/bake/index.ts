// SPDX-License-Identifier: MIT

/**
 * poselane/bake in browsers: the same baker as in Node, from bytes to bytes.
 *
 * @packageDocumentation
 */

export type { BakeResult, BakeStats } from '../../bake/bake';
export type { WorstPlace } from '../../bake/clip';
export type { BakeOptions, Emit } from '../../bake/plan/options';
export type { BakeOutput } from '../../bake/skin';
export { bakedFiles } from '../../bake/write/baked-files';
export type { BakeFile, Writable } from '../../bake/write/check-bake';
export type { BakeContainer, ContainerOptions } from '../../bake/write/container';
export {
    type ArgumentErrorCode,
    InputError,
    type InputErrorCode,
    type PoselaneError,
    ToleranceError,
    UsageError,
} from '../../base/errors';
export type { BakeHooks } from '../../base/progress';
export type { ClipOptions } from '../../clips/options';
export type {
    FrameRate,
    Manifest,
    ManifestArray,
    ManifestAttachment,
    ManifestClip,
    ManifestError,
    ManifestJoint,
    ManifestMorph,
    ManifestRoot,
    ManifestSlot,
} from '../../format/manifest';
export type { MeshoptDecoder } from '../../gltf/decode-meshopt';
export type { FileBytes } from '../../gltf/file-bytes';
export type { Warning } from '../../gltf/scene';
export { type BrowserFileBytes, bakeFile } from './from-bytes';
