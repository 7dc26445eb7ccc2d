// SPDX-License-Identifier: MIT

/**
 * Baked palettes in Babylon.js: `poselane/babylon`. The caller passes Babylon itself; it is never imported.
 *
 * @packageDocumentation
 */

export type { FadeTo, PoseOptions } from '../table/poses';
export { createBakedAnimation } from './animation';
export type { BabylonLike, BakedAnimation, BakedAnimationOptions } from './types';
