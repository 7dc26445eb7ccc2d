// SPDX-License-Identifier: MIT

import type { SceneAnimation, SceneChannel } from '../../gltf/scene';
import { type ClipTables, CUBICSPLINE, GROUP_NUMBERS, LINEAR, PATHS, STEP, TRACK_NUMBERS } from '../kernels/contract';
import type { Skeleton } from '../skeleton';
import { constantValue } from './constant-channel';
import { packKeys } from './keys';
import type { Morphs } from './morphs';
import { KINDS, MOVING, type Movable } from './movable';

const PATH_NAMES: readonly string[] = ['translation', 'rotation', 'scale'];
const KIND = { STEP, LINEAR, CUBICSPLINE } as const;

/** A channel that changes over time. */
interface ChannelTrack {
    readonly channel: SceneChannel;
    /** Place among the movable values; also the order of the tracks within a row. */
    readonly target: number;
    /** STEP, LINEAR or CUBICSPLINE. */
    readonly kind: number;
    /** Floats of a key, tangents included. */
    readonly floats: number;
}

/** Tracks with the same key times. */
interface Group {
    readonly times: Float32Array;
    readonly tracks: ChannelTrack[];
}

/**
 * The maximum of the last keys of all channels, including channels that move nothing of the rig: a float32, like all
 * key times.
 */
function durationOf({ channels }: SceneAnimation): number {
    let duration = 0;
    for (const { times } of channels) if (times[times.length - 1]! > duration) duration = times[times.length - 1]!;
    return duration;
}

/**
 * Packs an animation as `ClipTables` describes. It leaves out channels of nodes without a slot, and channels that glTF
 * 2.0 (section 3.5.3) forbids because the node has a matrix.
 *
 * @param room Maximum number of floats of its keys.
 * @returns null if the keys need more than `room`.
 */
export function packClip(
    animation: SceneAnimation,
    skeleton: Skeleton,
    morphs: Morphs,
    movable: Movable,
    room: number,
): ClipTables | null {
    const { firsts, paths } = movable;
    const base = skeleton.rest.slice();
    const baseWeights = morphs.rest.slice();
    const moving: ChannelTrack[] = [];
    for (const [target, channel] of byTarget(animation, skeleton, morphs, paths)) {
        const value = constantValue(channel);
        if (value === null) {
            const floats = channel.values.length / channel.times.length;
            moving.push({ channel, target, kind: KIND[channel.interpolation], floats });
        } else (target < paths ? base : baseWeights).set(value, firsts[target]!);
    }
    moving.sort((a, b) => a.target - b.target);
    const groups = groupByTimes(moving);
    if (floatsOf(groups) > room) return null;
    const codes = new Int32Array(firsts.length);
    for (const [g, { tracks }] of groups.entries()) {
        for (const { target, kind } of tracks) codes[target] = MOVING + g * KINDS + kind;
    }
    const lists = groups.map(({ times }) => times);
    const targets = moving.map(({ target }) => target);
    const { floats, tables } = layTracks(lists, targets, codes, movable);
    const values = valuesOf(groups, floats);
    return { duration: durationOf(animation), ...tables, values, base, baseWeights };
}

/** The channels by their targets, which are places among the movable values. The last channel of a target counts. */
function byTarget(
    animation: SceneAnimation,
    skeleton: Skeleton,
    morphs: Morphs,
    paths: number,
): Map<number, SceneChannel> {
    const channels = new Map<number, SceneChannel>();
    for (const channel of animation.channels) {
        if (channel.path === 'weights') {
            const morph = morphs.ofNode.get(channel.node);
            if (morph !== undefined) channels.set(paths + morph, channel);
            continue;
        }
        const slot = skeleton.slotOfNode[channel.node]!;
        if (slot < 0 || skeleton.matrixOfSlot[slot]! >= 0) continue;
        channels.set(slot * PATHS + PATH_NAMES.indexOf(channel.path), channel);
    }
    return channels;
}

