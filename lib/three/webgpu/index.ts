// SPDX-License-Identifier: MIT

/**
 * Baked palettes in three.js (WebGPURenderer, both backends): `poselane/three/webgpu`. The caller passes `three/webgpu`
 * itself; it is never imported.
 *
 * @packageDocumentation
 */

export type { RigLike } from '../../table/live';
export type { FadeTo, PoseOptions } from '../../table/poses';
export { createPaletteTexture, type Texels } from '../texture';
export type { BakedCrowd, Crowd, CrowdOptions, LiveCrowd, LoadedModel, SharedThree } from '../types';
export { createBakedCrowd, createLiveCrowd } from './crowd';
export type { ThreeWebGPULike } from './types';
