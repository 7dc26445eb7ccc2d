// SPDX-License-Identifier: MIT

/** The container of PVAT: a header, a chunk of JSON, a chunk of bytes (docs/format.md). */

import { CHUNK_JSON } from '../../gltf/container';
import { joinChunks, padded } from '../../gltf/join-chunks';
import { toLittleEndian } from '../rows/floats';

const MAGIC = 0x54415650;
const VERSION = 1;
/** The maximum of a texture's width and height. */
const LIMIT = 4096;
/** The maximum of vertices times rows. */
export const MAX_TEXELS = LIMIT * LIMIT;

/** One clip: rows `frameStart` to `frameStart + frameCount`, the last of them included. */
export interface PvatAnimation {
    readonly name: string;
    readonly frameStart: number;
    /** Intervals between rows, all equal. */
    readonly frameCount: number;
    /** Seconds, above 0. */
    readonly duration: number;
}

/** What a file holds. */
export interface PvatContents {
    readonly fps: number;
    readonly animations: readonly PvatAnimation[];
    readonly vertexCount: number;
    /** Rows of all animations. */
    readonly rows: number;
    /** Minimum x, y, z, then maximum: what positions are shares of. */
    readonly box: ArrayLike<number>;
    /** `[vertex][row][4]`, as long as {@link texelsOf} has it: x, y, z, and the normal. */
    readonly texels: Uint16Array;
    readonly indices: Uint32Array;
    /** `[vertex][2]` */
    readonly uvs: Float32Array;
    readonly image: PvatImage | null;
    /** What readers of PVAT pass over. */
    readonly extras: object;
}

/** The base colour. */
export interface PvatImage {
    readonly mimeType: string;
    readonly bytes: Uint8Array;
}

/** The texture for so many texels, at most {@link MAX_TEXELS}: its width is a power of two. */
export function textureSize(texels: number): { width: number; height: number } {
    let width = 1;
    while (width < texels && width < LIMIT) width *= 2;
    return { width, height: Math.ceil(texels / width) };
}

/** The bytes of a file. */
export function writeContainer(contents: PvatContents): Uint8Array {
    const { fps, animations, vertexCount, rows, box, image, extras } = contents;
    // 65,535 itself is where WebGL begins a new strip.
    const wide = vertexCount > 65535;
    const lists = {
        vat: toLittleEndian(contents.texels),
        indices: wide ? wordsOf(contents.indices) : toLittleEndian(Uint16Array.from(contents.indices)),
        uvs: toLittleEndian(contents.uvs),
        albedo: image?.bytes ?? new Uint8Array(0),
    };
    let length = 0;
    const place = ({ byteLength }: Uint8Array) => {
        const byteOffset = length;
        length += padded(byteLength);
        return { byteOffset, byteLength };
    };
    const [vat, indices, uvs] = [place(lists.vat), place(lists.indices), place(lists.uvs)];
    const albedo = image === null ? undefined : { ...place(lists.albedo), mimeType: image.mimeType };
    const [minX, minY, minZ, maxX, maxY, maxZ] = Array.from(box);
    const json = {
        version: VERSION,
        generator: 'poselane',
        fps,
        vertexCount,
        frameCount: rows,
        texture: { ...textureSize(vertexCount * rows), format: 'rgba16u', layout: 'quant16' },
        bounds: { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] },
        animations,
        binary: { byteLength: length },
        vat,
        indices: { ...indices, type: wide ? 'uint32' : 'uint16', count: contents.indices.length },
        uvs,
        albedo,
        extras,
    };
    return joinChunks(MAGIC, VERSION, json, [lists.vat, lists.indices, lists.uvs, lists.albedo]);
}

/** @throws Error for bytes that are not in this container. */
export function checkVat(bytes: Uint8Array): void {
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const wordAt = (at: number) => words.getUint32(at, true);
    const length = wordAt(12);
    const isWhole = wordAt(0) === MAGIC && wordAt(4) === VERSION && wordAt(8) === bytes.byteLength;
    if (!isWhole || wordAt(16) !== CHUNK_JSON || wordAt(20 + length) !== bytes.byteLength - 28 - length) {
        throw new Error('no PVAT');
    }
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(20, 20 + length)));
    if (json?.version !== VERSION) throw new Error('another version');
}

function wordsOf(list: Uint32Array): Uint8Array {
    const bytes = Buffer.alloc(list.length * 4);
    for (const [i, word] of list.entries()) bytes.writeUInt32LE(word, i * 4);
    return bytes;
}
