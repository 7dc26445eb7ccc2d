// SPDX-License-Identifier: MIT

/**
 * Baked palettes in three.js (WebGPURenderer, both of its backends): `poselane/three/webgpu`. `three/webgpu` itself is handed in,
 * never imported.
 *
 * @packageDocumentation
 */

export type { FadeTo, PoseOptions } from '../../table/poses';
export { createPaletteTexture, type Texels } from '../texture';
export type { BakedCrowd, BakedCrowdOptions, LoadedModel, SharedThree } from '../types';
export { createBakedCrowd } from './crowd';
export type { ThreeWebGPULike } from './types';
