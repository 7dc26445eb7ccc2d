// SPDX-License-Identifier: MIT

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { GLTF } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { decodeStored } from '../../gltf/decode';
import { isObject } from '../../gltf/json';
import type { WholeFile } from '../../gltf/read-whole';
import { joined } from './pack-keys';

/** Size of the keys of all animations of a file, without JSON and meshes. */
export interface AnimationBytes {
    /** Keys of all channels. Those of a shared sampler count for each channel. */
    readonly keys: number;
    /** Bytes of the accessors of all samplers in use, each once, uncompressed, at multiples of 4. */
    readonly bytes: number;
    /** The same bytes in file order, by gzip at level 9. */
    readonly gzip: number;
}

/** Each chunk takes a turn of the event loop. */
const CHUNK = 1 << 20;

/** Keys that a file gets: an accessor of its JSON. */
export interface AddedKeys {
    readonly index: number;
    readonly count: number;
    readonly bytes: Uint8Array;
}

/**
 * @param added Accessors that the JSON has, and the file has not.
 * @param placeOf Sorts the accessors.
 * @throws InputError `GLTF_INVALID` for invalid compressed data, `EXTENSION_UNSUPPORTED` without WebAssembly.
 */
export async function animationBytes(
    { json, buffers, accessors, report }: WholeFile,
    added: readonly AddedKeys[] = [],
    placeOf = (index: number) => index,
): Promise<AnimationBytes> {
    const counts = new Map([...accessors, ...added].map(({ index, count }) => [index, count]));
    const used = new Set<number>();
    let keys = 0;
    // Clips that were not chosen have not been checked.
    for (const clip of (json.animations ?? []) as readonly unknown[]) {
        const { channels, samplers } = isObject(clip) ? clip : {};
        for (const channel of Array.isArray(channels) && Array.isArray(samplers) ? channels : []) {
            const { input, output } = (samplers as Partial<GLTF.IAnimationSampler>[])[channel?.sampler] ?? {};
            keys += counts.get(input!) ?? 0;
            used.add(input!).add(output!);
        }
    }
    const infos = accessors.filter(({ index }) => used.has(index));
    const stored = await decodeStored(infos, [], buffers, report, new Map());
    const lists = added.filter(({ index }) => used.has(index));
    for (const info of infos) {
        const { buffer, byteOffset, byteLength } = stored.get(info)!;
        lists.push({ ...info, bytes: new Uint8Array(buffer, byteOffset, byteLength) });
    }
    lists.sort((a, b) => placeOf(a.index) - placeOf(b.index));
    const bytes = joined(lists.map(({ bytes }) => bytes));
    const compressed = await promisify(gzip)(bytes, { level: 9, chunkSize: CHUNK });
    return { keys, bytes: bytes.length, gzip: compressed.length };
}
