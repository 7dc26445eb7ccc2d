// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Reading a glTF 2.0 file for the oracle: container, buffers, accessors, straight from the specification
 * (sections 3.6 and 4). Shares nothing with lib/, so that a misreading there cannot hide here. Trusts its input:
 * it judges good files only.
 */

export interface GltfJson {
    readonly nodes?: readonly GltfNode[];
    readonly skins?: readonly GltfSkin[];
    readonly meshes?: readonly GltfMesh[];
    readonly animations?: readonly GltfAnimation[];
    readonly accessors?: readonly GltfAccessor[];
    readonly bufferViews?: readonly GltfBufferView[];
    readonly buffers?: readonly { uri?: string; byteLength: number }[];
}

export interface GltfMesh {
    readonly primitives: readonly GltfPrimitive[];
    readonly weights?: readonly number[];
}

export interface GltfPrimitive {
    readonly attributes: Readonly<Record<string, number>>;
    readonly targets?: readonly Readonly<Record<string, number>>[];
}

export interface GltfNode {
    readonly name?: string;
    readonly children?: readonly number[];
    readonly matrix?: readonly number[];
    readonly translation?: readonly number[];
    readonly rotation?: readonly number[];
    readonly scale?: readonly number[];
    readonly mesh?: number;
    readonly skin?: number;
    readonly weights?: readonly number[];
}

export interface GltfSkin {
    readonly joints: readonly number[];
    readonly inverseBindMatrices?: number;
    readonly skeleton?: number;
}

export interface GltfAnimation {
    readonly name?: string;
    readonly channels: readonly { sampler: number; target: GltfTarget }[];
    readonly samplers: readonly { input: number; output: number; interpolation?: string }[];
}

export interface GltfTarget {
    readonly node?: number;
    readonly path: string;
    readonly extensions?: { readonly KHR_animation_pointer?: { readonly pointer: string } };
}

interface GltfAccessor {
    readonly bufferView?: number;
    readonly byteOffset?: number;
    readonly componentType: number;
    readonly normalized?: boolean;
    readonly count: number;
    readonly type: string;
    readonly sparse?: {
        count: number;
        indices: { bufferView: number; byteOffset?: number; componentType: number };
        values: { bufferView: number; byteOffset?: number };
    };
}

interface GltfBufferView {
    readonly buffer: number;
    readonly byteOffset?: number;
    readonly byteLength: number;
    readonly byteStride?: number;
}

export interface GltfFile {
    readonly json: GltfJson;
    readonly buffers: readonly Buffer[];
}

const MAGIC = 0x46546c67;
const CHUNK_BIN = 0x004e4942;

/** Reads a .glb or a .gltf with whatever buffers it names. */
export function readGltfFile(path: string): GltfFile {
    const bytes = readFileSync(path);
    if (bytes.readUInt32LE(0) !== MAGIC) {
        const json = JSON.parse(bytes.toString('utf8')) as GltfJson;
        return { json, buffers: loadBuffers(json, path, undefined) };
    }
    const jsonLength = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.toString('utf8', 20, 20 + jsonLength)) as GltfJson;
    const next = 20 + jsonLength;
    let bin: Buffer | undefined;
    if (next + 8 <= bytes.length && bytes.readUInt32LE(next + 4) === CHUNK_BIN) {
        bin = bytes.subarray(next + 8, next + 8 + bytes.readUInt32LE(next));
    }
    return { json, buffers: loadBuffers(json, path, bin) };
}

function loadBuffers(json: GltfJson, path: string, bin: Buffer | undefined): Buffer[] {
    return (json.buffers ?? []).map(({ uri }, index) => {
        if (uri === undefined) {
            if (bin === undefined) throw new Error(`buffer ${index} has neither a URI nor a BIN chunk`);
            return bin;
        }
        if (uri.startsWith('data:')) return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
        return readFileSync(join(dirname(path), decodeURIComponent(uri)));
    });
}

const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

interface ComponentReader {
    readonly bytes: number;
    /** The normalised value is max(c / greatest, -1), section 3.11. */
    readonly greatest: number;
    read(buffer: Buffer, offset: number): number;
}

const READERS: Readonly<Record<number, ComponentReader>> = {
    5120: { bytes: 1, greatest: 127, read: (buffer, offset) => buffer.readInt8(offset) },
    5121: { bytes: 1, greatest: 255, read: (buffer, offset) => buffer.readUInt8(offset) },
    5122: { bytes: 2, greatest: 32767, read: (buffer, offset) => buffer.readInt16LE(offset) },
    5123: { bytes: 2, greatest: 65535, read: (buffer, offset) => buffer.readUInt16LE(offset) },
    5125: { bytes: 4, greatest: 1, read: (buffer, offset) => buffer.readUInt32LE(offset) },
    5126: { bytes: 4, greatest: 1, read: (buffer, offset) => buffer.readFloatLE(offset) },
};

/** All elements of an accessor as doubles, tightly packed: integers normalised where it says so, sparse applied. */
export function decodeAccessor(file: GltfFile, index: number): Float64Array {
    const accessor = file.json.accessors![index]!;
    const width = COMPONENTS[accessor.type]!;
    const reader = READERS[accessor.componentType]!;
    const values = new Float64Array(accessor.count * width);
    if (accessor.bufferView !== undefined) {
        const base = accessor.byteOffset ?? 0;
        readElements(file, accessor.bufferView, base, reader, accessor.count, width, values);
    }
    if (accessor.sparse !== undefined) {
        const { count, indices, values: replaced } = accessor.sparse;
        const where = new Float64Array(count);
        const what = new Float64Array(count * width);
        const indexReader = READERS[indices.componentType]!;
        readElements(file, indices.bufferView, indices.byteOffset ?? 0, indexReader, count, 1, where);
        readElements(file, replaced.bufferView, replaced.byteOffset ?? 0, reader, count, width, what);
        for (let k = 0; k < count; k++) values.set(what.subarray(k * width, (k + 1) * width), where[k]! * width);
    }
    if (accessor.normalized) {
        for (let k = 0; k < values.length; k++) values[k] = Math.max(values[k]! / reader.greatest, -1);
    }
    return values;
}

function readElements(
    file: GltfFile,
    viewIndex: number,
    byteOffset: number,
    reader: ComponentReader,
    count: number,
    width: number,
    into: Float64Array,
): void {
    const view = file.json.bufferViews![viewIndex]!;
    const buffer = file.buffers[view.buffer]!;
    const stride = view.byteStride ?? reader.bytes * width;
    for (let element = 0; element < count; element++) {
        const start = (view.byteOffset ?? 0) + byteOffset + element * stride;
        for (let c = 0; c < width; c++) into[element * width + c] = reader.read(buffer, start + c * reader.bytes);
    }
}
