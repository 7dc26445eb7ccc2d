// SPDX-License-Identifier: MIT

/**
 * A cache of bakes and reductions, by a hash of everything that they depend on. A failing cache only causes a warning.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe } from '../base/arguments';
import { checkOptions } from '../base/call-arguments';
import { namingOptions, typeError, UsageError } from '../base/errors';
import { isInPlace } from '../files/in-place';
import { limitedSignal, whyFailed } from '../files/limited-fetch';
import { sha256Of } from '../files/sha256';
import { subtleSha256 } from '../files/subtle-sha256';
import { openFolder } from './folder';
import { isServer } from './place';
import { openServer, type ServerOptions, SLOWEST } from './server';
import { type CacheCode, type CacheWarning, faulty, type Store, StoreFault } from './store';
import { hashText, listOf, objectOf, textOf } from './values';

export type { CacheCode, CacheWarning };

/** How one bake or reduction used the cache. */
export interface CacheOutcome {
    /** Whether the result came from the cache. */
    readonly hit: boolean;
    /** Why the cache could not read or store the result. These are neither warnings of the bake nor errors. */
    readonly warnings: readonly CacheWarning[];
}

/** Options of {@link openCache}. */
export interface CacheOptions extends ServerOptions {
    /** Whether nothing is written to the cache. Default false. */
    readOnly?: boolean;
    /**
     * Maximum number of bytes of an entry's files. Larger entries are neither read nor stored. Default 2^30, at most
     * 2^31 - 1.
     */
    maxEntryBytes?: number;
}

/** A cache of bakes and reductions, for the hook `cache` of `bakeFile` and `reduceFile`. */
export interface BakeCache {
    /** The folder, or the URL of the server. */
    readonly place: string;
    /**
     * Arguments for `openCache` in another thread.
     *
     * @internal
     */
    readonly options: CacheOptions;
    /**
     * Whether the cache is still in use. False after a lasting fault.
     *
     * @internal
     */
    readonly isUsed: boolean;
    /** @internal */
    find(key: string, limitsOf: LimitsOf, hooks: CacheHooks): Promise<FoundEntry | null>;
    /** @internal */
    keep(key: string, entry: Entry, hooks: CacheHooks): Promise<void>;
}

export interface CacheHooks {
    readonly signal?: AbortSignal | undefined;
    /** Called when the cache fails. */
    warn(warning: CacheWarning): void;
    /**
     * Returns the path to which a file would be written; null if it would not be. A file that exists there with the
     * right bytes is not fetched.
     */
    placeOf?(name: string): string | null;
}

/**
 * Returns the names of the files that an entry must have, with the maximum size of each.
 *
 * @param note The entry's note. It is not trusted.
 * @throws Any error for an entry that does not match.
 */
export type LimitsOf = (note: unknown) => Promise<ReadonlyMap<string, number>>;

/** The result of a bake or a reduction. */
export interface Entry {
    readonly files: ReadonlyMap<string, Uint8Array>;
    /** Further data, stored as JSON. */
    readonly note: unknown;
}

/** A file of an entry. If it is at its destination, its bytes are read on each access. */
interface FoundFile {
    readonly byteLength: number;
    /** SHA-256 in hex. */
    readonly hash: string;
    bytes(): Uint8Array;
}

export interface FoundEntry {
    readonly files: ReadonlyMap<string, FoundFile>;
    readonly note: unknown;
    /** Whether all files are at their destinations. */
    readonly inPlace: boolean;
}

/** Maximum size of an entry without its files, bytes. */
const MAX_ENTRY = 16 * 1024 * 1024;
const MAX_BYTES = 2 ** 31 - 1;
const DEFAULT_BYTES = 2 ** 30;
const MAX_FILES = 4096;
/** Milliseconds that each file adds to a server's time limit for an entry. */
const FILE_MILLISECONDS = 250;

