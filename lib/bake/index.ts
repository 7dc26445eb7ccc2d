// SPDX-License-Identifier: MIT

export type { Warning } from '../gltf/scene';
export { type BakeOptions, type BakeResult, type BakeStats, bakeFile } from './bake';
export type { BakeHooks } from './clock';
export type { FrameRate } from './fps';
export type { Manifest, ManifestArray, ManifestClip, ManifestJoint } from './manifest';
export type { BakeOutput } from './skin';
export { type WriteOptions, type WrittenBake, writeBake } from './write';
