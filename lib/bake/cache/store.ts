// SPDX-License-Identifier: MIT

/** Where a cache keeps its blobs: a folder or a server, in the layout and protocol of Bazel's caches. */

/** `ac` has what a key led to; `cas` has blobs under their own SHA-256. */
export type Part = 'ac' | 'cas';

export interface Store {
    /** How messages name it. */
    readonly place: string;
    /**
     * @param key 64 hexadecimal digits.
     * @param limit Bytes; a longer blob is no answer.
     * @returns Null where it is not there.
     * @throws StoreFault
     */
    get(part: Part, key: string, limit: number, signal?: AbortSignal): Promise<Uint8Array | null>;
    /** A blob is of use, whose bytes nobody asks for. Never fails. */
    use(part: Part, key: string): Promise<void>;
    /**
     * Whether a file of so many bytes is the same as a blob: to compare the two takes half as long as a hash. A store that is none of files
     * cannot tell.
     *
     * @returns Null where the blob is missing or has another size.
     */
    isSame?(key: string, path: string, size: number, signal?: AbortSignal): Promise<boolean | null>;
    /** @throws StoreFault */
    put(part: Part, key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
}

/** Why a store does not answer, in words. It never ends a bake. */
export class StoreFault extends Error {
    /**
     * @param every Whether each further call would fail alike, `'put'` for those that write.
     */
    constructor(
        message: string,
        readonly every: boolean | 'put' = false,
        options?: { cause?: unknown },
    ) {
        super(message, options);
    }
}
