// SPDX-License-Identifier: MIT

/** The storage of a cache: a folder or a server, with the layout or protocol of Bazel's caches. */

/** `ac` maps keys to entries; `cas` has blobs by their SHA-256. */
export type Part = 'ac' | 'cas';

export interface Store {
    /** Name in messages. */
    readonly place: string;
    /** Milliseconds to wait for an answer. Missing for a folder. */
    readonly timeout?: number;
    /**
     * @param key 64 hexadecimal digits.
     * @param limit Maximum number of bytes to read.
     * @returns Null if it does not exist.
     * @throws StoreFault, also for a longer blob.
     */
    get(part: Part, key: string, limit: number, signal?: AbortSignal): Promise<Uint8Array | null>;
    /** Marks a blob as used without reading it. Never fails. */
    use(part: Part, key: string): Promise<void>;
    /** @throws StoreFault */
    put(part: Part, key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
}

/** The `code` of a cache's fault. */
export type CacheCode =
    /** An entry or one of its files is damaged, or not an entry of poselane. It is replaced. */
    | 'CACHE_ENTRY_INVALID'
    /** An entry has more bytes than `maxEntryBytes`, or more files than a bake can have. */
    | 'CACHE_ENTRY_TOO_LARGE'
    /** One request failed. */
    | 'CACHE_FAILED'
    /** The cache is no longer used. */
    | 'CACHE_LEFT_OUT'
    /** From now on, the cache is only read. */
    | 'CACHE_READ_ONLY';

/** A fault of a cache. It is neither a warning of the bake nor an error. */
export interface CacheWarning {
    /** Stable across versions. */
    readonly code: CacheCode;
    /** For people. May change. */
    readonly message: string;
}

interface FaultOptions {
    /** Whether every further call would fail in the same way. `'put'`: every further call that writes. */
    readonly every?: boolean | 'put';
    readonly code?: CacheCode;
    readonly cause?: unknown;
}

/** The reason why a store fails. It never ends a bake. */
export class StoreFault extends Error {
    readonly every: boolean | 'put';
    readonly code: CacheCode;

    constructor(message: string, { every = false, code = 'CACHE_FAILED', cause }: FaultOptions = {}) {
        super(message, { cause });
        this.every = every;
        this.code = code;
    }
}

/** A fault of one entry, which will be replaced. */
export function faulty(what: string, cause?: unknown): StoreFault {
    return new StoreFault(`${what}; made again`, { code: 'CACHE_ENTRY_INVALID', cause });
}
