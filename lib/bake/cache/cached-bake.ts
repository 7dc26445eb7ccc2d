// SPDX-License-Identifier: MIT

/** A bake by way of a cache: what it is found by, and what is kept of it. */

import { basename, dirname, resolve } from 'node:path';
import type { Warning } from '../../gltf/scene';
import { stemOf } from '../../names';
import type { ClipInput } from '../../rig/clips/read';
import type { BakeResult, BakeStats } from '../bake';
import { filesOf } from '../baked-files';
import type { WorstPlace } from '../clip';
import type { Manifest } from '../manifest';
import { OWN_FILES, type Recipe } from '../options';
import type { BakeCache, Entry, FoundEntry } from './cache';
import { findKept, hashesOf, type Kept, keyOf, type Search, type SearchHooks, throughCache } from './through';

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
    return throughCache({ cache, signal }, await keptAs(inputs, recipe), bake);
}

/**
 * Looks for a bake.
 *
 * @throws The signal's reason.
 */
export async function findBake(
    inputs: readonly ClipInput[],
    recipe: Recipe,
    hooks: SearchHooks,
): Promise<Search<BakeResult>> {
    return findKept(hooks, await keptAs(inputs, recipe));
}

async function keptAs(inputs: readonly ClipInput[], recipe: Recipe): Promise<Kept<BakeResult>> {
    const started = performance.now();
    const known = await knownBy(inputs, recipe);
    return {
        key: known?.key ?? null,
        entryOf,
        resultOf: (entry) => {
            const result = resultOf(entry, stemOf(basename(inputs[0]!.files.file)), recipe, started);
            return { ...result, inputs: known!.paths };
        },
    };
}

/**
 * The key of the files and their names, the buffers beside them and, for files of the whole input, images, and of the recipe.
 *
 * @returns Null where a file cannot be read. `paths` are those of all files.
 */
async function knownBy(inputs: readonly ClipInput[], { animations, ...recipe }: Recipe) {
    try {
        const whole = OWN_FILES.some((name) => recipe.emit.has(name));
        const hashed: unknown[] = [];
        const paths: string[] = [];
        for (const { files, isPath } of inputs) {
            const { references, hashes } = await hashesOf(files, whole);
            hashed.push(hashes);
            if (isPath) paths.push(...pathsOf(files.file, references));
        }
        return { key: await keyOf('poselane-bake', hashed, recipe), paths };
    } catch {
        return null;
    }
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
    { files, note }: FoundEntry,
    stem: string,
    { emit }: Recipe,
    started: number,
): Omit<BakeResult, 'cache' | 'inputs'> {
    const { outputs, files: own, stats, warnings } = note as Note;
    const fileOf = (name: string) => {
        const file = files.get(name);
        if (file === undefined) throw new Error(`no ${name}`);
        return file;
    };
    const expected = ['glb', 'vat'].filter((kind) => emit.has(kind === 'vat' ? 'pvat' : 'glb'));
    if (own.join() !== expected.map((kind) => `${stem}.baked.${kind}`).join()) throw new Error('other files');
    const { clips, animations, frames, jointFrames, joints, attachments } = stats;
    if (![clips, frames, jointFrames, ...animations, ...joints, ...attachments].every(Number.isFinite))
        throw new Error('no stats');
    return {
        outputs: outputs.map(({ stem: name, skin, worst }) => {
            if (name !== stem && name !== `${stem}.skin${skin}`) throw new Error('another stem');
            if (worst !== null && !(Number.isFinite(worst.animation) && Number.isFinite(worst.time))) throw new Error();
            const json = Buffer.from(fileOf(`${name}.bake.json`).bytes()).toString();
            const bin = fileOf(`${name}.bake.bin`);
            const manifest = JSON.parse(json) as Manifest;
            const { format, binary } = manifest;
            if (format !== 'poselane-bake' || binary.byteLength !== bin.byteLength) throw new Error('no manifest');
            if (!manifest.clips.every(({ error }) => Number.isFinite(error.maxLerpShare))) throw new Error('no errors');
            return withBytes({ stem: name, skin, manifest, json, worst }, 'bin', bin.bytes);
        }),
        files: own.map((name) => {
            const { byteLength, bytes } = fileOf(name);
            // Out of sight: a bake that is not from the cache has none.
            return withBytes(Object.defineProperty({ name }, 'byteLength', { value: byteLength }), 'bytes', bytes);
        }),
        stats: {
            clips,
            animations,
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

/** Bytes that are read once they are asked for. */
function withBytes<T extends object, K extends string>(object: T, name: K, read: () => Uint8Array) {
    return Object.defineProperty(object, name, { enumerable: true, get: read }) as T & Readonly<Record<K, Uint8Array>>;
}

/** Absolute paths of an input and of what it refers to. */
export function pathsOf(file: string, references: readonly string[] = []): string[] {
    return [resolve(file), ...references.map((path) => resolve(dirname(file), path))];
}
