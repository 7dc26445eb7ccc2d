// SPDX-License-Identifier: MIT

/** The Rig: a skeleton and its clips, packed once, thousands of poses in a call. See docs/rig.md. */

export type { Resolve } from '../gltf/buffers';
export type { Interpolation } from '../gltf/scene';
export type { Cadence } from './cadence';
export type { RigClip, RigMesh, RigRest, RigSkin, RigSlot } from './describe-rig';
export type { DocumentLike } from './from-document';
export type { ChannelParts, ClipParts, RigParts, SkinParts } from './from-parts';
export type { PaletteFormat, SlotList } from './kernel-contract';
export type { PrimitiveRange, TargetGeometry } from './mesh-geometry';
export type { MeshParts } from './part-meshes';
export type { Poses, PosesOptions } from './poses';
export type { Numbers } from './read-parts';
export { type BlendOptions, type EvaluateOptions, type LoadOptions, Rig, type RootDeltaOptions } from './rig';
