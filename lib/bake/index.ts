// SPDX-License-Identifier: MIT

export type { BakeHooks } from '../base/progress';
export {
    type BakeCache,
    type CacheCode,
    type CacheOptions,
    type CacheOutcome,
    type CacheWarning,
    openCache,
} from '../cache/cache';
export type {
    FrameRate,
    Manifest,
    ManifestArray,
    ManifestAttachment,
    ManifestClip,
    ManifestClipFile,
    ManifestError,
    ManifestJoint,
    ManifestMorph,
    ManifestRescaled,
    ManifestRoot,
    ManifestSlot,
} from '../format/manifest';
export type { FileBytes } from '../gltf/file-bytes';
export type { Warning } from '../gltf/scene';
export type { BakeResult, BakeStats } from './bake';
export { type BakeFileHooks, bakeFile } from './bake-file';
export { type BakedInput, type BakeFilesOptions, type BakeInput, type BakeSource, bakeFiles } from './bake-files';
export type { WorstPlace } from './clip';
export { type ConvertedFile, type ConvertFileOptions, convertFile } from './convert-file';
export { bakeDocument, type DocumentHooks } from './document';
export type { BakeOptions, Emit } from './plan/options';
export type { BakeOutput } from './skin';
export { bakedFiles } from './write/baked-files';
export type { BakeContainer, ContainerOptions } from './write/container';
export { type BakeFile, type Writable, type WriteOptions, type WrittenBake, writeBake } from './write/write';
