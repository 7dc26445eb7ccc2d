// SPDX-License-Identifier: MIT

/**
 * Baked palettes in Babylon.js: `poselane/babylon`. Babylon itself is handed in, never imported.
 *
 * @packageDocumentation
 */

export { createBakedAnimation } from './animation';
export { playSettings, SETTINGS_ATTRIBUTE, stillSettings } from './settings';
export type { BabylonLike, BakedAnimation, BakedAnimationOptions } from './types';
