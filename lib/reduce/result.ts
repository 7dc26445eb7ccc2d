// SPDX-License-Identifier: MIT

import type { CacheOutcome } from '../cache/cache';
import type { Warning } from '../gltf/scene';
import type { ReducedClip } from './types';
import type { AnimationBytes } from './write/animation-bytes';

/** A file with fewer keys. */
export interface ReduceResult {
    /** A GLB. Nothing but animations differs from the source; images beside it are inside. */
    readonly bytes: Uint8Array;
    /** Of the source, without its folder. */
    readonly name: string;
    /** Of the source, as in the manifest of a bake (docs/format.md). */
    readonly sha256: string;
    /** Of the model at rest, in its units: as in the manifest of a bake. */
    readonly extent: number;
    /** The bound that was kept, model units. */
    readonly maxError: number;
    /** Those that were reduced. */
    readonly clips: readonly ReducedClip[];
    /** How large all animations of the source are. */
    readonly before: AnimationBytes;
    /** Those of the result. */
    readonly after: AnimationBytes;
    /** What is odd about the file. */
    readonly warnings: readonly Warning[];
    /** Where a cache was given, what it had to do with this. */
    readonly cache?: CacheOutcome;
}
