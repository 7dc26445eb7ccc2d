// SPDX-License-Identifier: MIT

/** What was baked or reduced once: found again by a hash of all that it was made of. A cache that fails costs a warning, no more. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe } from '../../arguments';
import { typeError, UsageError } from '../../errors';
import { checkOptions } from '../../rig/arguments';
import { subtleSha256 } from '../../subtle-sha256';
import { isInPlace } from '../in-place';
import { sha256Of } from '../sha256';
import { openFolder } from './folder';
import { openServer, type ServerOptions } from './server';
import { type Store, StoreFault } from './store';

/** Options of {@link openCache}. */
export interface CacheOptions extends ServerOptions {
    /** Whether nothing is written to it. Default false. */
    readOnly?: boolean;
}

/** A cache of bakes and reductions, for the hook `cache` of `bakeFile` and `reduceFile`. */
export interface BakeCache {
    /** The folder, or the URL of the server. */
    readonly place: string;
    /**
     * Those of `openCache`, for another thread to open it as well.
     * @internal
     */
    readonly options: CacheOptions;
    /**
     * Whether it is of any use still.
     * @internal
     */
    readonly isUsed: boolean;
    /** @internal */
    find(key: string, hooks: CacheHooks): Promise<FoundEntry | null>;
    /** @internal */
    keep(key: string, entry: Entry, hooks: CacheHooks): Promise<void>;
}

export interface CacheHooks {
    readonly signal?: AbortSignal | undefined;
    /** Called where the cache could not do what it is for. */
    warn(message: string): void;
    /** Where a file would be written; null for one that would not. Files that are there with their bytes are not fetched. */
    placeOf?(name: string): string | null;
}

/** What a bake or a reduction made. */
export interface Entry {
    readonly files: ReadonlyMap<string, Uint8Array>;
    /** Whatever else is to be known; it is kept as JSON. */
    readonly note: unknown;
}

/** A file of an entry; where it is in place, its bytes are read each time that they are asked for. */
interface FoundFile {
    readonly byteLength: number;
    bytes(): Uint8Array;
}

/** An entry, as it is found. */
export interface FoundEntry {
    readonly files: ReadonlyMap<string, FoundFile>;
    readonly note: unknown;
    /** Whether all files are where they would be written. */
    readonly inPlace: boolean;
}

/** Bytes of an entry. */
const MAX_ENTRY = 16 * 1024 * 1024;
/** Bytes of all blobs of an entry, as one call of the file system reads them, and how many these are. */
const MAX_BYTES = 2 ** 31 - 1;
const MAX_FILES = 4096;

/**
 * Opens a cache of bakes and reductions: a folder, or a server that speaks Bazel's HTTP protocol, such as bazel-remote or nginx with WebDAV. The
 * bytes of a bake are the same on every machine, so machines of all kinds share one. Nothing is read or written before the first
 * bake. Every blob that is fetched is checked by its SHA-256; which blobs belong to a bake is what the cache says, so whoever can write to it
 * decides what is baked.
 *
 * @param place Path of a folder, which is made where it is missing, or a URL.
 * @param options A token, and whether it is only read.
 * @returns The cache, for any number of bakes at once.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; UsageError for a URL that has a user's name or a query in it, or is `http:` on another
 * machine without `insecure`.
 * @example
 * const cache = openCache('https://cache.example', { readOnly: true });
 * const bake = await bakeFile('hero.glb', { fps: 30 }, { cache });
 */
export function openCache(place: string, options: CacheOptions = {}): BakeCache {
    if (typeof place !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `openCache: place must be a folder or URL, got ${describe(place)}`);
    }
    if (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i.test(place)) {
        throw new UsageError(`cache: '${place}' is no folder, and of servers only http: and https: are spoken to`);
    }
    if (place === '') throw new UsageError('cache: the name of the folder is empty');
    const { token, readOnly = false, insecure = false, timeout } = checkOptions('openCache', options) as CacheOptions;
    const given = { token, readOnly, insecure, timeout };
    const needs = { token: 'string', readOnly: 'boolean', insecure: 'boolean', timeout: 'number' } as const;
    for (const [name, need] of Object.entries(needs)) {
        const value = given[name as keyof typeof given];
        if (value === undefined || typeof value === need) continue;
        const rule = `options.${name} must be a ${need}, got ${describe(value)}`;
        throw typeError('ERR_ARGUMENT_TYPE', `openCache: ${rule}`);
    }
    const isServer = /^https?:/i.test(place);
    const secret = token ?? (process.env.POSELANE_CACHE_TOKEN || undefined);
    const store = isServer ? openServer(place, { token: secret, insecure, timeout }) : openFolder(place);
    return cacheIn(store, { ...given, token: secret });
}