/**
 * Opens a cache of bakes and reductions: a folder, or a server with Bazel's HTTP protocol, such as bazel-remote or
 * nginx with WebDAV. The bytes of a bake are the same on every machine, so different machines can share a cache.
 * Nothing is read or written before the first bake. Every fetched blob is checked by its SHA-256. The cache itself
 * decides which blobs belong to a bake, so anyone who can write to it can change the results.
 *
 * @param place Path of a folder, which is created if it is missing, or a URL.
 * @param options Access to the server, and whether the cache is only read.
 * @returns The cache, for any number of bakes at once.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; UsageError for a URL with a user name or a query, or an `http:` URL of another
 * machine without `insecure`.
 * @example
 * const cache = openCache('https://cache.example', { readOnly: true });
 * const bake = await bakeFile('hero.glb', { fps: 30 }, { cache });
 */
export function openCache(place: string, options: CacheOptions = {}): BakeCache {
    if (typeof place !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `openCache: place must be a folder or URL, got ${describe(place)}`);
    }
    const isUrl = isServer('cache', place);
    const {
        token,
        readOnly = false,
        insecure = false,
        timeout,
        maxEntryBytes,
    } = checkOptions('openCache', options) as CacheOptions;
    const given = { token, readOnly, insecure, timeout, maxEntryBytes };
    const needs = {
        token: 'string',
        readOnly: 'boolean',
        insecure: 'boolean',
        timeout: 'number',
        maxEntryBytes: 'number',
    } as const;
    for (const [name, need] of Object.entries(needs)) {
        const value = given[name as keyof typeof given];
        if (value === undefined || typeof value === need) continue;
        const rule = `options.${name} must be a ${need}, got ${describe(value)}`;
        throw typeError('ERR_ARGUMENT_TYPE', `openCache: ${rule}`);
    }
    if (maxEntryBytes !== undefined && !(maxEntryBytes >= 1 && maxEntryBytes <= MAX_BYTES)) {
        throw namingOptions((name) => {
            const rule = `must be bytes from 1 to ${MAX_BYTES}, got ${maxEntryBytes}`;
            return new UsageError(`cache: ${name('maxEntryBytes')} ${rule}`);
        });
    }
    const secret = token ?? (process.env.POSELANE_CACHE_TOKEN || undefined);
    const store = isUrl ? openServer(place, { token: secret, insecure, timeout }) : openFolder(place);
    return cacheIn(store, { ...given, token: secret });
}

export interface CachePlace {
    readonly place: string;
    readonly options: CacheOptions;
}

let opened: { readonly where: string; readonly cache: BakeCache } | undefined;

/** The cache of this thread. All its bakes share it, so that a fault is reported once. */
export function sharedCache({ place, options }: CachePlace): BakeCache {
    const where = JSON.stringify([place, options]);
    if (opened?.where !== where) opened = { where, cache: openCache(place, options) };
    return opened.cache;
}

