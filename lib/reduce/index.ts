// SPDX-License-Identifier: MIT

export type { AnimationBytes } from './animation-bytes';
export type { ReduceOptions } from './options';
export { type Reduction, reduceAnimations, reduceDocument } from './reduce-document';
export { type ReduceFileHooks, type ReduceResult, reduceFile } from './reduce-file';
export type { ReduceHooks } from './reduce-scene';
export type { ReducedClip, ReducedPlace } from './types';
