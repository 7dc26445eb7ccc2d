// SPDX-License-Identifier: MIT

/** Decoding of meshopt's buffer views by a decoder that the caller brings; all else as without it. */

import { NO_WEBASSEMBLY } from '../webassembly';
import type { BufferData } from './buffers';
import { type Decoded, decodePlain } from './decode-plain';
import type { DecodeAccessors } from './read-scene';
import { fail, invalid, type Report } from './report';
import type { AccessorInfo } from './validate/accessors';
import type { View } from './validate/view';

/** What is used of `MeshoptDecoder`, as the packages meshoptimizer and three export it. */
export interface MeshoptDecoder {
    /** Waited for before the first call. */
    readonly ready: Promise<void>;
    /** `false` where there is no WebAssembly: the packages then export nothing else. */
    readonly supported?: boolean;
    /**
     * Expands one buffer view of `EXT_meshopt_compression`.
     *
     * @param target The result, `count × size` bytes.
     * @param count Elements.
     * @param size Bytes of an element.
     * @param source The compressed bytes.
     * @param mode `ATTRIBUTES`, `TRIANGLES` or `INDICES`.
     * @param filter `NONE`, `OCTAHEDRAL`, `QUATERNION` or `EXPONENTIAL`; `NONE` where it is missing.
     * @throws Error The bytes are no such stream; the file is then refused, with this as the cause.
     */
    decodeGltfBuffer(
        target: Uint8Array,
        count: number,
        size: number,
        source: Uint8Array,
        mode: string,
        filter?: string,
    ): void;
}

function decode(decoder: MeshoptDecoder, view: View, data: readonly BufferData[], report: Report): Uint8Array {
    if (decoder.supported === false) fail(report, 'EXTENSION_UNSUPPORTED', view.pointer, NO_WEBASSEMBLY);
    const { count, byteStride, mode, filter } = view.meshopt!;
    const source = data[view.buffer]!.subarray(view.byteOffset, view.byteOffset + view.storedLength);
    const target = new Uint8Array(view.byteLength);
    try {
        decoder.decodeGltfBuffer(target, count, byteStride, source, mode, filter);
    } catch (cause) {
        invalid(report, view.pointer, `the data is not a valid stream of meshopt's mode ${mode}`, cause);
    }
    return target;
}

/** Each compressed view becomes an ordinary one of a buffer of its own. */
export function decodeWithMeshopt(decoder: MeshoptDecoder): DecodeAccessors {
    return async (infos, primitives, data, report): Promise<Decoded> => {
        await decoder.ready;
        const buffers = [...data];
        const opened = new Map<View, View>();
        const open = (view: View): View => {
            if (view.meshopt === null) return view;
            let plain = opened.get(view);
            if (plain === undefined) {
                const buffer = buffers.push(decode(decoder, view, data, report)) - 1;
                plain = { ...view, meshopt: null, buffer, byteOffset: 0, storedLength: view.byteLength };
                opened.set(view, plain);
            }
            return plain;
        };
        const plain = new Map<AccessorInfo, AccessorInfo>();
        for (const info of new Set(infos)) {
            const { view, sparse } = info;
            const parts = sparse && {
                ...sparse,
                indices: { ...sparse.indices, view: open(sparse.indices.view) },
                values: { ...sparse.values, view: open(sparse.values.view) },
            };
            plain.set(info, { ...info, view: view && open(view), sparse: parts });
        }
        const decoded = await decodePlain(plain.values(), primitives, buffers, report);
        return {
            floats: (info) => decoded.floats(plain.get(info)!),
            unsignedShorts: (info) => decoded.unsignedShorts(plain.get(info)!),
        };
    };
}
