// SPDX-License-Identifier: MIT

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { GLTF } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import { decodeStored } from '../../gltf/decode';
import { isObject } from '../../gltf/json';
import type { WholeFile } from '../../gltf/read-whole';
import { joined } from './pack-keys';

/** How large the keys of all animations of a file are: neither JSON nor meshes count. */
export interface AnimationBytes {
    /** Of all channels, those of a sampler that several share each time. */
    readonly keys: number;
    /** Of the accessors of all samplers in use, each once, uncompressed, at a multiple of 4. */
    readonly bytes: number;
    /** The same in the order of the file, by gzip at level 9. */
    readonly gzip: number;
}

/** @throws InputError `GLTF_INVALID` for compressed data that is none, `EXTENSION_UNSUPPORTED` without WebAssembly. */
export async function animationBytes({ json, buffers, accessors, report }: WholeFile): Promise<AnimationBytes> {
    const counts = new Map(accessors.map(({ index, count }) => [index, count]));
    const used = new Set<number>();
    let keys = 0;
    // Nothing has checked clips that are not chosen.
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
    const bytes = joined(
        infos.map((info) => {
            const { buffer, byteOffset, byteLength } = stored.get(info)!;
            return new Uint8Array(buffer, byteOffset, byteLength);
        }),
    );
    const compressed = await promisify(gzip)(bytes, { level: 9 });
    return { keys, bytes: bytes.length, gzip: compressed.length };
}