/** Floats of a row. */
function strideOf({ tracks }: Group): number {
    return tracks.reduce((sum, { floats }) => sum + floats, 0);
}

/** Floats of the keys of all groups. */
function floatsOf(groups: readonly Group[]): number {
    return groups.reduce((sum, group) => sum + group.times.length * strideOf(group), 0);
}

/** Tracks with the same key times, byte for byte, are a group, in the order of their first tracks. */
function groupByTimes(tracks: readonly ChannelTrack[]): Group[] {
    const groups: Group[] = [];
    const byArray = new Map<Float32Array, Group>();
    const byHash = new Map<number, Group[]>();
    for (const track of tracks) {
        const { times } = track.channel;
        let group = byArray.get(times);
        if (group === undefined) {
            const hash = hashWords(new Int32Array(times.buffer, times.byteOffset, times.length));
            const alike = byHash.get(hash) ?? [];
            byHash.set(hash, alike);
            group = alike.find((other) => sameBytes(other.times, times));
            if (group === undefined) {
                group = { times, tracks: [] };
                alike.push(group);
                groups.push(group);
            }
            byArray.set(times, group);
        }
        group.tracks.push(track);
    }
    return groups;
}

/** FNV-1a, of words. A change of one word always changes it. */
export function hashWords(words: Int32Array): number {
    let hash = 0x811c9dc5;
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193);
    return hash;
}

function sameBytes(a: Float32Array, b: Float32Array): boolean {
    return a.length === b.length && a.every((time, i) => Object.is(time, b[i]));
}

/**
 * The tables of a clip, without its values, and the number of these.
 *
 * @param lists Key times of each group.
 * @param moving The values that move, ascending.
 * @param codes How each movable value moves.
 */
export function layTracks(
    lists: readonly Float32Array[],
    moving: readonly number[],
    codes: Int32Array | Uint8Array,
    { widths, paths }: Movable,
): { floats: number; tables: Omit<ClipTables, 'duration' | 'values' | 'base' | 'baseWeights'> } {
    const still = (entries: number) => new Int32Array(entries * TRACK_NUMBERS).fill(-1);
    const tracks = still(paths);
    const morphTracks = still(codes.length - paths);
    const strides = new Int32Array(lists.length);
    for (let m = 0; m < moving.length; m++) {
        const i = moving[m]!;
        const code = codes[i]! - MOVING;
        const kind = code % KINDS;
        const g = (code - kind) / KINDS;
        const table = i < paths ? tracks : morphTracks;
        const at = (i < paths ? i : i - paths) * TRACK_NUMBERS;
        table[at] = g;
        table[at + 1] = kind;
        table[at + 2] = strides[g]!;
        strides[g]! += kind === CUBICSPLINE ? widths[i]! * 3 : widths[i]!;
    }
    const groups = new Uint32Array(lists.length * GROUP_NUMBERS);
    const { keys, places } = packKeys(lists);
    let floats = 0;
    for (let g = 0; g < lists.length; g++) {
        const { length } = lists[g]!;
        const { firstKey, firstStart, cellShift } = places[g]!;
        groups.set([firstKey, length, floats, strides[g]!, firstStart, cellShift], g * GROUP_NUMBERS);
        floats += length * strides[g]!;
    }
    return { floats, tables: { groups, ...keys, tracks, morphTracks } };
}

function valuesOf(groups: readonly Group[], floats: number): Float32Array {
    const values = new Float32Array(floats);
    let row = 0;
    for (const group of groups) {
        const { length } = group.times;
        const stride = strideOf(group);
        let first = row;
        for (const { channel, floats: width } of group.tracks) {
            const from = channel.values;
            for (let key = 0, at = 0, to = first; key < length; key++, to += stride) {
                for (let i = 0; i < width; i++) values[to + i] = from[at++]!;
            }
            first += width;
        }
        row += length * stride;
    }
    return values;
}
