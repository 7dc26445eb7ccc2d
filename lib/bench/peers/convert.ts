// SPDX-License-Identifier: MIT

/** The interface of a peer, and the conversion of poselane's lists to its objects. */

import type { Routine } from '../../lists/routines';

/** One routine as another library does it. */
export interface PeerCall {
    readonly run: () => void;
    /** The result, in poselane's layout and glTF's convention. */
    readonly read: () => Float32Array;
}

export type PeerCalls = { readonly [R in Routine]?: PeerCall };

/** `count` elements of a flat list, as the objects that `make` makes from the start of each element. */
export function each<Element>(count: number, floats: number, make: (offset: number) => Element): Element[] {
    return Array.from({ length: count }, (_, i) => make(i * floats));
}

/** 3x4 row-major to the 16 column-major floats of the others. */
export function toColumns(mats: Float32Array, i: number): number[] {
    const columns = new Array<number>(16).fill(0);
    for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) columns[c * 4 + r] = mats[i * 12 + r * 4 + c]!;
    columns[15] = 1;
    return columns;
}

/** The inverse of that conversion. */
export function fromColumns(all: readonly ArrayLike<number>[]): Float32Array {
    const mats = new Float32Array(all.length * 12);
    all.forEach((columns, i) => {
        for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) mats[i * 12 + r * 4 + c] = columns[c * 4 + r]!;
    });
    return mats;
}
