// SPDX-License-Identifier: MIT

import { cached } from '../base/cached';
import { InputError } from '../base/errors';
import type { BufferData } from './buffers';
import { invalid, type Report } from './reading';
import { type AccessorInfo, COMPONENTS, type TypedArray } from './validate/accessors';
import { DRACO, type Draco } from './validate/meshes';
import { whereStored } from './validate/views';

/** The used part of draco3dgltf's module. Its objects stay in its own memory until they are destroyed. */
export interface DracoModule {
    readonly Decoder: new () => DracoDecoder;
    readonly DecoderBuffer: new () => { Init(data: Uint8Array, length: number): void };
    readonly Mesh: new () => { num_points(): number };
    readonly TRIANGULAR_MESH: number;
    /** Its memory, which any call can replace. */
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

/** Each stream once, with all accessors that it fills. If several streams fill an accessor, the last one counts. */
export function streamsOf(primitives: readonly Draco[]): Draco[] {
    const last = new Map<AccessorInfo, { readonly draco: Draco; readonly id: number }>();
    const done = new Set<string>();
    for (const draco of primitives) {
        const ids = [...draco.ids].map(([{ index }, id]) => [index, id]);
        const key = JSON.stringify([whereStored(draco.view), ids]);
        if (done.has(key)) continue;
        done.add(key);
        for (const [info, id] of draco.ids) last.set(info, { draco, id });
    }
    const streams = new Map<string, Draco & { readonly ids: Map<AccessorInfo, number> }>();
    for (const [info, { draco, id }] of last) {
        const stream = cached(streams, whereStored(draco.view), () => ({ ...draco, ids: new Map() }));
        stream.ids.set(info, id);
    }
    return [...streams.values()];
}

/** The values of a stream for its accessors, in their types. Its points are counted before values are copied. */
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
        // The module has thrown, most likely because its memory is full.
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
    const { Components, draco } = COMPONENTS.get(componentType)!;
    const type = (module as unknown as Record<string, number>)[draco]!;
    const length = count * width;
    const bytes = length * Components.BYTES_PER_ELEMENT;
    const at = module._malloc(bytes);
    try {
        // This memory still holds values of earlier decodings, which must not be mistaken for this one's.
        if (!decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, bytes, at)) {
            throw new Error(`attribute has no ${draco}`);
        }
        return new Components(module.HEAPF32.buffer, at, length).slice();
    } finally {
        module._free(at);
    }
}
