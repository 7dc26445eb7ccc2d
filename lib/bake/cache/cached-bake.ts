// SPDX-License-Identifier: MIT

/** A bake by way of a cache: what it is found by, and what is kept of it. */

import { basename, dirname, resolve } from 'node:path';
import { packageVersion } from '../../addon/load';
import { openContainer, splitFile } from '../../gltf/container';
import type { InputFiles } from '../../gltf/input';
import type { JsonObject } from '../../gltf/json';
import { fileUrisOf, referencesOf } from '../../gltf/references';
import { createReport } from '../../gltf/report';
import type { Warning } from '../../gltf/scene';
import { stemOf } from '../../names';
import type { ClipInput } from '../../rig/clips/read';
import { STRICT_VERSION } from '../../strict/version';
import type { BakeResult, BakeStats } from '../bake';
import { filesOf } from '../baked-files';
import type { WorstPlace } from '../clip';
import type { Manifest } from '../manifest';
import { OWN_FILES, type Recipe } from '../options';
import { sha256Of } from '../sha256';
import { type BakeCache, type CacheHooks, type Entry, hashOf } from './cache';

/** Kept beside the files. */
interface Note {
    readonly outputs: readonly {
        readonly stem: string;
        readonly skin: number | null;
        readonly worst: WorstPlace | null;
    }[];
    readonly files: readonly string[];
    readonly stats: Omit<BakeStats, 'milliseconds' | 'evaluationMilliseconds'>;
    readonly warnings: readonly Warning[];
}

/**
 * The bake from the cache, or a new one, which is kept. Without a cache, a new one.
 *
 * @param inputs The input and those with more clips, each file of which must be the same whenever it is read.
 * @param bake Bakes these files.
 * @throws What `bake` throws; the signal's reason.
 */
export async function bakeThrough(
    inputs: readonly ClipInput[],
    recipe: Recipe,
    { cache, signal }: { readonly cache?: BakeCache; readonly signal?: AbortSignal },
    bake: () => Promise<BakeResult>,
): Promise<BakeResult> {
    if (cache === undefined) return bake();
    const { found, key, warnings } = await findBake(inputs, recipe, cache, signal);
    if (found !== null) return found;
    const result = await bake();
    const warn = (message: string) => warnings.push(message);
    if (key !== null) await cache.keep(key, entryOf(result), { signal, warn });
    return { ...result, cache: { hit: false, warnings } };
}

/**
 * Looks for a bake.
 *
 * @returns The bake, or null; its key, null where a file cannot be read: the bake says why; and what is wrong with the cache.
 * @throws The signal's reason.
 */
export async function findBake(
    inputs: readonly ClipInput[],
    recipe: Recipe,
    cache: BakeCache,
    signal: AbortSignal | undefined,
): Promise<{ found: BakeResult | null; key: string | null; warnings: string[] }> {
    const started = performance.now();
    const warnings: string[] = [];
    const hooks: CacheHooks = { signal, warn: (message) => warnings.push(message) };
    const known = await keyOf(inputs, recipe);
    if (known === null) return { found: null, key: null, warnings };
    const { key, paths } = known;
    const entry = await cache.find(key, hooks);
    if (entry === null) return { found: null, key, warnings };
    try {
        const result = resultOf(entry, stemOf(basename(inputs[0]!.files.file)), recipe, started);
        return { found: { ...result, inputs: paths, cache: { hit: true, warnings } }, key, warnings };
    } catch {
        hooks.warn(`the cache '${cache.place}': its entry ${key} is none of a bake; baked again`);
        return { found: null, key, warnings };
    }
}

/**
 * SHA-256 of everything that the outputs depend on: the files and their names, the buffers beside them and, for files of the whole input,
 * images, the recipe, and the versions of the kernels and of the package. Nothing of the machine: see docs/numerics.md.
 *
 * @returns Null where a file cannot be read. `paths` are those of all files.
 */
async function keyOf(inputs: readonly ClipInput[], { animations, ...recipe }: Recipe) {
    try {
        const whole = OWN_FILES.some((name) => recipe.emit.has(name));
        const hashed: unknown[] = [];
        const paths: string[] = [];
        for (const { files, isPath } of inputs) {
            const { references, hashes } = await hashesOf(files, whole);
            hashed.push(hashes);
            if (isPath) paths.push(...pathsOf(files.file, references));
        }
        const all = ['poselane-bake', packageVersion(), STRICT_VERSION, hashed, recipe];
        return { key: await sha256Of([Buffer.from(JSON.stringify(all, plain))]), paths };
    } catch {
        return null;
    }
}

