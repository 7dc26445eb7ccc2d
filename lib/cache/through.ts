// SPDX-License-Identifier: MIT

/** Whatever is made of glTF files by way of a cache: what it is found by, and how it is kept. */

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

/** Where something is kept, and how it is made into an entry of a cache, and back. */
export interface Kept<T> {
    /** Null where a file cannot be read: then it is made, which says what is wrong with the file. */
    readonly key: string | null;
    entryOf(made: T): Entry;
    readonly limitsOf: LimitsOf;
    /** @throws Error for a damaged or foreign entry: everything that later code reads has its type. */
    resultOf(entry: FoundEntry): Promise<T>;
}

/** Where something is looked for. */
export interface SearchHooks extends Pick<CacheHooks, 'placeOf'> {
    readonly cache: BakeCache;
    readonly signal?: AbortSignal | undefined;
}

/** What a search came to. */
export interface Search<T> {
    /** Null where it is not there. */
    readonly found: T | null;
    /** Whether all its files are where they would be written: then their bytes are read only where something asks for them. */
    readonly inPlace: boolean;
    /** What is wrong with the cache. */
    readonly warnings: CacheWarning[];
}

/**
 * What the cache has, or what is made now, which is kept.
 *
 * @throws What `make` throws; the signal's reason.
 */
export async function throughCache<T extends object>(
    hooks: SearchHooks,
    kept: Kept<T>,
    make: () => Promise<T>,
): Promise<T & { readonly cache: CacheOutcome }> {
    const { found, warnings } = await findKept(hooks, kept);
    if (found !== null) return found;
    const made = await make();
    const { cache, signal } = hooks;
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
 * SHA-256 of everything that a result depends on: files, what is wanted of them, and the versions of the kernels and of the
 * package. Nothing of the machine: see docs/numerics.md.
 *
 * @param kind Of results.
 * @param hashed As `hashesOf` gives it.
 * @param recipe Numbers, strings, lists, sets, expressions.
 */
export function keyOf(kind: string, hashed: unknown, recipe: unknown): Promise<string> {
    const all = [kind, packageVersion(), STRICT_VERSION, hashed, recipe];
    return sha256Of([Buffer.from(JSON.stringify(all, plain))]);
}

/** What JSON has no words for. */
function plain(_: string, value: unknown): unknown {
    if (value instanceof Set) return [...value].sort();
    if (value instanceof RegExp || typeof value === 'number') return String(value);
    return value;
}

/**
 * A file's name, and the hashes of it and of the buffers beside it.
 *
 * @param whole Whether of images, too.
 * @returns With all that it refers to, and a function that parses its JSON.
 * @throws What reading throws.
 */
export async function hashesOf(files: InputFiles, whole: boolean) {
    const bytes = await files.load();
    const json = await referringJson(files.file, bytes);
    const beside: [path: string, hash: string | null][] = [];
    for (const path of new Set(fileUrisOf(whole ? json : { buffers: json.buffers }).values())) {
        // A missing image is a warning, a missing buffer an error of whoever reads it.
        const found = await files.resolve(path).catch(() => null);
        beside.push([path, found && (await hashOf(found))]);
    }
    const jsonOf = async () => (await openContainer(() => bytes, createReport(files.file))).json;
    return { references: referencesOf(json), hashes: [basename(files.file), await hashOf(bytes), beside], jsonOf };
}

const BACKSLASH = 0x5c;

/** The JSON of a file; an empty one where it can refer to no file, because to parse it would take as long as half of the rest. */
async function referringJson(file: string, bytes: Uint8Array): Promise<JsonObject> {
    const report = createReport(file);
    checkLive(bytes, report);
    const { buffer, byteOffset, byteLength } = splitFile(bytes, report).json;
    const text = Buffer.from(buffer, byteOffset, byteLength);
    // A backslash could write the name otherwise.
    if (!text.includes('uri"') && !text.includes(BACKSLASH)) return {};
    return (await openContainer(() => bytes, report)).json;
}
