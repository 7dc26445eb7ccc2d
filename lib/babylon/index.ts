// SPDX-License-Identifier: MIT

/**
 * Baked palettes in Babylon.js: `poselane/babylon`. Babylon itself is handed in, never imported.
 *
 * @packageDocumentation
 */

export type { FadeTo, PoseOptions } from '../table/poses';
export { createBakedAnimation } from './animation';
export type { BabylonLike, BakedAnimation, BakedAnimationOptions } from './types';