const BACKSLASH = 0x5c;

/** The JSON of a file; an empty one where it can refer to no file, because to parse it would take as long as half of the rest. */
async function referringJson(file: string, bytes: Uint8Array): Promise<JsonObject> {
    const report = createReport(file);
    const { buffer, byteOffset, byteLength } = splitFile(bytes, report).json;
    const text = Buffer.from(buffer, byteOffset, byteLength);
    // A backslash could write the name otherwise.
    if (!text.includes('uri"') && !text.includes(BACKSLASH)) return {};
    return (await openContainer(() => bytes, report)).json;
}

async function hashesOf(files: InputFiles, whole: boolean) {
    const bytes = await files.load();
    const json = await referringJson(files.file, bytes);
    const beside: [path: string, hash: string | null][] = [];
    for (const path of new Set(fileUrisOf(whole ? json : { buffers: json.buffers }).values())) {
        // A missing image is a warning, a missing buffer the bake's own error.
        const found = await files.resolve(path).catch(() => null);
        beside.push([path, found && (await hashOf(found))]);
    }
    return { references: referencesOf(json), hashes: [basename(files.file), await hashOf(bytes), beside] };
}

/** What JSON has no words for. */
function plain(_: string, value: unknown): unknown {
    if (value instanceof Set) return [...value].sort();
    if (value instanceof RegExp || typeof value === 'number') return String(value);
    return value;
}

function entryOf({ outputs, files, stats, warnings }: BakeResult): Entry {
    const { milliseconds, evaluationMilliseconds, ...counts } = stats;
    const note: Note = {
        outputs: outputs.map(({ stem, skin, worst }) => ({ stem, skin, worst })),
        files: files.map(({ name }) => name),
        stats: counts,
        warnings,
    };
    return { files: new Map(filesOf({ outputs, files }, 'files').map(({ name, bytes }) => [name, bytes])), note };
}

/** @throws Whatever, for an entry that somebody else made: none of it may do harm later. */
function resultOf(
    { files, note }: Entry,
    stem: string,
    { emit }: Recipe,
    started: number,
): Omit<BakeResult, 'cache' | 'inputs'> {
    const { outputs, files: own, stats, warnings } = note as Note;
    const fileOf = (name: string) => {
        const bytes = files.get(name);
        if (bytes === undefined) throw new Error(`no ${name}`);
        return bytes;
    };
    const expected = ['glb', 'vat'].filter((kind) => emit.has(kind === 'vat' ? 'pvat' : 'glb'));
    if (own.join() !== expected.map((kind) => `${stem}.baked.${kind}`).join()) throw new Error('other files');
    const { clips, frames, jointFrames, joints, attachments } = stats;
    if (![clips, frames, jointFrames, ...joints, ...attachments].every(Number.isFinite)) throw new Error('no stats');
    return {
        outputs: outputs.map(({ stem: name, skin, worst }) => {
            if (name !== stem && name !== `${stem}.skin${skin}`) throw new Error('another stem');
            if (worst !== null && !(Number.isFinite(worst.animation) && Number.isFinite(worst.time))) throw new Error();
            const json = Buffer.from(fileOf(`${name}.bake.json`)).toString();
            const bin = fileOf(`${name}.bake.bin`);
            const manifest = JSON.parse(json) as Manifest;
            const { format, binary } = manifest;
            if (format !== 'poselane-bake' || binary.byteLength !== bin.byteLength) throw new Error('no manifest');
            if (!manifest.clips.every(({ error }) => Number.isFinite(error.maxLerpShare))) throw new Error('no errors');
            return { stem: name, skin, manifest, json, bin, worst };
        }),
        files: own.map((name) => ({ name, bytes: fileOf(name) })),
        stats: {
            clips,
            frames,
            joints,
            attachments,
            jointFrames,
            milliseconds: performance.now() - started,
            evaluationMilliseconds: 0,
        },
        warnings: warnings.map(({ code, pointer, message }) => ({
            code: String(code),
            pointer: String(pointer),
            message: String(message),
        })),
    };
}

/** Absolute paths of an input and of what it refers to. */
export function pathsOf(file: string, references: readonly string[] = []): string[] {
    return [resolve(file), ...references.map((path) => resolve(dirname(file), path))];
}
