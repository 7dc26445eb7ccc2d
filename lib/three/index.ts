// SPDX-License-Identifier: MIT

/**
 * Baked palettes in three.js (WebGLRenderer): `poselane/three`. The caller passes three itself; it is never imported.
 *
 * @packageDocumentation
 */

export type { RigLike } from '../table/live';
export type { FadeTo, PoseOptions } from '../table/poses';
export { createBakedCrowd, createLiveCrowd } from './crowd';
export { createPaletteTexture, type Texels } from './texture';
export type { BakedCrowd, Crowd, CrowdOptions, LiveCrowd, LoadedModel, SharedThree, ThreeLike } from './types';