/** What a thread is sent to open a cache. Plain data. */
export interface CachePlace {
    readonly place: string;
    readonly options: CacheOptions;
}

let opened: { readonly where: string; readonly cache: BakeCache } | undefined;

/** The cache of this thread: the same for all that it bakes, because what is wrong with it is told once. */
export function sharedCache({ place, options }: CachePlace): BakeCache {
    const where = JSON.stringify([place, options]);
    if (opened?.where !== where) opened = { where, cache: openCache(place, options) };
    return opened.cache;
}

/** @throws TypeError `ERR_ARGUMENT_TYPE` for what is neither a cache nor left out. */
export function checkCache(routine: string, cache: unknown): void {
    if (cache === undefined || typeof (cache as BakeCache | null)?.find === 'function') return;
    const rule = `hooks.cache must be what openCache gives, got ${describe(cache)}`;
    throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${rule}`);
}

/** What becomes of a cache, after its place. */
const LEFT_OUT = "' is left out now";
const ONLY_READ = "' is only read now";

/** A warning without its reason where it is about all that follows: the reasons of several threads may differ. */
export function reasonless(message: string): string {
    const off = [LEFT_OUT, ONLY_READ].find((part) => message.includes(`${part}: `));
    return off === undefined ? message : message.slice(0, message.indexOf(off) + off.length);
}

function cacheIn(store: Store, options: CacheOptions): BakeCache {
    let [reads, writes] = [true, !options.readOnly];
    /** A fault that would repeat itself is told once, and ends the use of the cache. */
    const guarded = async <T>({ signal, warn }: CacheHooks, run: () => Promise<T>, otherwise: T): Promise<T> => {
        try {
            return await run();
        } catch (error) {
            signal?.throwIfAborted();
            if (!(error instanceof StoreFault)) throw error;
            const off = error.every === false ? "'" : error.every === 'put' ? ONLY_READ : LEFT_OUT;
            const known = error.every === 'put' ? !writes : !reads;
            if (error.every !== false) writes = false;
            if (error.every === true) reads = false;
            if (error.every === false || !known) warn(`the cache '${store.place}${off}: ${error.message}`);
            return otherwise;
        }
    };
    const cache = {
        place: store.place,
        get isUsed() {
            return reads || writes;
        },
        async find(key: string, hooks: CacheHooks) {
            if (!reads) return null;
            return guarded(hooks, () => findIn(store, key, hooks), null);
        },
        async keep(key: string, entry: Entry, hooks: CacheHooks) {
            if (writes) await guarded(hooks, () => keepIn(store, key, entry, hooks), undefined);
        },
    } as BakeCache;
    // Out of sight of what is written to a log: the token is one of them.
    return Object.defineProperty(cache, 'options', { value: options });
}

/** The `ActionResult` of Bazel's Remote Execution API, in the JSON of protocol buffers: as much of it as is used here. */
interface ActionResult {
    readonly outputFiles: readonly {
        readonly path: string;
        readonly digest: { readonly hash: string; readonly sizeBytes: string };
    }[];
    /** Base64. */
    readonly stdoutRaw: string;
}

