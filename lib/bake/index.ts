// SPDX-License-Identifier: MIT

export type { Warning } from '../gltf/scene';
export { type BakeResult, type BakeStats, bakeFile } from './bake';
export type { WorstPlace } from './clip';
export { bakeDocument, type DocumentHooks } from './document';
export type { FrameRate } from './fps';
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
} from './manifest';
export type { BakeOptions, Emit } from './options';
export type { BakeHooks } from './progress';
export type { BakeOutput } from './skin';
export { type BakeFile, type Writable, type WriteOptions, type WrittenBake, writeBake } from './write';
