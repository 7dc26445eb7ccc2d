// SPDX-License-Identifier: MIT

/** The public types of `Rig`. Every entry of the package exports them. */

export type { ClipEvent } from '../base/clip-events';
export type { ClipOptions } from '../clips/options';
export type { RootParts } from '../format/manifest';
export type { Resolve } from '../gltf/buffers';
export type { Interpolation } from '../gltf/scene';
export type { Cadence } from './cadence';
export type { CapsuleParts, Capsules, CastOptions } from './capsules';
export type { RigClip, RigMesh, RigRest, RigSkin, RigSlot } from './describe-rig';
export type { PaletteFormat, SlotList } from './kernels/contract';
export type { Poses, PosesOptions } from './poses';
export type * from './rig-options';
export type { DocumentLike } from './source/from-document';
export type { ChannelParts, ClipParts, RigParts, SkinParts } from './source/from-parts';
export type { PrimitiveRange, TargetGeometry } from './source/mesh-geometry';
export type { MeshParts } from './source/part-meshes';
export type { Numbers } from './source/read-parts';
