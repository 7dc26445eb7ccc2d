// SPDX-License-Identifier: MIT

/** Accessors that need no decoder: numbers that lie in their buffer one element after the other, packed or strided. */

import type { TypedArray } from '@gltf-transform/core';
import type { BufferData } from './buffers';
import { type AccessorInfo, BYTE, FLOAT, SHORT, UNSIGNED_BYTE, UNSIGNED_SHORT } from './validate/accessors';

/** Gives room for so many floats, 0 each. */
export type Room = (length: number) => Float32Array;

/** Floats in a page of a pool. */
const PAGE = 64 * 1024;

/** Room for many short lists in few buffers: an animation has thousands, and a buffer each costs more than its numbers. */
export function createPool(): Room {
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

const ownRoom: Room = (length) => new Float32Array(length);

type ComponentArray = {
    readonly BYTES_PER_ELEMENT: number;
    new (length: number): TypedArray;
    new (buffer: ArrayBuffer, byteOffset: number, length: number): TypedArray;
};

const ARRAYS = new Map<number, ComponentArray>([
    [BYTE, Int8Array],
    [UNSIGNED_BYTE, Uint8Array],
    [SHORT, Int16Array],
    [UNSIGNED_SHORT, Uint16Array],
    [FLOAT, Float32Array],
]);

/** Columns of these are padded to four bytes where the components are smaller (glTF 2.0, 3.6.2.4). */
const PADDED = new Set(['MAT2', 'MAT3']);

export function isDense({ componentType, type, sparse, view }: AccessorInfo): boolean {
    const components = ARRAYS.get(componentType);
    if (components === undefined || view === null || view.meshopt !== null || sparse !== null) return false;
    // A warning told of a stride that splits components.
    if ((view.byteStride ?? 0) % components.BYTES_PER_ELEMENT !== 0) return false;
    return componentType === FLOAT || !PADDED.has(type);
}

/** The components as they are stored, without what lies between elements. */
export function readDense(info: AccessorInfo, data: readonly BufferData[], room: Room = ownRoom): TypedArray {
    const { componentType, view, byteOffset, count, width } = info;
    const Components = ARRAYS.get(componentType)!;
    const bytes = data[view!.buffer]!;
    const start = view!.byteOffset + byteOffset;
    const size = Components.BYTES_PER_ELEMENT;
    const stride = view!.byteStride ?? width * size;
    const length = count * width;
    const values = componentType === FLOAT ? room(length) : new Components(length);
    // A view of components must begin at a multiple of their size, which a file in a Buffer need not.
    const span = count === 0 ? 0 : (count - 1) * stride + width * size;
    const at = bytes.byteOffset + start;
    const from =
        at % size === 0
            ? new Components(bytes.buffer as ArrayBuffer, at, span / size)
            : new Components(new Uint8Array(bytes.subarray(start, start + span)).buffer, 0, span / size);
    const step = stride / size;
    if (step === width) {
        values.set(from);
        return values;
    }
    for (let i = 0, o = 0; i < count; i++) {
        for (let c = 0; c < width; c++) values[o++] = from[i * step + c]!;
    }
    return values;
}

/** Normalized integers as floats by the formulas of glTF 2.0, 3.11; each value rounded to float32. */
export function normalize<Values extends ArrayLike<number>>(
    values: Values,
    componentType: number,
): Values | Float32Array<ArrayBuffer> {
    const greatest = GREATEST.get(componentType);
    if (greatest === undefined) return values;
    const floats = new Float32Array(values.length);
    for (let i = 0; i < floats.length; i++) floats[i] = Math.max(values[i]! / greatest, -1);
    return floats;
}

const GREATEST = new Map([
    [BYTE, 127],
    [UNSIGNED_BYTE, 255],
    [SHORT, 32767],
    [UNSIGNED_SHORT, 65535],
]);
