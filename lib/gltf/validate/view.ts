// SPDX-License-Identifier: MIT

/** A buffer view whose bytes are known to exist. */
export interface View {
    readonly index: number;
    readonly pointer: string;
    /** Where the bytes as stored begin: of the compressed data where `meshopt` is not null. */
    readonly buffer: number;
    readonly byteOffset: number;
    /** Length as stored. */
    readonly storedLength: number;
    /** Length as accessors see it, after decompression. */
    readonly byteLength: number;
    readonly byteStride: number | undefined;
    readonly meshopt: Meshopt | null;
}

/** The same for views of the same bytes that are compressed in the same way, whatever their index. */
export function whereStored({ buffer, byteOffset, storedLength, meshopt }: View): string {
    return JSON.stringify([buffer, byteOffset, storedLength, meshopt]);
}

/** What EXT_ and KHR_meshopt_compression say about a buffer view; the two have the same properties. */
export interface Meshopt {
    readonly byteStride: number;
    readonly count: number;
    readonly mode: string;
    readonly filter: string;
}
