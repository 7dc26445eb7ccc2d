// SPDX-License-Identifier: MIT

/** The content of a file without the keys of some channels. Data of accessors and buffer views replaces their indexes. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LooseJson } from '../../gltf/support/builder';

const SIZES: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const WIDTHS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

/** The JSON of a file, and the data of its buffers; null for missing data. */
export function partsOf(path: string): { json: LooseJson; buffers: (Buffer | null)[] } {
    const bytes = readFileSync(path);
    const isGlb = bytes.readUInt32LE(0) === 0x46546c67;
    const end = isGlb ? 20 + bytes.readUInt32LE(12) : bytes.length;
    const json = JSON.parse(bytes.toString('utf8', isGlb ? 20 : 0, end));
    const buffers = (json.buffers ?? []).map(({ uri }: { uri?: string }, i: number) =>
        uri === undefined ? (isGlb && i === 0 ? bytes.subarray(end + 8) : null) : besideOf(path, uri),
    );
    return { json, buffers };
}

/** The hash, for longer data. */
function short(bytes: Buffer): string {
    return bytes.length <= 64 ? bytes.toString('hex') : createHash('sha256').update(bytes).digest('hex');
}

function besideOf(path: string, uri: string): Buffer | null {
    if (uri.startsWith('data:')) return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    const beside = join(dirname(path), decodeURIComponent(uri));
    return existsSync(beside) ? readFileSync(beside) : null;
}

/**
 * @param keys Pointers of the channels whose keys are left out. Their targets, and the extras of their samplers, are kept.
 * @param removed Channels that are left out.
 */
export function everythingElse(
    path: string,
    keys: ReadonlySet<string>,
    removed: ReadonlySet<string> = new Set(),
): LooseJson {
    const { json, buffers } = partsOf(path);

    const bytesAt = ({ buffer, byteOffset = 0 }: LooseJson, from: number, length: number): string =>
        short(buffers[buffer]!.subarray(byteOffset + from, byteOffset + from + length));
    const nameOf = ({ buffer: _, byteOffset: __, byteLength: ___, ...rest }: LooseJson) => rest;
    /** The whole view. */
    const view = (index: number): LooseJson => {
        const own = json.bufferViews[index];
        const name = MESHOPT.find((extension) => own.extensions?.[extension] !== undefined);
        if (name === undefined) return { ...nameOf(own), bytes: bytesAt(own, 0, own.byteLength) };
        const { [name]: meshopt, ...extensions } = own.extensions;
        const compressed = { ...nameOf(meshopt), bytes: bytesAt(meshopt, 0, meshopt.byteLength) };
        return { ...nameOf(own), extensions: { ...extensions, [name]: compressed }, byteLength: own.byteLength };
    };
    /** The accessor's part of a view. */
    const elements = (index: number, byteOffset: number, count: number, size: number): LooseJson => {
        const own = json.bufferViews[index];
        if (own.extensions !== undefined) return { ...view(index), byteOffset };
        const stride = own.byteStride ?? size;
        const list = Array.from({ length: count }, (_, i) => bytesAt(own, byteOffset + i * stride, size));
        return { ...nameOf(own), list };
    };
    const accessor = (index: number): LooseJson => {
        const { bufferView, byteOffset = 0, sparse, ...rest } = json.accessors[index];
        const size = SIZES[rest.componentType]! * WIDTHS[rest.type]!;
        const data = bufferView === undefined ? undefined : elements(bufferView, byteOffset, rest.count, size);
        if (sparse === undefined) return { ...rest, data };
        const { count, indices, values } = sparse;
        const part = ({ bufferView: v, byteOffset: at = 0, ...more }: LooseJson, bytes: number) => ({
            ...more,
            data: elements(v, at, count, bytes),
        });
        const replaced = { count, indices: part(indices, SIZES[indices.componentType]!), values: part(values, size) };
        return { ...rest, data, sparse: replaced };
    };
    const each = (owner: LooseJson, replace: (index: number) => LooseJson, keys = Object.keys(owner ?? {})) => {
        for (const key of keys) if (typeof owner?.[key] === 'number') owner[key] = replace(owner[key]);
    };

    for (const { primitives } of json.meshes ?? []) {
        for (const primitive of primitives) {
            each(primitive, accessor, ['indices']);
            each(primitive.attributes, accessor);
            for (const target of primitive.targets ?? []) each(target, accessor);
            each(primitive.extensions?.KHR_draco_mesh_compression, view, ['bufferView']);
        }
    }
    for (const node of json.nodes ?? []) each(node.extensions?.EXT_mesh_gpu_instancing?.attributes, accessor);
    for (const skin of json.skins ?? []) each(skin, accessor, ['inverseBindMatrices']);
    for (const table of json.extensions?.EXT_structural_metadata?.propertyTables ?? []) {
        for (const property of Object.values(table.properties)) each(property, view, ['values', 'arrayOffsets']);
    }
    for (const image of json.images ?? []) {
        const beside = image.uri === undefined ? null : besideOf(path, image.uri);
        if (beside !== null) image.bytes = short(beside);
        else if (image.bufferView !== undefined) image.bytes = view(image.bufferView).bytes;
        if (image.bytes === undefined) continue;
        for (const key of ['uri', 'bufferView', 'mimeType']) delete image[key];
    }
    for (const [a, animation] of (json.animations ?? []).entries()) {
        animation.channels = animation.channels.flatMap((channel: LooseJson, c: number) => {
            const pointer = `/animations/${a}/channels/${c}`;
            if (removed.has(pointer)) return [];
            const { input, output, interpolation = 'LINEAR', ...rest } = animation.samplers[channel.sampler];
            const own = keys.has(pointer) ? {} : { interpolation, input: accessor(input), output: accessor(output) };
            return [{ ...channel, sampler: { ...rest, ...own } }];
        });
        delete animation.samplers;
    }
    for (const list of ['accessors', 'bufferViews', 'buffers']) delete json[list];
    for (const list of ['extensionsUsed', 'extensionsRequired']) {
        json[list] = (json[list] ?? []).filter((name: string) => !MESHOPT.includes(name));
    }
    return json;
}
