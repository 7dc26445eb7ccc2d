// SPDX-License-Identifier: MIT

export type { ReduceOptions } from './options';
export { type Reduction, reduceAnimations, reduceDocument } from './reduce-document';
export { type ReduceFileHooks, reduceFile } from './reduce-file';
export type { ReduceHooks } from './reduce-scene';
export type { ReduceResult } from './result';
export type { ReducedClip, ReducedPlace } from './types';
export type { AnimationBytes } from './write/animation-bytes';
