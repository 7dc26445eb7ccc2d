// SPDX-License-Identifier: MIT

import { InputError } from '../errors';
import { hasWebAssembly, NO_WEBASSEMBLY } from '../webassembly';
import { type GltfFile, refuse } from './gltf-file';
import type { GltfBufferView, GltfPrimitive, MeshoptView } from './gltf-json';
import { memberOf } from './shape';

/** Decodes what raw reading cannot: meshopt's views, when they are used, and Draco's attributes, with the codecs' own decoders. */
export async function decompress(file: GltfFile): Promise<GltfFile> {
    await decodeMeshopt(file);
    await decodeDraco(file);
    return file;
}

function needWebAssembly(file: GltfFile, pointer: string): void {
    if (hasWebAssembly()) return;
    throw new InputError('EXTENSION_UNSUPPORTED', file.path, pointer, NO_WEBASSEMBLY);
}

interface MeshoptDecoder {
    readonly ready: Promise<void>;
    decodeGltfBuffer(
        target: Uint8Array,
        count: number,
        size: number,
        source: Uint8Array,
        mode: string,
        filter?: string,
    ): void;
}

async function decodeMeshopt(file: GltfFile): Promise<void> {
    const views = file.json.bufferViews ?? [];
    if (!views.some((view) => meshoptOf(view) !== undefined)) return;
    const decoder = require('meshoptimizer/decoder.cjs') as MeshoptDecoder;
    await decoder.ready;
    const expanded = new Map<number, Buffer>();
    file.decoded.expand = (index) => {
        const meshopt = meshoptOf(views[index]);
        let bytes = expanded.get(index);
        if (meshopt === undefined || bytes !== undefined) return bytes;
        const pointer = `/bufferViews/${index}`;
        needWebAssembly(file, pointer);
        bytes = expand(file, pointer, meshopt, decoder);
        expanded.set(index, bytes);
        return bytes;
    };
}

function meshoptOf(view: GltfBufferView | undefined): MeshoptView | undefined {
    return view?.extensions?.EXT_meshopt_compression ?? view?.extensions?.KHR_meshopt_compression;
}

function expand(file: GltfFile, pointer: string, meshopt: MeshoptView, decoder: MeshoptDecoder): Buffer {
    const { byteOffset = 0, byteLength, byteStride, count, mode, filter } = meshopt;
    const source = file.buffers[meshopt.buffer]?.subarray(byteOffset, byteOffset + byteLength);
    if (source === undefined) refuse(file.path, pointer, `buffer ${meshopt.buffer} has no data`);
    // The decoder, which is WebAssembly, needs as much again.
    file.take(2 * count * byteStride, pointer);
    const target = Buffer.alloc(count * byteStride);
    try {
        decoder.decodeGltfBuffer(target, count, byteStride, source, mode, filter);
    } catch (cause) {
        refuse(file.path, pointer, `not a valid stream of meshopt's mode ${mode}`, cause);
    }
    return target;
}

// biome-ignore lint/suspicious/noExplicitAny: the package has no types.
type Draco = any;

interface Component {
    /** The name of the decoder's type. */
    readonly type: string;
    readonly Numbers:
        | typeof Int8Array
        | typeof Uint8Array
        | typeof Int16Array
        | typeof Uint16Array
        | typeof Uint32Array
        | typeof Float32Array;
}

/** Section 3.6.2.2 */
const COMPONENTS: Readonly<Record<number, Component>> = {
    5120: { type: 'DT_INT8', Numbers: Int8Array },
    5121: { type: 'DT_UINT8', Numbers: Uint8Array },
    5122: { type: 'DT_INT16', Numbers: Int16Array },
    5123: { type: 'DT_UINT16', Numbers: Uint16Array },
    5125: { type: 'DT_UINT32', Numbers: Uint32Array },
    5126: { type: 'DT_FLOAT32', Numbers: Float32Array },
};

