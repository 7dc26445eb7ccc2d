// SPDX-License-Identifier: MIT

import type { GLTF } from '@gltf-transform/core';
import type { BufferData } from './buffers';
import type { AccessorInfo } from './validate/accessors';
import type { View } from './validate/view';

export const MESHOPT = 'EXT_meshopt_compression';
export const DRACO = 'KHR_draco_mesh_compression';

/** The names under which decoded accessors are found again, whatever order glTF-Transform keeps them in. */
export const nameOfValues = (info: AccessorInfo) => String(info.index);
export const nameOfSparseIndices = (info: AccessorInfo) => `${info.index}/sparse`;

/**
 * The least JSON that makes glTF-Transform decode the accessors: no nodes (a million of them would cost it 18 s
 * and 2.4 GB), no buffer view that nothing needs, and every accessor under a name that tells which it is.
 */
export class ReducedGltf {
    readonly json: GLTF.IGLTF = { asset: { version: '2.0' }, buffers: [], bufferViews: [], accessors: [] };
    readonly resources: Record<string, Uint8Array<ArrayBuffer>> = {};
    /** The meshopt-compressed views, in the order in which they stand in the JSON. */
    readonly compressed: View[] = [];
    private readonly buffers = new Map<number, number>();
    private readonly views = new Map<number, number>();
    private readonly accessors = new Map<AccessorInfo, number>();

    constructor(private readonly data: readonly BufferData[]) {}

    private buffer(index: number): number {
        let reduced = this.buffers.get(index);
        if (reduced === undefined) {
            reduced = this.buffers.size;
            this.buffers.set(index, reduced);
            const bytes = this.data[index]!;
            const uri = `buffer${reduced}`;
            this.json.buffers!.push({ uri, byteLength: bytes.length });
            // glTF-Transform slices the ArrayBuffer below, which must not be a shared one.
            const shared = !(bytes.buffer instanceof ArrayBuffer);
            this.resources[uri] = shared ? new Uint8Array(bytes) : (bytes as Uint8Array<ArrayBuffer>);
        }
        return reduced;
    }

    private view(view: View): number {
        let reduced = this.views.get(view.index);
        if (reduced === undefined) {
            reduced = this.views.size;
            this.views.set(view.index, reduced);
            const { byteOffset, byteStride, byteLength, storedLength, meshopt } = view;
            const buffer = this.buffer(view.buffer);
            const json: GLTF.IBufferView = { buffer, byteOffset, byteLength, byteStride };
            if (meshopt !== null) {
                // glTF-Transform 4.5 knows EXT_ alone; KHR_ has the same properties, and its newer bitstream and
                // filter are the decoder's business.
                json.extensions = { [MESHOPT]: { ...meshopt, buffer, byteOffset, byteLength: storedLength } };
                this.compressed.push(view);
            }
            this.json.bufferViews!.push(json);
        }
        return reduced;
    }

    accessor(info: AccessorInfo): number {
        let reduced = this.accessors.get(info);
        if (reduced === undefined) {
            reduced = this.json.accessors!.length;
            this.accessors.set(info, reduced);
            const { componentType, count, normalized, byteOffset, view, sparse } = info;
            const name = nameOfValues(info);
            const type = info.type as GLTF.AccessorType;
            const component = componentType as GLTF.AccessorComponentType;
            const json: GLTF.IAccessor = { name, type, componentType: component, count, normalized };
            if (view !== null) Object.assign(json, { bufferView: this.view(view), byteOffset });
            this.json.accessors!.push(json);
            if (sparse !== null) {
                // Offsets are always written: where one is absent, glTF-Transform 4.5 takes the accessor's instead.
                const indices = {
                    bufferView: this.view(sparse.indices.view),
                    byteOffset: sparse.indices.byteOffset,
                    componentType: sparse.indices.componentType as GLTF.AccessorComponentType,
                };
                const values = { bufferView: this.view(sparse.values.view), byteOffset: sparse.values.byteOffset };
                json.sparse = { count: sparse.count, indices, values } as GLTF.IAccessor['sparse'];
                // The indices once more, as an accessor that can be looked into: glTF-Transform drops those out of range.
                const alone = {
                    name: nameOfSparseIndices(info),
                    type: 'SCALAR' as const,
                    count: sparse.count,
                    ...indices,
                };
                this.json.accessors!.push(alone);
            }
        }
        return reduced;
    }
}
