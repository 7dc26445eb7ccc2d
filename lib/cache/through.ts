// SPDX-License-Identifier: MIT

/** Results that are made from glTF files through a cache: their key, and how they are stored. */

import { basename } from 'node:path';
import { packageVersion } from '../addon/load';
import { sha256Of } from '../files/sha256';
import { checkLive, openContainer, splitFile } from '../gltf/container';
import type { InputFiles } from '../gltf/input';
import type { JsonObject } from '../gltf/json';
import { createReport } from '../gltf/reading';
import { fileUrisOf, referencesOf } from '../gltf/references';
import { STRICT_VERSION } from '../strict/version';
import {
    type BakeCache,
    type CacheHooks,
    type CacheOutcome,
    type CacheWarning,
    type Entry,
    type FoundEntry,
    hashOf,
    type LimitsOf,
    notOurs,
} from './cache';

/** The key of a result, and its conversion to an entry of a cache and back. */
export interface Kept<T> {
    /** Null if a file cannot be read. The result is then made, which reports the fault. */
    readonly key: string | null;
    entryOf(made: T): Entry;
    readonly limitsOf: LimitsOf;
    /** @throws Error for a damaged or foreign entry: later code relies on every type. */
    resultOf(entry: FoundEntry): Promise<T>;
}

export interface SearchHooks extends Pick<CacheHooks, 'placeOf'> {
    readonly cache: BakeCache;
    readonly signal?: AbortSignal | undefined;
}

export interface Search<T> {
    /** Null if it was not found. */
    readonly found: T | null;
    /** Whether all its files are at their destinations. Their bytes are then read on access. */
    readonly inPlace: boolean;
    /** Faults of the cache. */
    readonly warnings: CacheWarning[];
}

/**
 * Returns the result from the cache, or makes and stores it. Without a cache, only makes it.
 *
 * @param keptAs How the result is stored.
 * @throws Errors of `make`; the signal's reason.
 */
export async function throughCache<T extends object>(
    { cache, signal }: { readonly cache?: BakeCache | undefined; readonly signal?: AbortSignal | undefined },
    keptAs: () => Promise<Kept<T>>,
    make: () => Promise<T>,
): Promise<T & { readonly cache?: CacheOutcome }> {
    if (cache === undefined) return make();
    const kept = await keptAs();
    const { found, warnings } = await findKept({ cache, signal }, kept);
    if (found !== null) return found;
    const made = await make();
    const warn = (warning: CacheWarning) => warnings.push(warning);
    if (kept.key !== null) await cache.keep(kept.key, kept.entryOf(made), { signal, warn });
    return { ...made, cache: { hit: false, warnings } };
}

/** @throws The signal's reason. */
export async function findKept<T extends object>(
    { cache, signal, placeOf }: SearchHooks,
    { key, limitsOf, resultOf }: Kept<T>,
): Promise<Search<T & { readonly cache: CacheOutcome }>> {
    const warnings: CacheWarning[] = [];
    const hooks: CacheHooks = { signal, placeOf, warn: (warning) => warnings.push(warning) };
    const entry = key === null ? null : await cache.find(key, limitsOf, hooks);
    if (entry === null) return { found: null, inPlace: false, warnings };
    try {
        const found = { ...(await resultOf(entry)), cache: { hit: true, warnings } };
        return { found, inPlace: entry.inPlace, warnings };
    } catch {
        signal?.throwIfAborted();
        const { code, message } = notOurs(key!);
        hooks.warn({ code, message: `the cache '${cache.place}': ${message}` });
        return { found: null, inPlace: false, warnings };
    }
}

/**
 * SHA-256 of everything that a result depends on: files, recipe, and the versions of the kernels and of the package.
 * Nothing of the machine: see docs/numerics.md.
 *
 * @param kind Kind of result.
 * @param hashed Result of `hashesOf`.
 * @param recipe Numbers, strings, lists, sets, regular expressions.
 */
export function entryHash(kind: string, hashed: unknown, recipe: unknown): Promise<string> {
    const all = [kind, packageVersion(), STRICT_VERSION, hashed, recipe];
    return sha256Of([Buffer.from(JSON.stringify(all, plain))]);
}

function plain(_: string, value: unknown): unknown {
    if (value instanceof Set) return [...value].sort();
    if (value instanceof RegExp || typeof value === 'number') return String(value);
    return value;
}

/**
 * A file's name, and the hashes of it and of the buffers beside it.
 *
 * @param whole Whether to hash images too.
 * @returns Also the paths of all files that it refers to, and a function that parses its JSON.
 * @throws Errors of reading.
 */
export async function hashesOf(files: InputFiles, whole: boolean) {
    const bytes = await files.load();
    const json = await referringJson(files.file, bytes);
    const beside: [path: string, hash: string | null][] = [];
    for (const path of new Set(fileUrisOf(whole ? json : { buffers: json.buffers }).values())) {
        // A missing image is a warning. A missing buffer is an error, which its reader reports.
        const found = await files.resolve(path).catch(() => null);
        beside.push([path, found && (await hashOf(found))]);
    }
    const jsonOf = async () => (await openContainer(() => bytes, createReport(files.file))).json;
    return { references: referencesOf(json), hashes: [basename(files.file), await hashOf(bytes), beside], jsonOf };
}

const BACKSLASH = 0x5c;

/**
 * The JSON of a file. Empty if it cannot refer to another file, because parsing would take about half of the remaining
 * time.
 */
async function referringJson(file: string, bytes: Uint8Array): Promise<JsonObject> {
    const report = createReport(file);
    checkLive(bytes, report);
    const { buffer, byteOffset, byteLength } = splitFile(bytes, report).json;
    const text = Buffer.from(buffer, byteOffset, byteLength);
    // A backslash could be an escape within the name.
    if (!text.includes('uri"') && !text.includes(BACKSLASH)) return {};
    return (await openContainer(() => bytes, report)).json;
}
