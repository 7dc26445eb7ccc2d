// SPDX-License-Identifier: MIT

/** A reader of PlayCanvas's vertex animation textures, written only from docs/format.md. */

export interface Vat {
    // biome-ignore lint/suspicious/noExplicitAny: a file's JSON
    readonly json: any;
    readonly indices: readonly number[];
    readonly uvs: readonly number[];
    readonly image: Buffer | null;
    /** x, y, z of a vertex in a row. */
    position(vertex: number, row: number): number[];
    /** Unit normal of a vertex in a row. */
    normal(vertex: number, row: number): number[];
}

export function readVat(bytes: Uint8Array): Vat {
    const file = Buffer.from(bytes);
    expect(file.toString('latin1', 0, 4)).toBe('PVAT');
    expect([file.readUInt32LE(4), file.readUInt32LE(8)]).toEqual([1, file.length]);
    const jsonLength = file.readUInt32LE(12);
    expect(file.toString('latin1', 16, 20)).toBe('JSON');
    const json = JSON.parse(file.toString('utf8', 20, 20 + jsonLength));
    const start = 20 + jsonLength + 8;
    expect([jsonLength % 4, file.toString('latin1', start - 4, start)]).toEqual([0, 'BIN\0']);
    expect(file.readUInt32LE(start - 8)).toBe(json.binary.byteLength);
    expect(file.length).toBe(start + json.binary.byteLength);
    const part = ({ byteOffset, byteLength }: { byteOffset: number; byteLength: number }) => {
        expect(byteOffset % 4).toBe(0);
        expect(byteOffset + byteLength).toBeLessThanOrEqual(json.binary.byteLength);
        return file.subarray(start + byteOffset, start + byteOffset + byteLength);
    };
    const { width, height } = json.texture;
    const vat = part(json.vat);
    expect([Math.log2(width) % 1, Math.max(width, height) <= 4096, vat.length]).toEqual([0, true, width * height * 8]);
    const words = (vertex: number, row: number) => {
        const at = (vertex * json.frameCount + row) * 8;
        return [0, 2, 4, 6].map((offset) => vat.readUInt16LE(at + offset));
    };
    const indices = part(json.indices);
    const size = json.indices.type === 'uint32' ? 4 : 2;
    const uvs = part(json.uvs);
    return {
        json,
        indices: Array.from({ length: json.indices.count }, (_, i) => indices.readUIntLE(i * size, size)),
        uvs: Array.from({ length: json.vertexCount * 2 }, (_, i) => uvs.readFloatLE(i * 4)),
        image: json.albedo === undefined ? null : part(json.albedo),
        position(vertex, row) {
            const { min, max } = json.bounds;
            return words(vertex, row)
                .slice(0, 3)
                .map((word, axis) => min[axis] + (word / 65535) * (max[axis] - min[axis]));
        },
        normal(vertex, row) {
            const word = words(vertex, row)[3]!;
            const [u, v] = [((word & 255) / 255) * 2 - 1, ((word >> 8) / 255) * 2 - 1] as const;
            const z = 1 - Math.abs(u) - Math.abs(v);
            const fold = Math.max(-z, 0);
            const n = [u - (u < 0 ? -fold : fold), v - (v < 0 ? -fold : fold), z];
            const length = Math.hypot(...n);
            return n.map((x) => x / length);
        },
    };
}
