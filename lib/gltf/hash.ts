// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import type { BufferData } from './buffers';

/**
 * SHA-256, in hex, of everything that can influence the scene: first the JSON's bytes as they stand in the file
 * (`.gltf`: the whole file; `.glb`: the JSON chunk's data with its padding, without chunk header), then, in index
 * order, the first `byteLength` bytes of every buffer that has data, data URIs included. GLB headers, padding of
 * the BIN chunk, images, and buffers without data do not count. Lengths need no separators: the JSON fixes them.
 */
export class InputHash {
    private readonly hash = createHash('sha256');

    addJson(jsonBytes: Uint8Array): void {
        this.hash.update(jsonBytes);
    }

    /** Once, after the JSON. */
    withBuffers(buffers: readonly BufferData[]): string {
        for (const data of buffers) if (data !== null) this.hash.update(data);
        return this.hash.digest('hex');
    }
}
