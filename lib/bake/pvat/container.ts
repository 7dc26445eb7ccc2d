// SPDX-License-Identifier: MIT

/** The container of PVAT: a header, a JSON chunk, a binary chunk (docs/format.md). */

import { CHUNK_JSON, joinChunks, padded } from '../../base/glb';
import { toLittleEndian } from '../rows/floats';

const MAGIC = 0x54415650;
const VERSION = 1;
/** Maximum width and height of a texture. */
const LIMIT = 4096;
/** The maximum of vertices times rows. */
export const MAX_TEXELS = LIMIT * LIMIT;

/** One clip: rows `frameStart` to `frameStart + frameCount`, inclusive. */
export interface PvatAnimation {
    readonly name: string;
    readonly frameStart: number;
    /** Number of intervals between rows, all of equal length. */
    readonly frameCount: number;
    /** Seconds, above 0. */
    readonly duration: number;
}

/** Contents of a file. */
export interface PvatContents {
    readonly fps: number;
    readonly animations: readonly PvatAnimation[];
    readonly vertexCount: number;
    /** Rows of all animations. */
    readonly rows: number;
    /** Minimum x, y, z, then maximum. Positions are stored relative to it. */
    readonly box: ArrayLike<number>;
    /** `[vertex][row][4]`: x, y, z, and the normal. Padded to {@link texelsOf} elements. */
    readonly texels: Uint16Array;
    readonly indices: Uint32Array;
    /** `[vertex][2]` */
    readonly uvs: Float32Array;
    readonly image: PvatImage | null;
    /** Further data, which readers of PVAT ignore. */
    readonly extras: object;
}

export interface PvatImage {
    readonly mimeType: string;
    readonly bytes: Uint8Array;
}

/** Size of the texture for at most {@link MAX_TEXELS} texels. The width is a power of two. */
export function textureSize(texels: number): { width: number; height: number } {
    let width = 1;
    while (width < texels && width < LIMIT) width *= 2;
    return { width, height: Math.ceil(texels / width) };
}

export function writeContainer(contents: PvatContents): Uint8Array {
    const { fps, animations, vertexCount, rows, box, image, extras } = contents;
    // Index 65,535 starts a new strip in WebGL.
    const wide = vertexCount > 65535;
    const lists = {
        vat: toLittleEndian(contents.texels),
        indices: toLittleEndian(wide ? contents.indices.slice() : Uint16Array.from(contents.indices)),
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

/** @throws Error for bytes that are not a valid container. */
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
