// SPDX-License-Identifier: MIT

/** Converts tracks to channels of a file. */

import { asStored, decoded } from '../../gltf/as-stored';
import type { SceneChannel } from '../../gltf/scene';
import type { ComparedTrack } from '../bounds/derivative-bounds';
import { TRS } from '../model/affine';
import type { Model } from '../model/model';
import { normalise, type SampledChannel } from '../model/sampler';
import { PLACES, places } from '../model/skeleton';
import type { ReducedAnimation, ReducedChannel } from '../types';
import type { Track } from './clip';
import { BYTE_STEP, isInteger, rounded } from './rounding';

/** Keys of a track: grid indices, values, and their step. */
export interface Keys extends Pick<Track, 'knots' | 'values' | 'step'> {}

/** Joins the keys of a clip's parts. Each part begins at the time where the one before it ends. */
export function joinKeys(
    parts: readonly Keys[],
    lengths: readonly number[],
    { width, exact }: Pick<Track, 'width' | 'exact'>,
    closed: boolean,
): Keys {
    if (parts.length === 1) return parts[0]!;
    const knots: number[] = [];
    const values: number[] = [];
    let start = 0;
    for (const [number, part] of parts.entries()) {
        for (const [k, knot] of part.knots.entries()) {
            if (k === 0 && number > 0) continue;
            knots.push(start + knot);
            for (let c = 0; c < width; c++) values.push(part.values[k * width + c]!);
        }
        start += lengths[number]! - 1;
    }
    // Each part rounded its end by its own step, so the ends can differ.
    if (closed) closeSeam(values, width);
    if (values.every((x, i) => x === values[i % width]))
        return { ...parts[0]!, knots: [0], values: Float64Array.from(values.slice(0, width)) };
    // Values of parts with coarser steps also fit the finest one.
    const step = Math.min(...parts.map((part) => part.step));
    const joined = Float64Array.from(values);
    const mixed = parts.some((part) => part.step !== step);
    return { knots, values: mixed ? rounded({ step, width, exact }, joined) : joined, step };
}

/** Copies the first value to the last one. A rotation keeps the sign of the last one. */
function closeSeam(values: number[], width: number): void {
    const last = values.length - width;
    let dot = 0;
    for (let c = 0; c < width; c++) dot += values[c]! * values[last + c]!;
    const sign = width === 4 && dot < 0 ? -1 : 1;
    for (let c = 0; c < width; c++) values[last + c] = sign * values[c]!;
}

/**
 * Converts a track's keys to a channel.
 *
 * @param times The grid of the whole clip.
 * @returns Null if the channel can be removed because it equals the node's rest value; the source's channel if it is
 * unchanged.
 */
export function storedChannel(model: Model, track: Track, keys: Keys, times: Float64Array): ReducedChannel | null {
    const { channel, node, place, width } = track;
    const { pointer, path } = channel;
    if (track.kept) return channel.interpolation === 'STEP' ? withoutRepeats(channel, width) : channel;
    const rest = model.rest.subarray(node * TRS + place, node * TRS + place + width);
    if (model.dropRest && keys.knots.length === 1 && keys.values.every((x, c) => x === rest[c])) return null;
    const keyTimes = new Float32Array(keys.knots.length);
    for (let k = 0; k < keyTimes.length; k++) keyTimes[k] = times[keys.knots[k]!]!;
    const values = width === 4 && isInteger(keys.step) ? integersOf(keys) : new Float32Array(keys.values);
    return { pointer, path, interpolation: 'LINEAR', times: keyTimes, values };
}

function integersOf({ values, step }: Keys): Int8Array | Int16Array {
    const one = step === BYTE_STEP ? 127 : 32767;
    const integers = step === BYTE_STEP ? new Int8Array(values.length) : new Int16Array(values.length);
    for (let i = 0; i < integers.length; i++) integers[i] = Math.round(values[i]! * one);
    return integers;
}

/**
 * The source's tracks and the written ones as readers decode them: input of `boundClip`.
 *
 * @param unit Whether both are normalized, as some players do with rotations stored slightly off unit length.
 */
