// SPDX-License-Identifier: MIT

/** Words of a GLB (glTF 2.0, 4.4). */
export const GLB_MAGIC = 0x46546c67;
export const CHUNK_JSON = 0x4e4f534a;
export const CHUNK_BIN = 0x004e4942;

/**
 * A container with the structure of GLB (glTF 2.0, 4.4): a header, a JSON chunk, and a binary chunk, all at multiples
 * of 4 bytes.
 *
 * @param parts Contents of the binary chunk, each at a multiple of 4. Without parts there is no such chunk (4.4.3.3).
 */
export function joinChunks(magic: number, version: number, json: object, parts: readonly Uint8Array[]): Uint8Array {
    const text = new TextEncoder().encode(JSON.stringify(json));
    const chunks: [type: number, parts: readonly Uint8Array[], padding: number][] = [[CHUNK_JSON, [text], 32]];
    if (parts.length > 0) chunks.push([CHUNK_BIN, parts, 0]);
    const lengthOf = (list: readonly Uint8Array[]) => list.reduce((sum, { length }) => sum + padded(length), 0);
    const length = chunks.reduce((sum, [, list]) => sum + 8 + lengthOf(list), 12);
    const bytes = new Uint8Array(length);
    const words = new DataView(bytes.buffer);
    for (const [i, word] of [magic, version, length].entries()) words.setUint32(i * 4, word, true);
    let at = 12;
    for (const [type, list, padding] of chunks) {
        words.setUint32(at, lengthOf(list), true);
        words.setUint32(at + 4, type, true);
        at += 8;
        for (const part of list) {
            bytes.set(part, at);
            bytes.fill(padding, at + part.length, at + padded(part.length));
            at += padded(part.length);
        }
    }
    return bytes;
}

/** Rounds up to a multiple of 4. */
export function padded(length: number): number {
    return Math.ceil(length / 4) * 4;
}
