// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import type { BufferData } from './buffers';

/**
 * SHA-256, in hex, of everything that can influence the scene: first the JSON's bytes as they stand in the file
 * (`.gltf`: the whole file; `.glb`: the JSON chunk's data with its padding, without chunk header), then, in index
 * order, the first `byteLength` bytes of every buffer that has data, data URIs included. GLB headers, padding of
 * the BIN chunk, images, and buffers without data do not count. Lengths need no separators: the JSON fixes them.
 */
export function hashInput(jsonBytes: Uint8Array, buffers: readonly BufferData[]): string {
    const hash = createHash('sha256').update(jsonBytes);
    for (const data of buffers) if (data !== null) hash.update(data);
    return hash.digest('hex');
}
