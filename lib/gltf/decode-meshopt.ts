// SPDX-License-Identifier: MIT

import { NO_WEBASSEMBLY } from '../webassembly/decoders';
import type { BufferData } from './buffers';
import { fail, invalid, type Report } from './reading';
import type { View } from './validate/views';

/** The part of `MeshoptDecoder` that is used, as the packages meshoptimizer and three export it. */
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

/** The bytes of a view that meshopt has compressed. */
export function expandView(
    decoder: MeshoptDecoder,
    view: View,
    data: readonly BufferData[],
    report: Report,
): Uint8Array {
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