async function decodeDraco(file: GltfFile): Promise<void> {
    let draco: Draco = null;
    const needed = skinnedPrimitives(file);
    for (const { primitive, pointer } of needed) {
        const extension = primitive.extensions?.KHR_draco_mesh_compression;
        if (extension === undefined) continue;
        draco ??= await dracoModule(file, pointer);
        const view = file.json.bufferViews?.[extension.bufferView];
        const data = view && file.buffers[view.buffer]?.subarray(view.byteOffset ?? 0).subarray(0, view.byteLength);
        if (!data) refuse(file.path, pointer, 'the compressed data is missing');
        const decoder = new draco.Decoder();
        const buffer = new draco.DecoderBuffer();
        const mesh = new draco.Mesh();
        try {
            buffer.Init(new Int8Array(data), data.length);
            if (!decoder.DecodeBufferToMesh(buffer, mesh).ok()) refuse(file.path, pointer, 'not a valid Draco stream');
            for (const [semantic, id] of Object.entries(extension.attributes)) {
                const accessor = memberOf(primitive.attributes, semantic);
                if (accessor === undefined || file.decoded.accessors.has(accessor)) continue;
                const { count, componentType } = file.json.accessors?.[accessor] ?? {};
                if (mesh.num_points() !== count) {
                    const rule = `the compressed data has ${mesh.num_points()} elements, not ${count}`;
                    refuse(file.path, `/accessors/${accessor}/count`, rule);
                }
                const component = COMPONENTS[componentType!];
                if (component === undefined) {
                    refuse(file.path, `/accessors/${accessor}/componentType`, `${componentType} is none (3.6.2.2)`);
                }
                const take = (bytes: number) => file.take(bytes, pointer);
                const values = attributeOf(draco, decoder, mesh, id, component, take);
                if (values === null) refuse(file.path, pointer, `attribute ${id} has other numbers than its type`);
                file.decoded.accessors.set(accessor, values);
            }
        } finally {
            for (const object of [mesh, buffer, decoder]) draco.destroy(object);
        }
    }
}

function* skinnedPrimitives({ json }: GltfFile): Generator<{ primitive: GltfPrimitive; pointer: string }> {
    const meshes = new Set((json.nodes ?? []).filter(({ skin }) => skin !== undefined).map(({ mesh }) => mesh));
    for (const mesh of meshes) {
        if (mesh === undefined) continue;
        for (const [index, primitive] of (json.meshes?.[mesh]?.primitives ?? []).entries()) {
            yield { primitive, pointer: `/meshes/${mesh}/primitives/${index}` };
        }
    }
}

async function dracoModule(file: GltfFile, pointer: string): Promise<Draco> {
    needWebAssembly(file, pointer);
    try {
        return await require('draco3dgltf').createDecoderModule();
    } catch (cause) {
        const rule = 'KHR_draco_mesh_compression needs the optional package draco3dgltf: npm install draco3dgltf';
        throw new InputError('EXTENSION_UNSUPPORTED', file.path, pointer, rule, { cause });
    }
}

/**
 * As the accessor's component type has them; integers are normalised later like all others. Null: there is one that the type does not
 * have.
 */
function attributeOf(
    draco: Draco,
    decoder: Draco,
    mesh: Draco,
    id: number,
    { type, Numbers }: Component,
    take: (bytes: number) => void,
): Float64Array | null {
    const attribute = decoder.GetAttributeByUniqueId(mesh, id);
    const length = mesh.num_points() * attribute.num_components();
    const bytes = length * Numbers.BYTES_PER_ELEMENT;
    take(bytes + length * 8);
    const pointer = draco._malloc(bytes);
    try {
        if (!decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco[type], bytes, pointer)) return null;
        // Decoding may have moved the heap.
        return Float64Array.from(new Numbers(draco.HEAPU8.buffer, pointer, length));
    } finally {
        draco._free(pointer);
    }
}
