// SPDX-License-Identifier: MIT

/** Where a cache keeps its blobs: a folder or a server, in the layout and protocol of Bazel's caches. */

/** `ac` has what a key led to; `cas` has blobs under their own SHA-256. */
export type Part = 'ac' | 'cas';

export interface Store {
    /** How messages name it. */
    readonly place: string;
    /** Milliseconds to wait for an answer. A folder has no such limit. */
    readonly timeout?: number;
    /**
     * @param key 64 hexadecimal digits.
     * @param limit Maximum of bytes to read.
     * @returns Null where it is not there.
     * @throws StoreFault, also for a longer blob.
     */
    get(part: Part, key: string, limit: number, signal?: AbortSignal): Promise<Uint8Array | null>;
    /** Notes that a blob is in use whose bytes are not read. Never fails. */
    use(part: Part, key: string): Promise<void>;
    /** @throws StoreFault */
    put(part: Part, key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
}

/** The `code` of what is wrong with a cache. */
export type CacheCode =
    /** An entry or one of its files is damaged, or not an entry of poselane: made again. */
    | 'CACHE_ENTRY_INVALID'
    /** An entry has more bytes than `maxEntryBytes`, or more files than a bake can have. */
    | 'CACHE_ENTRY_TOO_LARGE'
    /** One request failed. */
    | 'CACHE_FAILED'
    /** The cache is not used any longer. */
    | 'CACHE_LEFT_OUT'
    /** The cache is only read from now on. */
    | 'CACHE_READ_ONLY';

/** What is wrong with a cache. It is never a warning of the bake, nor an error. */
export interface CacheWarning {
    /** Stable. */
    readonly code: CacheCode;
    /** For people; may change. */
    readonly message: string;
}

interface FaultOptions {
    /** Whether each further call would fail in the same way, `'put'` for those that write. */
    readonly every?: boolean | 'put';
    readonly code?: CacheCode;
    readonly cause?: unknown;
}

/** Why a store does not answer, in words. It never ends a bake. */
export class StoreFault extends Error {
    readonly every: boolean | 'put';
    readonly code: CacheCode;

    constructor(message: string, { every = false, code = 'CACHE_FAILED', cause }: FaultOptions = {}) {
        super(message, { cause });
        this.every = every;
        this.code = code;
    }
}

/** A fault of one entry, which is made again. */
export function faulty(what: string, cause?: unknown): StoreFault {
    return new StoreFault(`${what}; made again`, { code: 'CACHE_ENTRY_INVALID', cause });
}
