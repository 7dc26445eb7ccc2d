// SPDX-License-Identifier: MIT

export type { FileBytes } from '../gltf/file-bytes';
export type { Warning } from '../gltf/scene';
export type { BakeResult, BakeStats, CacheOutcome } from './bake';
export { type BakeFileHooks, bakeFile } from './bake-file';
export { type BakedInput, type BakeFilesOptions, type BakeInput, type BakeSource, bakeFiles } from './bake-files';
export { bakedFiles } from './baked-files';
export { type BakeCache, type CacheCode, type CacheOptions, type CacheWarning, openCache } from './cache/cache';
export type { WorstPlace } from './clip';
export type { BakeContainer, ContainerOptions } from './container';
export { bakeDocument, type DocumentHooks } from './document';
export type { FrameRate } from './fps';
export type {
    Manifest,
    ManifestArray,
    ManifestAttachment,
    ManifestClip,
    ManifestClipFile,
    ManifestError,
    ManifestJoint,
    ManifestMorph,
    ManifestRoot,
    ManifestSlot,
} from './manifest';
export type { BakeOptions, Emit } from './options';
export type { BakeHooks } from './progress';
export type { BakeOutput } from './skin';
export { type BakeFile, type Writable, type WriteOptions, type WrittenBake, writeBake } from './write';