/** @throws TypeError `ERR_ARGUMENT_TYPE` unless `cache` is a cache or undefined. */
export function checkCache(routine: string, cache: unknown): void {
    if (cache === undefined || typeof (cache as BakeCache | null)?.find === 'function') return;
    const rule = `hooks.cache must be what openCache gives, got ${describe(cache)}`;
    throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${rule}`);
}

/** Whether a warning applies to everything that follows. Each thread of a command reports it, but one is enough. */
export function isLasting({ code }: CacheWarning): boolean {
    return code === 'CACHE_LEFT_OUT' || code === 'CACHE_READ_ONLY';
}

interface Visit extends CacheHooks {
    /** Aborts with the caller's signal, and when a server takes too long for the whole entry. */
    readonly signal: AbortSignal;
    /** Extends the time limit for further files and bytes. */
    allow(files: number, bytes: number): void;
}

function cacheIn(store: Store, options: CacheOptions): BakeCache {
    let [reads, writes] = [true, !options.readOnly];
    const { maxEntryBytes = DEFAULT_BYTES } = options;
    /** A fault that would repeat is reported once, and ends the use of the cache. */
    const guarded = async <T>(hooks: CacheHooks, run: (visit: Visit) => Promise<T>, otherwise: T): Promise<T> => {
        const { signal, warn } = hooks;
        const within = limitedSignal(signal);
        const allow = (files: number, bytes: number) => {
            if (store.timeout === undefined) return;
            within.allow(store.timeout * 2 + files * FILE_MILLISECONDS + bytes / SLOWEST);
        };
        allow(0, 0);
        try {
            return await run({ ...hooks, signal: within.signal, allow });
        } catch (error) {
            signal?.throwIfAborted();
            const fault =
                within.signal.aborted && !(error instanceof StoreFault)
                    ? new StoreFault(whyFailed(within.signal.reason), { every: true })
                    : error;
            if (!(fault instanceof StoreFault)) throw fault;
            const { every, message } = fault;
            const known = every === 'put' ? !writes : !reads;
            if (every !== false) writes = false;
            if (every === true) reads = false;
            const [what, code]: [string, CacheCode] =
                every === false
                    ? ['', fault.code]
                    : every === 'put'
                      ? [' is only read now', 'CACHE_READ_ONLY']
                      : [' is left out now', 'CACHE_LEFT_OUT'];
            if (every === false || !known) warn({ code, message: `the cache '${store.place}'${what}: ${message}` });
            return otherwise;
        } finally {
            within.done();
        }
    };
    const cache = {
        place: store.place,
        get isUsed() {
            return reads || writes;
        },
        async find(key: string, limitsOf: LimitsOf, hooks: CacheHooks) {
            if (!reads) return null;
            return guarded(hooks, (visit) => findIn(store, key, limitsOf, maxEntryBytes, visit), null);
        },
        async keep(key: string, entry: Entry, hooks: CacheHooks) {
            if (writes) await guarded(hooks, (visit) => keepIn(store, key, entry, maxEntryBytes, visit), undefined);
        },
    } as BakeCache;
    // Not enumerable, so that logs do not show it: it contains the token.
    return Object.defineProperty(cache, 'options', { value: options });
}

interface Output {
    readonly path: string;
    readonly hash: string;
    readonly size: number;
}

/** The used part of `ActionResult` of Bazel's Remote Execution API, in the JSON form of protocol buffers. */
interface ActionResult {
    readonly outputFiles: readonly {
        readonly path: string;
        readonly digest: { readonly hash: string; readonly sizeBytes: string };
    }[];
    /** Base64 of {@link Sealed} as JSON. */
    readonly stdoutRaw: string;
}

interface Sealed {
    readonly note: unknown;
    readonly seal: string;
}

/** A hash that detects entries of another key, and damaged ones. It does not detect forged ones. */
function sealOf(key: string, outputs: readonly Output[], note: unknown): Promise<string> {
    const files = outputs.map(({ path, hash, size }) => [path, hash, size]);
    return sha256Of([Buffer.from(JSON.stringify([key, files, note]))]);
}

async function findIn(
    store: Store,
    key: string,
    limitsOf: LimitsOf,
    maxBytes: number,
    { signal, placeOf, allow }: Visit,
): Promise<FoundEntry | null> {
    const bytes = await store.get('ac', key, MAX_ENTRY, signal);
    if (bytes === null) return null;
    const { outputs, note } = await entryOf(bytes, key, limitsOf);
    const total = outputs.reduce((sum, { size }) => sum + size, 0);
    refuseLarge(outputs.length, total, maxBytes);
    allow(outputs.length, total);
    const paths = outputs.map(({ path }) => placeOf?.(path) ?? null);
    const inPlace = await areInPlace(outputs, paths, signal);
    const files = new Map<string, FoundFile>();
    for (const [i, { path, hash, size }] of outputs.entries()) {
        if (inPlace) {
            await store.use('cas', hash);
            files.set(path, { byteLength: size, hash, bytes: () => readFileSync(paths[i]!) });
            continue;
        }
        const blob = await store.get('cas', hash, size, signal);
        if (blob === null) throw faulty(`it has '${path}' no longer`);
        if (blob.byteLength !== size || (await hashOf(blob)) !== hash)
            throw faulty(`it has other bytes than it should for '${path}'`);
        files.set(path, { byteLength: size, hash, bytes: () => blob });
    }
    return { files, note, inPlace };
}

/** Also false if the file system fails. All files are then fetched. */
async function areInPlace(
    outputs: readonly Output[],
    paths: readonly (string | null)[],
    signal: AbortSignal,
): Promise<boolean> {
    try {
        for (const [i, { hash, size }] of outputs.entries()) {
            const path = paths[i]!;
            if (path === null || !(await hasHash(path, size, hash, signal))) return false;
        }
        return true;
    } catch {
        signal.throwIfAborted();
        return false;
    }
}

async function hasHash(path: string, size: number, hash: string, signal: AbortSignal): Promise<boolean> {
    const own = createHash('sha256');
    const add = (piece: Uint8Array) => {
        own.update(piece);
        return true;
    };
    return (await isInPlace(path, size, add, { signal })) && own.digest('hex') === hash;
}

/** From this number of bytes on, another thread calculates the hash, so that several files are hashed at once. */
const LARGE = 2 ** 20;

export async function hashOf(bytes: Uint8Array): Promise<string> {
    const there = bytes.byteLength < LARGE ? null : await subtleSha256(bytes);
    return there ?? sha256Of([bytes]);
}

async function keepIn(
    store: Store,
    key: string,
    { files, note }: Entry,
    maxBytes: number,
    { signal, allow }: Visit,
): Promise<void> {
    const total = [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    refuseLarge(files.size, total, maxBytes);
    allow(files.size, total);
    const outputs: Output[] = [];
    // Servers accept an entry only after its blobs.
    for (const [path, bytes] of files) {
        const hash = await hashOf(bytes);
        await store.put('cas', hash, bytes, signal);
        outputs.push({ path, hash, size: bytes.byteLength });
    }
    const sealed: Sealed = { note, seal: await sealOf(key, outputs, note) };
    const entry: ActionResult = {
        outputFiles: outputs.map(({ path, hash, size }) => ({ path, digest: { hash, sizeBytes: String(size) } })),
        stdoutRaw: Buffer.from(JSON.stringify(sealed)).toString('base64'),
    };
    await store.put('ac', key, Buffer.from(JSON.stringify(entry)), signal);
}

/** All files are in memory at once. */
function refuseLarge(files: number, bytes: number, maxBytes: number): void {
    if (files <= MAX_FILES && bytes <= maxBytes) return;
    const what = files > MAX_FILES ? `${files} files, more than ${MAX_FILES}` : `${bytes} bytes, more than ${maxBytes}`;
    const fix = files > MAX_FILES ? '' : '; maxEntryBytes (--cache-max-entry) raises the limit';
    throw new StoreFault(`an entry of ${what} is neither taken nor kept${fix}`, { code: 'CACHE_ENTRY_TOO_LARGE' });
}

/** @throws StoreFault unless the bytes are an entry of poselane with the right files. */
async function entryOf(bytes: Uint8Array, key: string, limitsOf: LimitsOf) {
    try {
        const { outputFiles, stdoutRaw } = objectOf(JSON.parse(Buffer.from(bytes).toString()));
        const outputs = listOf(outputFiles, (file): Output => {
            const { path, digest } = objectOf(file);
            const { hash, sizeBytes } = objectOf(digest);
            const size = /^\d{1,15}$/.test(textOf(sizeBytes)) ? Number(sizeBytes) : NaN;
            return { path: textOf(path), hash: hashText(hash), size };
        });
        const { note, seal } = objectOf(JSON.parse(Buffer.from(textOf(stdoutRaw), 'base64').toString()));
        if (seal !== (await sealOf(key, outputs, note))) throw new Error('no seal');
        const limits = await limitsOf(note);
        const paths = new Set(outputs.map(({ path }) => path));
        const isPlain = (name: string) => name !== '..' && basename(name) === name;
        const isWanted = ({ path, size }: Output) => path.split('/').every(isPlain) && size <= (limits.get(path) ?? -1);
        if (paths.size !== outputs.length || paths.size !== limits.size || !outputs.every(isWanted))
            throw new Error('other files');
        return { outputs, note };
    } catch (cause) {
        throw notOurs(key, cause);
    }
}

/** A fault of an entry that another program wrote. */
export function notOurs(key: string, cause?: unknown): StoreFault {
    return faulty(`its entry ${key} is not one of poselane`, cause);
}
