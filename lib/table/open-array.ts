// SPDX-License-Identifier: MIT

import { bufferOf, byteOffsetOf, isGone, isUint8Array, lengthOf, wrongType } from '../base/arguments';
import { typeError } from '../base/errors';
import { type CheckedArray, refuse } from '../format/check-manifest';
import type { ArrayName, Layout } from '../format/layouts';
import type { ManifestArray } from '../format/manifest';
import { splitBake } from '../format/split-bake';

/** An array of a table: its type, shape and layout, its offset in the bin, and its numbers. */
export interface TableArray extends ManifestArray {
    /** Name in `table.arrays`. */
    readonly name: ArrayName;
    /** All rows: floats, or for `f16` the bits of half floats. A view of the bytes that the table was opened with. */
    readonly data: Float32Array | Uint16Array;
    /** Floats of a row. */
    readonly rowFloats: number;
    /**
     * Only for a palette of layout `qts16`: `[column][4]`. x y z of the pivot in the input space of palettes, and the texel
     * (4 numbers) of a row that has the third row of a stretched column; 0 for other columns.
     */
    readonly pivots?: Float32Array;
}

/** An array with the function that interpolates its rows. */
export interface OpenArray extends TableArray {
    readonly rules: Layout;
}

/** The bytes of a bake's binary as a new plain view, because a subclass could have its own properties. */
export function bytesOf(bin: unknown): Uint8Array {
    try {
        if (isUint8Array(bin) && !isGone(bin)) {
            return new Uint8Array(bufferOf(bin) as ArrayBuffer, byteOffsetOf(bin), lengthOf(bin));
        }
        if (isBuffer(bin)) return new Uint8Array(bin);
    } catch {
        // Detached: handled below.
    }
    if (isBytes(bin)) {
        throw typeError('ERR_DETACHED_BUFFER', 'BakedTable.open: bin is detached or shrunk, needs a live buffer');
    }
    throw wrongType('BakedTable.open', 'bin', 'an ArrayBuffer or a Uint8Array', bin);
}

/** Whether {@link bytesOf} accepts a value, or rejects it only as detached. */
export function isBytes(value: unknown): value is ArrayBuffer | Uint8Array {
    return isUint8Array(value) || isBuffer(value);
}

/** Also accepts buffers of other realms. It reads an internal slot, which no other object can fake. */
function isBuffer(value: unknown): value is ArrayBuffer {
    for (const Buffer of [ArrayBuffer, typeof SharedArrayBuffer === 'undefined' ? ArrayBuffer : SharedArrayBuffer]) {
        try {
            Object.getOwnPropertyDescriptor(Buffer.prototype, 'byteLength')!.get!.call(value);
            return true;
        } catch {
            // Another kind of buffer.
        }
    }
    return false;
}

/** The manifest and bin of a GLB; null for other bytes. Throws `ERR_BAKE_INVALID` for a broken GLB or a model. */
export function splitGlb(bytes: Uint8Array): { json: string; bin: Uint8Array } | null {
    return splitBake(bytes, (pointer, rule, cause) => refuse(pointer || 'the GLB:', rule, cause));
}

export function parseManifest(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch (cause) {
        return refuse('', `must be JSON: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
    }
}

/** A view of the bytes, or a copy if they are not aligned to an element. */
export function openArray(array: CheckedArray, bytes: Uint8Array): OpenArray {
    const { shape } = array;
    return {
        ...array,
        data: numbersOf(array, bytes),
        rowFloats: shape.slice(1).reduce((product, n) => product * n, 1),
    };
}

/** The numbers of an array, as in {@link openArray}. */
export function numbersOf(
    { byteOffset, byteLength, dtype }: Pick<ManifestArray, 'byteOffset' | 'byteLength' | 'dtype'>,
    bytes: Uint8Array,
): Float32Array | Uint16Array {
    const size = dtype === 'f32' ? 4 : 2;
    const aligned = (bytes.byteOffset + byteOffset) % size === 0;
    const source = aligned
        ? bytes.subarray(byteOffset, byteOffset + byteLength)
        : new Uint8Array(bytes.subarray(byteOffset, byteOffset + byteLength)); // a Buffer's own slice copies nothing
    const View = dtype === 'f32' ? Float32Array : Uint16Array;
    return new View(source.buffer as ArrayBuffer, source.byteOffset, byteLength / size);
}
