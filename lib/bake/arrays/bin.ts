// SPDX-License-Identifier: MIT

import type { ManifestArray } from '../../format/manifest';
import { toLittleEndian } from '../rows/floats';
import { type BakedArray, type Batch, numbersIn } from './array';

/** Alignment of arrays in a `.bin`, bytes. */
const ALIGNMENT = 256;

export interface Bin {
    view(array: BakedArray): Float32Array | Uint16Array;
    /** Writes the rows of a batch, array by array. */
    readonly writers: readonly { readonly array: BakedArray; write(batch: Batch): void }[];
    /** Returns the bytes. Call it once, after all rows are written. */
    finish(): Uint8Array;
    readonly arrays: Readonly<Record<string, ManifestArray>>;
}

export function rowBytesOf({ row, dtype }: Pick<BakedArray, 'row' | 'dtype'>): number {
    return numbersIn(row) * (dtype === 'f16' ? 2 : 4);
}

/** @param arrays In their order in the `.bin`. Their total size has been checked. */
export function createBin(arrays: readonly BakedArray[], rows: number): Bin {
    let end = 0;
    const places = new Map<BakedArray, ManifestArray>();
    for (const array of arrays) {
        const byteOffset = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
        const { dtype, layout, row, about, rows: own = rows } = array;
        const byteLength = own * rowBytesOf(array);
        places.set(array, { byteOffset, byteLength, dtype, shape: [own, ...row], layout, ...about });
        end = byteOffset + byteLength;
    }
    const buffer = new ArrayBuffer(end);
    const views = new Map(
        arrays.map((array) => {
            const { byteOffset, dtype, byteLength } = places.get(array)!;
            const view =
                dtype === 'f16'
                    ? new Uint16Array(buffer, byteOffset, byteLength / 2)
                    : new Float32Array(buffer, byteOffset, byteLength / 4);
            return [array, view] as const;
        }),
    );
    return {
        view: (array) => views.get(array)!,
        writers: arrays.map((array) => ({ array, write: array.open(views.get(array)!) })),
        finish() {
            for (const view of views.values()) toLittleEndian(view);
            return new Uint8Array(buffer);
        },
        arrays: Object.fromEntries(arrays.map((array) => [array.name, places.get(array)!])),
    };
}