async function findIn(store: Store, key: string, { signal, placeOf }: CacheHooks): Promise<FoundEntry | null> {
    const bytes = await store.get('ac', key, MAX_ENTRY, signal);
    if (bytes === null) return null;
    const { outputs, note } = entryOf(bytes, key);
    const paths = outputs.map(({ path }) => placeOf?.(path) ?? null);
    const inPlace = await areInPlace(store, outputs, paths, signal);
    const files = new Map<string, FoundFile>();
    for (const [i, { path, hash, size }] of outputs.entries()) {
        if (inPlace) {
            await store.use('cas', hash);
            files.set(path, { byteLength: size, bytes: () => readFileSync(paths[i]!) });
            continue;
        }
        const blob = await store.get('cas', hash, size, signal);
        if (blob === null) throw faulty(`has '${path}' no longer`);
        if (blob.byteLength !== size || (await hashOf(blob)) !== hash)
            throw faulty(`has other bytes than it should for '${path}'`);
        files.set(path, { byteLength: size, bytes: () => blob });
    }
    return { files, note, inPlace };
}

/** False as well where the file system fails: then all are fetched. */
async function areInPlace(
    store: Store,
    outputs: readonly { readonly hash: string; readonly size: number }[],
    paths: readonly (string | null)[],
    signal: AbortSignal | undefined,
): Promise<boolean> {
    try {
        for (const [i, { hash, size }] of outputs.entries()) {
            const path = paths[i]!;
            if (path === null) return false;
            const same = await store.isSame?.(hash, path, size, signal);
            if (!(same ?? (await hasHash(path, size, hash, signal)))) return false;
        }
        return true;
    } catch {
        signal?.throwIfAborted();
        return false;
    }
}

function hasHash(path: string, size: number, hash: string, signal: AbortSignal | undefined): Promise<boolean> {
    const own = createHash('sha256');
    const isRight = (piece: Uint8Array, at: number) => {
        own.update(piece);
        return at + piece.length < size || own.digest('hex') === hash;
    };
    return isInPlace(path, size, isRight, { signal });
}

/** From so many bytes on another thread hashes them, so that several are hashed at once. */
const LARGE = 2 ** 20;

/** The SHA-256 in hex. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
    const there = bytes.byteLength < LARGE ? null : await subtleSha256(bytes);
    return there ?? sha256Of([bytes]);
}

function faulty(what: string): StoreFault {
    return new StoreFault(`it ${what}; made again`);
}

async function keepIn(store: Store, key: string, { files, note }: Entry, { signal }: CacheHooks): Promise<void> {
    if (!isPlausible([...files.values()].map(({ byteLength }) => byteLength))) {
        throw new StoreFault(`what has more than 2 GiB or ${MAX_FILES} files is not kept`);
    }
    const outputFiles: ActionResult['outputFiles'][number][] = [];
    // Servers take an entry only once they have its blobs.
    for (const [path, bytes] of files) {
        const hash = await hashOf(bytes);
        await store.put('cas', hash, bytes, signal);
        outputFiles.push({ path, digest: { hash, sizeBytes: String(bytes.byteLength) } });
    }
    const stdoutRaw = Buffer.from(JSON.stringify(note)).toString('base64');
    const entry: ActionResult = { outputFiles, stdoutRaw };
    await store.put('ac', key, Buffer.from(JSON.stringify(entry)), signal);
}

/** Whether a bake can have blobs of these sizes: all of them are in memory at once, whoever made the entry. */
function isPlausible(sizes: readonly number[]): boolean {
    const bytes = sizes.reduce((sum, size) => (Number.isInteger(size) && size >= 0 ? sum + size : NaN), 0);
    return bytes <= MAX_BYTES && sizes.length <= MAX_FILES;
}

/** @throws StoreFault for what is no entry of ours. */
function entryOf(bytes: Uint8Array, key: string) {
    try {
        const { outputFiles, stdoutRaw } = JSON.parse(Buffer.from(bytes).toString()) as ActionResult;
        const outputs = outputFiles.map(({ path, digest: { hash, sizeBytes } }) => {
            const size = Number(sizeBytes);
            if (typeof path !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) throw new Error('no digest');
            if (/^\.{0,2}$/.test(path) || basename(path) !== path) throw new Error('no name');
            return { path, hash, size };
        });
        if (!isPlausible(outputs.map(({ size }) => size))) throw new Error('no sizes');
        return { outputs, note: JSON.parse(Buffer.from(stdoutRaw, 'base64').toString()) as unknown };
    } catch (cause) {
        throw new StoreFault(`its entry ${key} is none of poselane; made again`, false, { cause });
    }
}