export function comparedTracks(
    model: Model,
    tracks: readonly Track[],
    { channels, removed }: ReducedAnimation,
    unit: boolean,
): ComparedTrack[] {
    const written = new Map(channels.map((channel) => [channel.pointer, channel]));
    const gone = new Set(removed);
    return tracks.map(({ channel, node, place, width }) => {
        const { pointer } = channel;
        const at = node * TRS + place;
        const stored = written.get(pointer);
        const reduced = gone.has(pointer)
            ? { times: [0], values: model.rest.subarray(at, at + width), interpolation: 'LINEAR' as const }
            : stored === undefined
              ? channel
              : { ...stored, values: decoded(stored.values) };
        const played = (one: SampledChannel) => (unit && width === 4 ? ofUnitLength(one) : one);
        return { node, place, width, source: played(channel), reduced: played(reduced) };
    });
}

/** Splines are normalized in any case (3.11). */
function ofUnitLength(channel: SampledChannel): SampledChannel {
    if (channel.interpolation === 'CUBICSPLINE') return channel;
    const values = new Float64Array(channel.values);
    for (let q = 0; q < values.length; q += 4) normalise(values, q);
    return { ...channel, values };
}

/** Removes STEP keys that repeat the one before. The last key stays. */
function withoutRepeats(channel: SceneChannel, width: number): ReducedChannel {
    const { times, values } = channel;
    const keys: number[] = [];
    for (let k = 0; k < times.length; k++) {
        let same = k > 0 && k + 1 < times.length;
        for (let c = 0; same && c < width; c++) same = values[k * width + c] === values[(k - 1) * width + c];
        if (!same) keys.push(k);
    }
    return keys.length === times.length ? channel : asStored(someKeys(channel, keys, width));
}

/** A channel with some of its keys. They are not those of a spline. */
export function someKeys(
    { pointer, path, interpolation, times, values }: SceneChannel,
    keys: readonly number[],
    width: number,
) {
    const kept = new Float32Array(keys.length * width);
    for (const [i, k] of keys.entries()) kept.set(values.subarray(k * width, (k + 1) * width), i * width);
    return { pointer, path, interpolation, times: Float32Array.from(keys, (k) => times[k]!), values: kept };
}

/**
 * Keeps the clip's start and end, which are those of its channels. If no other channel has a key there, one that is
 * constant or could be removed gets a key at both ends. A clip keeps at least one channel (3.11).
 */
export function lasting(
    model: Model,
    { animation, channels, removed }: ReducedAnimation,
    source: readonly SceneChannel[],
    untouched: readonly SceneChannel[],
): ReducedAnimation {
    const [start, end] = rangeOf(source.map(({ times }) => times));
    const [first, last] = rangeOf([...channels, ...untouched].map(({ times }) => times));
    if (source.length === 0 || (first === start && last === end)) return { animation, channels, removed };
    const one = channels.findIndex(({ times, interpolation }) => times.length === 1 && interpolation !== 'CUBICSPLINE');
    const both = start === end ? Float32Array.of(start) : Float32Array.of(start, end);
    const atBoth = (channel: ReducedChannel): ReducedChannel => {
        const values = channel.values.slice() as Float32Array;
        const twice = new (values.constructor as Float32ArrayConstructor)(values.length * both.length);
        for (let k = 0; k < both.length; k++) twice.set(values, k * values.length);
        return { ...channel, times: both, values: twice };
    };
    if (one >= 0)
        return { animation, channels: channels.map((channel, i) => (i === one ? atBoth(channel) : channel)), removed };
    const back = source.find(({ pointer }) => removed.includes(pointer));
    if (back === undefined) return { animation, channels, removed };
    const { pointer, path } = back;
    const values = restOf(model, back);
    return {
        animation,
        channels: [...channels, atBoth({ pointer, path, interpolation: 'LINEAR', times: both, values })],
        removed: removed.filter((other) => other !== pointer),
    };
}

/** The node's value at rest. */
function restOf(model: Model, channel: SceneChannel): Float32Array {
    if (!places(channel)) return model.morphs.get(channel.node)!.weights;
    const at = model.indexOf[channel.node]! * TRS + PLACES[channel.path];
    return Float32Array.from(model.rest.subarray(at, at + (channel.path === 'rotation' ? 4 : 3)));
}

/** The earliest and the latest key time. */
function rangeOf(lists: readonly Float32Array[]): readonly [number, number] {
    let [first, last] = [Infinity, -Infinity];
    for (const times of lists) {
        if (times[0]! < first) first = times[0]!;
        if (times[times.length - 1]! > last) last = times[times.length - 1]!;
    }
    return [first, last];
}
