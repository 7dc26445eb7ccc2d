// SPDX-License-Identifier: MIT

/** Tracks as channels of a file. */

import type { SceneChannel } from '../../gltf/scene';
import { TRS } from '../model/affine';
import type { Model } from '../model/model';
import { normalise, type SampledChannel } from '../model/sampler';
import type { ReducedAnimation, ReducedChannel } from '../types';
import type { Track } from './clip';
import { BYTE_STEP, isInteger } from './fit';

/** Keys of a track: places in its clip's grid, and values. */
export interface Keys extends Pick<Track, 'knots' | 'values' | 'step' | 'tangents'> {}

/** Keys of the parts of a clip, each of which begins at the time where the one before it ends, as keys of the whole. */
export function joinKeys(parts: readonly Keys[], lengths: readonly number[], width: number, closed: boolean): Keys {
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
    // Each part has rounded its end by its own step.
    if (closed) closeSeam(values, width);
    if (values.every((x, i) => x === values[i % width]))
        return { ...parts[0]!, knots: [0], values: Float64Array.from(values.slice(0, width)) };
    // The finest of the parts' steps, which others' values are rounded to where they are no multiples: the proof has them so.
    return { knots, values: Float64Array.from(values), step: Math.min(...parts.map(({ step }) => step)), tangents: 0 };
}

/** Gives the last value the first one's numbers; of rotations it keeps its side. */
function closeSeam(values: number[], width: number): void {
    const last = values.length - width;
    let dot = 0;
    for (let c = 0; c < width; c++) dot += values[c]! * values[last + c]!;
    const sign = width === 4 && dot < 0 ? -1 : 1;
    for (let c = 0; c < width; c++) values[last + c] = sign * values[c]!;
}

/** A track's keys, as they are stored and as they are played. */
export interface StoredTrack {
    /** Null where it goes, because the node's value at rest says the same. */
    readonly channel: ReducedChannel | null;
    readonly played: SampledChannel;
    readonly source: SampledChannel;
    /** Both for players that bring rotations to unit length, which coarse ones are a little off. */
    readonly unit: { readonly source: SampledChannel; readonly played: SampledChannel };
}

/** @param times The grid of the whole clip. */
export function storedTrack(model: Model, track: Track, keys: Keys, times: Float64Array): StoredTrack {
    const { channel, node, place, width } = track;
    const { pointer, path } = channel;
    const unitOf = (played: SampledChannel) =>
        width === 4 ? { source: ofUnitLength(channel), played: ofUnitLength(played) } : { source: channel, played };
    const told = (stored: ReducedChannel | null, played: SampledChannel): StoredTrack => {
        return { channel: stored, source: channel, played, unit: unitOf(played) };
    };
    if (track.kept) return told(channel.interpolation === 'STEP' ? withoutRepeats(channel, width) : channel, channel);
    const keyTimes = Float32Array.from(keys.knots, (knot) => times[knot]!);
    const rest = model.rest.subarray(node * TRS + place, node * TRS + place + width);
    if (model.dropRest && keys.knots.length === 1 && keys.values.every((x, c) => x === rest[c])) {
        return told(null, { times: keyTimes, values: keys.values, interpolation: 'LINEAR' });
    }
    const bytes = keys.step === BYTE_STEP;
    const one = bytes ? 127 : 32767;
    const integers = width === 4 && isInteger(keys.step);
    const whole = (x: number) => Math.round(x * one);
    const stored = !integers
        ? Float32Array.from(keys.values)
        : bytes
          ? Int8Array.from(keys.values, whole)
          : Int16Array.from(keys.values, whole);
    // As readers have it (3.11): rounded to float32 once.
    const values = integers ? Float32Array.from(stored, (x) => x / one) : (stored as Float32Array);
    const keysOf = {
        pointer,
        path,
        interpolation: keys.tangents > 0 ? 'CUBICSPLINE' : 'LINEAR',
        times: keyTimes,
    } as const;
    return told({ ...keysOf, values: stored }, { ...keysOf, values });
}

/** Splines are brought to unit length in any case (3.11). */
function ofUnitLength(channel: SampledChannel): SampledChannel {
    if (channel.interpolation === 'CUBICSPLINE') return channel;
    const values = Float64Array.from(channel.values);
    for (let q = 0; q < values.length; q += 4) normalise(values, q);
    return { ...channel, values };
}

/** STEP keys that repeat the one before them go; the last one stays. */
function withoutRepeats({ pointer, path, interpolation, times, values }: SceneChannel, width: number): ReducedChannel {
    const keys: number[] = [];
    for (let k = 0; k < times.length; k++) {
        let same = k > 0 && k + 1 < times.length;
        for (let c = 0; same && c < width; c++) same = values[k * width + c] === values[(k - 1) * width + c];
        if (!same) keys.push(k);
    }
    const kept = new Float32Array(keys.length * width);
    for (const [i, k] of keys.entries()) kept.set(values.subarray(k * width, (k + 1) * width), i * width);
    return { pointer, path, interpolation, times: Float32Array.from(keys, (k) => times[k]!), values: kept };
}

/**
 * A clip that begins and ends when its source does: a channel with one key, or one that could go, is told at both ends where no other
 * is, because the duration of a clip is that of its channels. Nor is a clip left without channels (3.11).
 */
export function lasting(
    { animation, channels, removed }: ReducedAnimation,
    source: readonly SceneChannel[],
    untouched: readonly SceneChannel[],
): ReducedAnimation {
    const [start, end] = rangeOf(source.map(({ times }) => times));
    const [first, last] = rangeOf([...channels, ...untouched].map(({ times }) => times));
    if (source.length === 0 || (first === start && last === end)) return { animation, channels, removed };
    const one = channels.findIndex(({ times, interpolation }) => times.length === 1 && interpolation !== 'CUBICSPLINE');
    const both = start === end ? Float32Array.of(start) : Float32Array.of(start, end);
    const told = (channel: ReducedChannel): ReducedChannel => {
        const values = channel.values.slice() as Float32Array;
        const twice = new (values.constructor as Float32ArrayConstructor)(values.length * both.length);
        for (let k = 0; k < both.length; k++) twice.set(values, k * values.length);
        return { ...channel, times: both, values: twice };
    };
    if (one >= 0)
        return { animation, channels: channels.map((channel, i) => (i === one ? told(channel) : channel)), removed };
    const back = source.find(({ pointer }) => removed.includes(pointer));
    if (back === undefined) return { animation, channels, removed };
    const { pointer, path, values, interpolation, times } = back;
    const cubic = interpolation === 'CUBICSPLINE';
    const width = values.length / times.length / (cubic ? 3 : 1);
    const value = values.slice(cubic ? width : 0, cubic ? 2 * width : width);
    const again = told({ pointer, path, interpolation: 'LINEAR', times: Float32Array.of(start), values: value });
    return { animation, channels: [...channels, again], removed: removed.filter((other) => other !== pointer) };
}

/** The earliest and the latest key. */
function rangeOf(lists: readonly Float32Array[]): readonly [number, number] {
    let [first, last] = [Infinity, -Infinity];
    for (const times of lists) {
        if (times[0]! < first) first = times[0]!;
        if (times[times.length - 1]! > last) last = times[times.length - 1]!;
    }
    return [first, last];
}
