// SPDX-License-Identifier: MIT

/** Decoding without anybody's help: all but compressed data. */

import type { BufferData } from './buffers';
import { createPool, isDense, normalize, readDense } from './dense';
import { fail, invalid, type Report } from './report';
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

/** Decoded accessors. Asking for one that was not among those to decode is a fault of the caller. */
export interface Decoded {
    /** All values as floats, normalized integers included. The same array each time. */
    floats(info: AccessorInfo): Float32Array;
    /** All values as unsigned 16-bit integers. The same array each time. */
    unsignedShorts(info: AccessorInfo): Uint16Array;
}

/** What is known of sparse indices only after decoding. */
export function checkSparseIndices(info: AccessorInfo, indices: ArrayLike<number>, report: Report): void {
    for (let i = 0; i < indices.length; i++) {
        if (indices[i]! < info.count) continue;
        const rule = `index ${i} is ${indices[i]}, the accessor has ${info.count} elements (3.6.2.3)`;
        invalid(report, `${info.pointer}/sparse/indices`, rule);
    }
}

/** Reads a component, and how many bytes it takes. */
const COMPONENTS: ReadonlyMap<number, readonly [bytes: number, read: (view: DataView, at: number) => number]> = new Map(
    [
        [BYTE, [1, (view: DataView, at: number) => view.getInt8(at)]],
        [UNSIGNED_BYTE, [1, (view: DataView, at: number) => view.getUint8(at)]],
        [SHORT, [2, (view: DataView, at: number) => view.getInt16(at, true)]],
        [UNSIGNED_SHORT, [2, (view: DataView, at: number) => view.getUint16(at, true)]],
        [UNSIGNED_INT, [4, (view: DataView, at: number) => view.getUint32(at, true)]],
        [FLOAT, [4, (view: DataView, at: number) => view.getFloat32(at, true)]],
    ],
);

type Place = { readonly view: AccessorInfo['view']; readonly byteOffset: number };

/** Elements one after another, from a view with or without a stride. */
function readElements(
    { view, byteOffset }: Place,
    componentType: number,
    width: number,
    count: number,
    data: readonly BufferData[],
): Float64Array {
    const [size, read] = COMPONENTS.get(componentType)!;
    const bytes = data[view!.buffer]!;
    const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const stride = view!.byteStride ?? size * width;
    const start = view!.byteOffset + byteOffset;
    const values = new Float64Array(count * width);
    for (let i = 0; i < count; i++) {
        for (let c = 0; c < width; c++) values[i * width + c] = read(source, start + i * stride + c * size);
    }
    return values;
}

function readAccessor(info: AccessorInfo, data: readonly BufferData[], report: Report): Float64Array | Float32Array {
    const { view, componentType, normalized, width, count, sparse } = info;
    for (const each of [view, sparse?.indices.view, sparse?.values.view]) {
        if (!each || each.meshopt === null) continue;
        const rule = `meshopt compression needs a decoder: options.decoders of Rig.load, or ${ADVICE}`;
        fail(report, 'EXTENSION_UNSUPPORTED', each.pointer, rule);
    }
    const values =
        view === null ? new Float64Array(count * width) : readElements(info, componentType, width, count, data);
    if (sparse !== null) {
        const indices = readElements(sparse.indices, sparse.indices.componentType, 1, sparse.count, data);
        checkSparseIndices(info, indices, report);
        const stored = readElements(sparse.values, componentType, width, sparse.count, data);
        for (let i = 0; i < sparse.count; i++) {
            values.set(stored.subarray(i * width, (i + 1) * width), indices[i]! * width);
        }
    }
    return normalized ? normalize(values, componentType) : values;
}

const ADVICE = 'use Rig.fromDocument with a Document that glTF-Transform has read';

/**
 * Decodes floats and integers, strided and sparse ones too.
 *
 * @throws InputError `EXTENSION_UNSUPPORTED` for data that is compressed, by meshopt or Draco.
 */
export async function decodePlain(
    infos: Iterable<AccessorInfo>,
    primitives: readonly Draco[],
    data: readonly BufferData[],
    report: Report,
): Promise<Decoded> {
    for (const { pointer, ids } of primitives) {
        if ([...ids.keys()].every(({ view }) => view !== null)) continue;
        fail(report, 'EXTENSION_UNSUPPORTED', pointer, `Draco compression is not decoded here: ${ADVICE}`);
    }
    const floats = new Map<AccessorInfo, Float32Array>();
    const shorts = new Map<AccessorInfo, Uint16Array>();
    const room = createPool();
    for (const info of new Set(infos)) {
        const dense = isDense(info) ? readDense(info, data, room) : null;
        if (dense instanceof Float32Array) floats.set(info, dense);
        else {
            const values = readAccessor(info, data, report);
            floats.set(info, Float32Array.from(values));
            shorts.set(info, Uint16Array.from(values));
        }
    }
    return {
        floats: (info) => floats.get(info)!,
        unsignedShorts: (info) => {
            let array = shorts.get(info);
            if (array === undefined) {
                array = Uint16Array.from(floats.get(info)!);
                shorts.set(info, array);
            }
            return array;
        },
    };
}
