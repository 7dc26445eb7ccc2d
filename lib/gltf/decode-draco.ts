// SPDX-License-Identifier: MIT

import type { TypedArray } from '@gltf-transform/core';
import { InputError } from '../errors';
import type { BufferData } from './buffers';
import { invalid, type Report } from './report';
import {
    type AccessorInfo,
    BYTE,
    FLOAT,
    SHORT,
    UNSIGNED_BYTE,
    UNSIGNED_INT,
    UNSIGNED_SHORT,
} from './validate/accessors';
import type { Draco } from './validate/meshes';

const DRACO = 'KHR_draco_mesh_compression';

/** What is used of the module that draco3dgltf makes. Its objects are in its own memory until they are destroyed. */
export interface DracoModule {
    readonly Decoder: new () => DracoDecoder;
    readonly DecoderBuffer: new () => { Init(data: Uint8Array, length: number): void };
    readonly Mesh: new () => { num_points(): number };
    readonly TRIANGULAR_MESH: number;
    /** Its memory, which may be another one after each call. */
    readonly HEAPF32: Float32Array;
    destroy(object: object): void;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
}

interface DracoDecoder {
    GetEncodedGeometryType(buffer: object): number;
    DecodeBufferToMesh(buffer: object, mesh: object): { ok(): boolean };
    GetAttributeByUniqueId(mesh: object, id: number): { readonly ptr: number; num_components(): number };
    GetAttributeDataArrayForAllPoints(
        mesh: object,
        attribute: object,
        type: number,
        bytes: number,
        to: number,
    ): boolean;
}

type Components = {
    readonly BYTES_PER_ELEMENT: number;
    new (buffer: ArrayBufferLike, byteOffset: number, length: number): TypedArray;
};

/** Draco's names of the types, which are numbers of the module. */
const TYPES: ReadonlyMap<number, readonly [name: string, Components]> = new Map<number, readonly [string, Components]>([
    [BYTE, ['DT_INT8', Int8Array]],
    [UNSIGNED_BYTE, ['DT_UINT8', Uint8Array]],
    [SHORT, ['DT_INT16', Int16Array]],
    [UNSIGNED_SHORT, ['DT_UINT16', Uint16Array]],
    [UNSIGNED_INT, ['DT_UINT32', Uint32Array]],
    [FLOAT, ['DT_FLOAT32', Float32Array]],
]);

/**
 * What a stream has for its accessors, in the type that each of them states. A stream can have any number of points, so it is
 * held against the accessors before a number is taken out of it.
 */
export function decodeStream(
    module: DracoModule,
    { view, pointer, ids }: Draco,
    data: readonly BufferData[],
    report: Report,
): Map<AccessorInfo, TypedArray> {
    const bytes = data[view.buffer]!.subarray(view.byteOffset, view.byteOffset + view.storedLength);
    const decoder = new module.Decoder();
    const buffer = new module.DecoderBuffer();
    const mesh = new module.Mesh();
    const notValid = `the data is not a valid stream of Draco's (${DRACO})`;
    try {
        buffer.Init(bytes, bytes.length);
        const isMesh = decoder.GetEncodedGeometryType(buffer) === module.TRIANGULAR_MESH;
        if (!isMesh || !decoder.DecodeBufferToMesh(buffer, mesh).ok()) invalid(report, pointer, notValid);
        const points = mesh.num_points();
        const attributes = Array.from(ids, ([info, id]) => {
            const attribute = decoder.GetAttributeByUniqueId(mesh, id);
            const length = attribute.ptr === 0 ? 0 : points * attribute.num_components();
            if (length !== info.count * info.width) {
                const rule = `the compressed data has ${length} values, the accessor ${info.count * info.width}`;
                invalid(report, `${info.pointer}/count`, `${rule} (${DRACO})`);
            }
            return { info, attribute };
        });
        return new Map(
            attributes.map(({ info, attribute }) => [info, valuesOf(module, decoder, mesh, attribute, info)]),
        );
    } catch (cause) {
        if (cause instanceof InputError) throw cause;
        // The module has thrown: its memory is at an end, most likely.
        return invalid(report, pointer, notValid, cause);
    } finally {
        for (const object of [mesh, buffer, decoder]) module.destroy(object);
    }
}

function valuesOf(
    module: DracoModule,
    decoder: DracoDecoder,
    mesh: object,
    attribute: object,
    { componentType, count, width }: AccessorInfo,
): TypedArray {
    const [name, Components] = TYPES.get(componentType)!;
    const type = (module as unknown as Record<string, number>)[name]!;
    const length = count * width;
    const bytes = length * Components.BYTES_PER_ELEMENT;
    const at = module._malloc(bytes);
    try {
        // What is left of other decodings lies there, and must not come out as this one's.
        if (!decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, bytes, at)) {
            throw new Error(`attribute has no ${name}`);
        }
        return new Components(module.HEAPF32.buffer, at, length).slice() as TypedArray;
    } finally {
        module._free(at);
    }
}
