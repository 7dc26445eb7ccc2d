// SPDX-License-Identifier: MIT

import type { StoredValues } from '../gltf/as-stored';
import type { ChannelPath, Interpolation } from '../gltf/scene';

/** The keys that take the place of a channel's (glTF 2.0, 3.11). */
export interface ReducedChannel {
    /** JSON pointer of the channel in the source, `/animations/0/channels/7`. */
    readonly pointer: string;
    readonly path: ChannelPath;
    readonly interpolation: Interpolation;
    /** Seconds, ascending. */
    readonly times: Float32Array;
    /** As they are stored: of rotations, integers are normalised (3.11). CUBICSPLINE: in-tangent, value, out-tangent of each key. */
    readonly values: StoredValues;
}

/** A clip with fewer keys. Channels that neither list names stay as they are. */
export interface ReducedAnimation {
    /** Its number in the file. */
    readonly animation: number;
    readonly channels: readonly ReducedChannel[];
    /** Pointers of channels that go (`dropRest`): at all times they have the value that their node has at rest. */
    readonly removed: readonly string[];
}

/** Where a clip is off the most. */
export interface ReducedPlace {
    /** Model units. */
    readonly error: number;
    /** Seconds. */
    readonly time: number;
    /** Node whose points are displaced. */
    readonly node: number;
}

/** What became of a clip. */
export interface ReducedClip {
    /** Of the animation; empty where it has none. */
    readonly name: string;
    /** Its number in the file. */
    readonly animation: number;
    /** Keys of all its channels. */
    readonly keysBefore: number;
    /** The same of the result. */
    readonly keysAfter: number;
    /** A bound on the displacement at all times, model units: proved, not sampled. */
    readonly error: number;
    /** The greatest displacement at the times that were looked at, keys played as they are stored; null where nothing is displaced. */
    readonly worst: ReducedPlace | null;
    /** Whether the keys are those of the source, because no others that take fewer bytes were proved to keep to the bound. */
    readonly kept: boolean;
    /** Channels that went because they equal the rest pose (`dropRest`). */
    readonly dropped: number;
}
