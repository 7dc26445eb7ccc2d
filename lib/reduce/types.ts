// SPDX-License-Identifier: MIT

import type { StoredValues } from '../gltf/as-stored';
import type { ChannelPath, Interpolation } from '../gltf/scene';

/** The keys that replace those of a channel (glTF 2.0, 3.11). */
export interface ReducedChannel {
    /** JSON pointer of the channel in the source, such as `/animations/0/channels/7`. */
    readonly pointer: string;
    readonly path: ChannelPath;
    readonly interpolation: Interpolation;
    /** Seconds, ascending. */
    readonly times: Float32Array;
    /**
     * Values as they are stored. Integers of rotations are normalized (3.11). CUBICSPLINE: in-tangent, value,
     * out-tangent of each key.
     */
    readonly values: StoredValues;
}

/** A clip with fewer keys. Channels that neither list names are unchanged. */
export interface ReducedAnimation {
    /** Its number in the file. */
    readonly animation: number;
    readonly channels: readonly ReducedChannel[];
    /** Pointers of removed channels (`dropRest`): they equal the rest value of their node at all times. */
    readonly removed: readonly string[];
}

/** Place of a clip's maximum error. */
export interface ReducedPlace {
    /** Model units. */
    readonly error: number;
    /** Seconds. */
    readonly time: number;
    /** Node whose points are displaced. */
    readonly node: number;
}

/** Report on a reduced clip. */
export interface ReducedClip {
    /** Name of the animation; empty if it has none. */
    readonly name: string;
    /** Its number in the file. */
    readonly animation: number;
    /** Number of keys of all its channels in the source. */
    readonly keysBefore: number;
    /** Number of keys in the result. */
    readonly keysAfter: number;
    /** Upper bound on the displacement at all times, model units: proved, not sampled. */
    readonly error: number;
    /** Maximum displacement at the sampled times, with keys played as they are stored; null if there is none. */
    readonly worst: ReducedPlace | null;
    /** Whether the keys are those of the source, because no smaller keys were proved to keep the bound. */
    readonly kept: boolean;
    /** Number of channels removed because they equal the rest pose (`dropRest`). */
    readonly dropped: number;
}
