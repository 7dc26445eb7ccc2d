// SPDX-License-Identifier: MIT

import type { CacheOutcome } from '../cache/cache';
import type { Warning } from '../gltf/scene';
import type { ReducedClip } from './types';
import type { AnimationBytes } from './write/animation-bytes';

/** A file with fewer keys. */
export interface ReduceResult {
    /** A GLB. It differs from the source only in its animations; files beside the source are embedded. */
    readonly bytes: Uint8Array;
    /** File name of the source, without its folder. */
    readonly name: string;
    /** Hash of the source without clips of other files, as in the manifest of a bake (docs/format.md). */
    readonly sha256: string;
    /** Extent of the model, in its units, as in the manifest of a bake. */
    readonly extent: number;
    /** The bound that was kept, model units. */
    readonly maxError: number;
    /** Reports on the reduced clips. */
    readonly clips: readonly ReducedClip[];
    /** Sizes of all animations in the source, with those of other files. */
    readonly before: AnimationBytes;
    /** Sizes of all animations in the result. */
    readonly after: AnimationBytes;
    /** Warnings about the file. */
    readonly warnings: readonly Warning[];
    /** Whether the cache had the reduction; missing without a cache. */
    readonly cache?: CacheOutcome;
}
