// SPDX-License-Identifier: MIT

/** Values of accessors: first as the file stores them, then as the scene has them. */

import { cached } from '../base/cached';
import { InputError } from '../base/errors';
import type { BufferData } from './buffers';
import { catching, invalid, type Report } from './reading';
import { type AccessorInfo, COMPONENTS, type ComponentArray, FLOAT, type TypedArray } from './validate/accessors';
import type { View } from './validate/views';

/** Components as stored: decompressed, with sparse values applied. Integers are not normalized yet. */
export type Stored = Map<AccessorInfo, TypedArray>;

export type Faults = Map<AccessorInfo, InputError>;

/** Decoded accessors. Only those that were decoded can be requested. */
export interface Decoded {
    /** All values as floats, including normalized integers. Each call returns the same array. */
    floats(info: AccessorInfo): Float32Array;
    /** All values as unsigned 16-bit integers. Each call returns the same array. */
    unsignedShorts(info: AccessorInfo): Uint16Array;
}

const PAGE = 64 * 1024;

/** Allocates short lists from few buffers: an animation has thousands, and a buffer costs more than its values. */
function createPool(): (length: number) => Float32Array {
    let page = new Float32Array(0);
    let used = 0;
    return (length) => {
        if (length > PAGE / 16) return new Float32Array(length);
        if (used + length > page.length) {
            page = new Float32Array(PAGE);
            used = 0;
        }
        const start = used;
        used += length;
        return page.subarray(start, used);
    };
}

/** Copies packed or strided elements, from byte `start`, into `values`. */
function readElements(
    bytes: Uint8Array,
    start: number,
    byteStride: number | undefined,
    width: number,
    values: TypedArray,
): void {
    const Components = values.constructor as unknown as ComponentArray;
    const size = Components.BYTES_PER_ELEMENT;
    const elementBytes = width * size;
    const stride = byteStride ?? elementBytes;
    const count = values.length / width;
    if (stride % size !== 0) {
        // The stride splits components. A warning has reported it.
        const packed = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
        for (let i = 0; i < count; i++) {
            const at = start + i * stride;
            packed.set(bytes.subarray(at, at + elementBytes), i * elementBytes);
        }
        return;
    }
    const span = (count - 1) * stride + elementBytes;
    // A typed array must begin at a multiple of its component size. A file in a Buffer need not.
    const at = bytes.byteOffset + start;
    const from =
        at % size === 0
            ? new Components(bytes.buffer, at, span / size)
            : new Components(new Uint8Array(bytes.subarray(start, start + span)).buffer, 0, span / size);
    const step = stride / size;
    if (step === width) {
        values.set(from);
        return;
    }
    for (let i = 0, o = 0; i < count; i++) {
        for (let c = 0; c < width; c++) values[o++] = from[i * step + c]!;
    }
}

/**
 * Reads all accessors that no Draco stream fills.
 *
 * @param expand Returns the bytes of a view compressed by meshopt. Called once for each.
 * @param faults Receives the faults of accessors that cannot be read, which are then zeros. Without it, the first fault
 * is thrown.
 */
export function readStored(
    infos: Iterable<AccessorInfo>,
    data: readonly BufferData[],
    report: Report,
    expand: (view: View) => Uint8Array,
    faults?: Faults,
): Stored {
    const room = createPool();
    const expanded = new Map<View, Uint8Array | InputError>();
    const expandOnce = (view: View): Uint8Array => {
        const read = () => expand(view);
        const bytes = cached(expanded, view, () =>
            catching<Uint8Array | InputError>(report, '', read, (fault) => fault),
        );
        if (bytes instanceof InputError) throw bytes;
        return bytes;
    };
    const read = (view: View | null, byteOffset: number, componentType: number, width: number, count: number) => {
        const length = width * count;
        const { Components } = COMPONENTS.get(componentType)!;
        const values = componentType === FLOAT ? room(length) : new Components(length);
        if (view === null) return values;
        const [bytes, start] =
            view.meshopt === null ? [data[view.buffer]!, view.byteOffset + byteOffset] : [expandOnce(view), byteOffset];
        readElements(bytes, start, view.byteStride, width, values);
        return values;
    };
    const readWhole = (info: AccessorInfo): TypedArray => {
        const { view, byteOffset, componentType, width, count, sparse } = info;
        const values = read(view, byteOffset, componentType, width, count);
        if (sparse === null) return values;
        const { indices, values: others } = sparse;
        const places = read(indices.view, indices.byteOffset, indices.componentType, 1, sparse.count);
        const replaced = read(others.view, others.byteOffset, componentType, width, sparse.count);
        for (const [i, place] of places.entries()) {
            if (place >= count) {
                const rule = `index ${i} is ${place}, the accessor has ${count} elements (3.6.2.3)`;
                invalid(report, `${info.pointer}/sparse/indices`, rule);
            }
            values.set(replaced.subarray(i * width, (i + 1) * width), place * width);
        }
        return values;
    };
    const stored: Stored = new Map();
    for (const info of new Set(infos)) {
        const failed = (fault: InputError) => {
            if (faults === undefined) throw fault;
            faults.set(info, fault);
            return read(null, 0, info.componentType, info.width, info.count);
        };
        stored.set(
            info,
            catching(report, '', () => readWhole(info), failed),
        );
    }
    return stored;
}

/** Converts normalized integers to floats by the formulas of glTF 2.0, 3.11. Each value is rounded to float32. */
export function normalize(values: TypedArray, componentType: number): TypedArray {
    const { one } = COMPONENTS.get(componentType)!;
    if (one === undefined) return values;
    const floats = new Float32Array(values.length);
    for (let i = 0; i < floats.length; i++) floats[i] = Math.max(values[i]! / one, -1);
    return floats;
}

/** The values of the scene, converted on first use. */
export function decodedOf(stored: Stored): Decoded {
    const floats = new Map<AccessorInfo, Float32Array>();
    const shorts = new Map<AccessorInfo, Uint16Array>();
    return {
        floats: (info) =>
            cached(floats, info, () => {
                const values = stored.get(info)!;
                const normalized = info.normalized ? normalize(values, info.componentType) : values;
                return normalized instanceof Float32Array ? normalized : Float32Array.from(normalized);
            }),
        unsignedShorts: (info) =>
            cached(shorts, info, () => {
                const values = stored.get(info)!;
                return values instanceof Uint16Array ? values : Uint16Array.from(values);
            }),
    };
}
