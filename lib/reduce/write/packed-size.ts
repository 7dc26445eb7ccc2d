// SPDX-License-Identifier: MIT

import { addon } from '../../addon/load';
import { asStored } from '../../gltf/as-stored';
import type { SceneAnimation, SceneChannel } from '../../gltf/scene';
import type { ReducedAnimation, ReducedChannel } from '../types';
import { joined, packKeys } from './pack-keys';

/**
 * Estimates the compressed size of clips' keys in a file, in bytes: of each reduced clip together with the source
 * channels that it keeps.
 *
 * @param limit A size above this one may be less than the estimate, but not below the limit.
 */
export function packedSize(clips: readonly (readonly [ReducedAnimation, SceneAnimation])[], limit = Infinity): number {
    const channels = clips.flatMap(([animation, { channels: source }]) => {
        const nodes = new Map(source.map(({ pointer, node }) => [pointer, node]));
        return channelsLeft(animation, source).map((channel) => ({ channel, node: nodes.get(channel.pointer)! }));
    });
    // In the order of `writeReduced`. The order of paths does not matter, because their values are in separate views.
    channels.sort((a, b) => a.node - b.node);
    const { views } = packKeys(channels.map(({ channel }) => channel));
    return deflatedSize(joined(views.map(({ bytes }) => bytes)), limit);
}

/** The channels of a reduced clip: those that change, and those that stay. */
export function channelsLeft(
    { channels, removed }: ReducedAnimation,
    source: readonly SceneChannel[],
): readonly Omit<ReducedChannel, 'interpolation'>[] {
    const changed = new Set([...removed, ...channels.map(({ pointer }) => pointer)]);
    return [...channels, ...source.filter(({ pointer }) => !changed.has(pointer)).map(asStored)];
}

/** Maximum distance of a match, its lengths (RFC 1951), and how many places with the same three bytes are tried. */
const WINDOW = 32768;
const [SHORTEST, LONGEST] = [3, 258];
const TRIES = 32;
/** Bytes between two looks at the size so far, which only grows. */
const LOOK = 8192;
/**
 * The last place with each hash of three bytes; -1 between calls. Shared, because a new table would be larger than most
 * clips.
 */
const HEADS = new Int32Array(1 << 15).fill(-1);

/**
 * Estimates the deflated size of bytes, for a single block. zlib's output differs between builds, and decisions by size
 * must be the same on every machine.
 *
 * @param limit As that of `packedSize`.
 */
export function deflatedSize(bytes: Uint8Array, limit = Infinity): number {
    const size = addon?.deflatedSize(bytes, limit) ?? false;
    return size === false ? deflatedSizeTwin(bytes, limit) : size;
}

/** The same without the addon, and for no bytes, which the addon refuses. Twin: native/addon/deflated_size_call.cpp. */
export function deflatedSizeTwin(bytes: Uint8Array, limit: number): number {
    const symbols = new Uint32Array(286);
    const distances = new Uint32Array(30);
    const earlier = new Int32Array(bytes.length);
    let bits = 0;
    const note = (i: number): number => {
        if (i + SHORTEST > bytes.length) return -1;
        const slot = slotOf(bytes, i);
        earlier[i] = HEADS[slot]!;
        HEADS[slot] = i;
        return earlier[i]!;
    };
    const size = () => Math.ceil((bits + codedBits(symbols) + codedBits(distances)) / 8);
    for (let i = 0, look = LOOK; i < bytes.length; ) {
        if (i >= look) {
            if (size() > limit) break;
            look = i + LOOK;
        }
        let [length, distance] = [0, 0];
        let from = note(i);
        const longest = Math.min(LONGEST, bytes.length - i);
        for (let n = 0; n < TRIES && from >= 0 && i - from <= WINDOW && length < longest; n++, from = earlier[from]!) {
            // Every longer match has this byte too.
            if (bytes[from + length] !== bytes[i + length]) continue;
            let same = 0;
            while (same < longest && bytes[from + same] === bytes[i + same]) same++;
            if (same > length) [length, distance] = [same, i - from];
        }
        if (length < SHORTEST) {
            symbols[bytes[i]!]!++;
            i++;
            continue;
        }
        const long = Math.max(0, 29 - Math.clz32(length - SHORTEST));
        const far = Math.max(0, 30 - Math.clz32(distance - 1));
        const symbol = length === LONGEST ? 285 : 257 + 4 * long + ((length - SHORTEST) >> long);
        symbols[symbol]!++;
        distances[2 * far + ((distance - 1) >> far)]!++;
        bits += far + (symbol === 285 ? 0 : long);
        for (let k = 1; k < length; k++) note(i + k);
        i += length;
    }
    for (let i = 0; i + SHORTEST <= bytes.length; i++) HEADS[slotOf(bytes, i)] = -1;
    symbols[256]!++;
    return size();
}

function slotOf(bytes: Uint8Array, i: number): number {
    const three = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
    return Math.imul(three, 0x9e3779b1) >>> 17;
}

/** Approximate bits to store the code of one symbol. */
const NAME = 3;

/** Bits of a Huffman code for symbols with these frequencies, including the code itself. */
function codedBits(counts: Uint32Array): number {
    // Each merge of the two rarest adds one bit to all symbols in them. Merged ones come in ascending order.
    const rare = counts.filter((count) => count > 0).sort();
    const merged: number[] = [];
    let [i, j] = [0, 0];
    const rarest = () =>
        j >= merged.length || (i < rare.length && rare[i]! <= merged[j]!) ? rare[i++]! : merged[j++]!;
    let bits = NAME * rare.length + (rare.length === 1 ? rare[0]! : 0);
    for (let n = 1; n < rare.length; n++) {
        merged.push(rarest() + rarest());
        bits += merged[n - 1]!;
    }
    return bits;
}
