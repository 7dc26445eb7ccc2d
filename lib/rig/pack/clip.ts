// SPDX-License-Identifier: MIT

import type { SceneAnimation, SceneChannel } from '../../gltf/scene';
import {
    type ClipTables,
    CUBICSPLINE,
    GROUP_NUMBERS,
    LINEAR,
    LOCAL_FLOATS,
    PATHS,
    STEP,
    TRACK_NUMBERS,
} from '../kernels/contract';
import type { Skeleton } from '../skeleton';
import { constantValue } from './constant-channel';
import { packKeys } from './keys';
import type { Morphs } from './morphs';

/** First float of each path in a local transform. */
export const PATH_AT = [0, 3, 7] as const;
const PATH_NAMES: readonly string[] = ['translation', 'rotation', 'scale'];
const KINDS = { STEP, LINEAR, CUBICSPLINE } as const;

/** A channel that changes over time, and its entry in the table of tracks or of morph tracks. */
export interface Track {
    readonly table: 'tracks' | 'morphTracks';
    /** Entry of the table, counted in tracks; also the order of the tracks within a row. */
    readonly entry: number;
    /** STEP, LINEAR or CUBICSPLINE. */
    readonly kind: number;
    /** Floats of a key, tangents included. */
    readonly floats: number;
}

/** Tracks with the same key times. */
export interface Group<T = Track> {
    readonly times: Float32Array;
    readonly tracks: T[];
}

interface ChannelTrack extends Track {
    readonly channel: SceneChannel;
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
    room: number,
): ClipTables | null {
    const base = skeleton.rest.slice();
    const baseWeights = morphs.rest.slice();
    const moving: ChannelTrack[] = [];
    for (const [target, channel] of byTarget(animation, skeleton, morphs)) {
        const value = constantValue(channel);
        const isMorph = channel.path === 'weights';
        const entry = isMorph ? -1 - target : target;
        if (value === null) {
            const floats = channel.values.length / channel.times.length;
            const kind = KINDS[channel.interpolation];
            moving.push({ channel, table: isMorph ? 'morphTracks' : 'tracks', entry, kind, floats });
        } else if (isMorph) {
            baseWeights.set(value, morphs.ranges[entry * 2]!);
        } else {
            base.set(value, Math.floor(entry / PATHS) * LOCAL_FLOATS + PATH_AT[entry % PATHS]!);
        }
    }
    moving.sort((a, b) => (a.table === b.table ? a.entry - b.entry : a.table === 'tracks' ? -1 : 1));
    const groups = groupByTimes(moving);
    if (floatsOf(groups) > room) return null;
    const tables = layGroups(groups, skeleton.nodes.length, morphs.nodes.length);
    return { duration: durationOf(animation), ...tables, values: valuesOf(groups, tables.groups), base, baseWeights };
}

/** The channels by their targets: slot * 3 + path, or -1 - morph. The last channel of a target counts. */
function byTarget(animation: SceneAnimation, skeleton: Skeleton, morphs: Morphs): Map<number, SceneChannel> {
    const channels = new Map<number, SceneChannel>();
    for (const channel of animation.channels) {
        if (channel.path === 'weights') {
            const morph = morphs.ofNode.get(channel.node);
            if (morph !== undefined) channels.set(-1 - morph, channel);
            continue;
        }
        const slot = skeleton.slotOfNode[channel.node]!;
        if (slot < 0 || skeleton.matrixOfSlot[slot]! >= 0) continue;
        channels.set(slot * PATHS + PATH_NAMES.indexOf(channel.path), channel);
    }
    return channels;
}

function strideOf(tracks: readonly Track[]): number {
    return tracks.reduce((sum, { floats }) => sum + floats, 0);
}

/** Floats of the keys of all groups. */
export function floatsOf(groups: readonly Group[]): number {
    return groups.reduce((sum, { times, tracks }) => sum + times.length * strideOf(tracks), 0);
}

/** Tracks with the same key times, byte for byte, are a group, in the order of their first tracks. */
function groupByTimes(tracks: readonly ChannelTrack[]): Group<ChannelTrack>[] {
    const groups: Group<ChannelTrack>[] = [];
    const byArray = new Map<Float32Array, Group<ChannelTrack>>();
    const byHash = new Map<number, Group<ChannelTrack>[]>();
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

/** The tables of groups, without their values. Tracks are in the order of their entries, those of morphs last. */
export function layGroups(
    groups: readonly Group[],
    slots: number,
    morphCount: number,
): Omit<ClipTables, 'duration' | 'values' | 'base' | 'baseWeights'> {
    const rows = new Uint32Array(groups.length * GROUP_NUMBERS);
    const { keys, places } = packKeys(groups.map(({ times }) => times));
    const still = (entries: number) => new Int32Array(entries * TRACK_NUMBERS).fill(-1);
    const tables = { tracks: still(slots * PATHS), morphTracks: still(morphCount) };
    let firstFloat = 0;
    for (let g = 0; g < groups.length; g++) {
        const group = groups[g]!;
        const { length } = group.times;
        const { firstKey, firstStart, cellShift } = places[g]!;
        let stride = 0;
        for (const { table: name, entry, kind, floats } of group.tracks) {
            const table = tables[name];
            table[entry * TRACK_NUMBERS] = g;
            table[entry * TRACK_NUMBERS + 1] = kind;
            table[entry * TRACK_NUMBERS + 2] = stride;
            stride += floats;
        }
        rows.set([firstKey, length, firstFloat, stride, firstStart, cellShift], g * GROUP_NUMBERS);
        firstFloat += length * stride;
    }
    return { groups: rows, ...keys, ...tables };
}

function valuesOf(groups: readonly Group<ChannelTrack>[], table: Uint32Array): Float32Array {
    const values = new Float32Array(floatsOf(groups));
    for (const [g, { times, tracks }] of groups.entries()) {
        let first = table[g * GROUP_NUMBERS + 2]!;
        const stride = table[g * GROUP_NUMBERS + 3]!;
        for (const { channel, floats } of tracks) {
            const from = channel.values;
            for (let key = 0, at = 0, to = first; key < times.length; key++, to += stride) {
                for (let i = 0; i < floats; i++) values[to + i] = from[at++]!;
            }
            first += floats;
        }
    }
    return values;
}
