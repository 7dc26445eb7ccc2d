// SPDX-License-Identifier: MIT

/** The Rig: a skeleton and its clips, packed once, thousands of poses in a call. See docs/rig.md. */

export { type LoadOptions, Rig } from './rig';
export type * from './types';
