// SPDX-License-Identifier: MIT

/**
 * Baked palettes in Babylon.js: `poselane/babylon`. The caller passes Babylon itself; it is never imported.
 *
 * @packageDocumentation
 */

export type { RigLike } from '../table/live';
export type { FadeTo, PoseOptions } from '../table/poses';
export { createBakedAnimation } from './animation';
export { createLiveCrowd } from './live';
export type {
    BabylonLike,
    BakedAnimation,
    BakedAnimationOptions,
    LiveCrowd,
    LiveCrowdOptions,
    MovedMeshes,
} from './types';
