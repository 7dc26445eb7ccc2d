// SPDX-License-Identifier: MIT

import type { BufferData } from './buffers';
import { fail, invalid, type Report } from './reading';
import type { View } from './validate/views';

/** The reason why compressed data is not decoded. Without WebAssembly, the decoders' packages fail without naming it. */
export const NO_WEBASSEMBLY =
    'the decoder of this compression needs WebAssembly, which this process does not have (node --jitless switches it off)';

/** The used part of `MeshoptDecoder`, as the packages meshoptimizer and three export it. */
export interface MeshoptDecoder {
    /** Awaited before the first call. */
    readonly ready: Promise<void>;
    /** `false` without WebAssembly. The packages then export nothing else. */
    readonly supported?: boolean;
    /**
     * Expands one buffer view of `EXT_meshopt_compression`.
     *
     * @param target The result, `count × size` bytes.
     * @param count Number of elements.
     * @param size Bytes of an element.
     * @param source The compressed bytes.
     * @param mode `ATTRIBUTES`, `TRIANGLES` or `INDICES`.
     * @param filter `NONE`, `OCTAHEDRAL`, `QUATERNION` or `EXPONENTIAL`. Default: `NONE`.
     * @throws Error The bytes are not a valid stream. The file is then rejected, with this error as the cause.
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
