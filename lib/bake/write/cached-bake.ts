// SPDX-License-Identifier: MIT

/** Bakes that go through a cache: the key, and the data that is kept. */

import { basename, dirname, resolve } from 'node:path';
import { stemOf } from '../../base/names';
import type { Entry, FoundEntry } from '../../cache/cache';
import { entryHash, hashesOf, type Kept } from '../../cache/through';
import { amountOf, countOf, listOf, objectOf, orNull, textOf, warningsOf } from '../../cache/values';
import type { Manifest } from '../../format/manifest';
import { strictManifest } from '../../format/strict-manifest';
import { openContainer } from '../../gltf/container';
import type { JsonObject } from '../../gltf/json';
import { createReport } from '../../gltf/reading';
import type { Warning } from '../../gltf/scene';
import type { ClipInput } from '../../rig/retarget/read';
import { STRICT_VERSION } from '../../strict/version';
import type { BakeResult, BakeStats } from '../bake';
import type { WorstPlace } from '../clip';
import { type Emit, hasArrays, OWN_FILES, ownNames, type Recipe } from '../plan/options';
import { checkVat } from '../pvat/container';
import { filesOf } from './baked-files';
import { namesOf } from './container';

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

interface Sought {
    readonly key: string;
    readonly paths: readonly string[];
    readonly recipe: Recipe;
    readonly name: string;
    readonly jsonOf: () => Promise<JsonObject>;
}

/** Maximum size of a manifest, which is parsed. One of 65,536 joints has less than 10 MB. */
const MANIFEST_BYTES = 2 ** 26;

/** @param inputs The input and the files with further clips. Each must have the same bytes at every read. */
export async function keptBake(inputs: readonly ClipInput[], recipe: Recipe): Promise<Kept<BakeResult>> {
    const started = performance.now();
    const sought = await soughtFor(inputs, recipe);
    return {
        key: sought?.key ?? null,
        entryOf,
        limitsOf: async (note) => limitsOf(noteOf(note, sought!)),
        resultOf: async (entry) => {
            const result = await resultOf(entry, sought!, started);
            return { ...result, inputs: sought!.paths };
        },
    };
}

/**
 * The key: a hash of the files and their names, their buffers, the recipe and, for files of the whole input, images.
 *
 * @returns Null if a file cannot be read.
 */
async function soughtFor(inputs: readonly ClipInput[], recipe: Recipe): Promise<Sought | null> {
    const { animations, ...rest } = recipe;
    try {
        const whole = OWN_FILES.some((name) => recipe.emit.has(name));
        const hashed: unknown[] = [];
        const paths: string[] = [];
        const read: (() => Promise<JsonObject>)[] = [];
        for (const { files, isPath } of inputs) {
            const { references, hashes, jsonOf } = await hashesOf(files, whole);
            hashed.push(hashes);
            read.push(jsonOf);
            if (isPath) paths.push(...pathsOf(files.file, references));
        }
        const key = await entryHash('poselane-bake-3', hashed, rest);
        return { key, paths, recipe, name: basename(inputs[0]!.files.file), jsonOf: read[0]! };
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

/** @throws Any error if it is not the note of a bake with this recipe. */
function noteOf(value: unknown, { recipe, name }: Sought): Note {
    const { emit, skin: wanted, strict } = recipe;
    const stem = stemOf(name);
    const note = objectOf(value);
    const stats = objectOf(note.stats);
    const outputs = listOf(note.outputs, (item) => {
        const { stem, skin, worst } = objectOf(item);
        return { stem: textOf(stem), skin: orNull(skin, countOf), worst: orNull(worst, placeOf) };
    });
    if (outputs.length > 0 !== hasArrays(emit)) throw new Error('other outputs');
    const isOne = wanted !== undefined || outputs.length === 1;
    for (const [i, { stem: own, skin }] of outputs.entries()) {
        if (own !== (isOne ? stem : `${stem}.skin${skin}`)) throw new Error('another stem');
        if (i > 0 && (isOne || !(outputs[i - 1]!.skin! < skin!))) throw new Error('other skins');
    }
    const files = listOf(note.files, textOf);
    const expected = OWN_FILES.flatMap((name) => (emit.has(name) ? ownNames(recipe, name, stem) : []));
    if (files.join(':') !== expected.join(':')) throw new Error('other files');
    return {
        outputs,
        files,
        stats: {
            clips: countOf(stats.clips),
            animations: listOf(stats.animations, countOf),
            frames: countOf(stats.frames),
            joints: listOf(stats.joints, countOf),
            attachments: listOf(stats.attachments, countOf),
            jointFrames: countOf(stats.jointFrames),
        },
        warnings: warningsOf(note.warnings, strict),
    };
}

function placeOf(value: unknown): WorstPlace {
    const { animation, column, what, time } = objectOf(value);
    return { animation: countOf(animation), column: countOf(column), what: textOf(what), time: amountOf(time) };
}

function limitsOf({ outputs, files }: Note): ReadonlyMap<string, number> {
    return new Map([
        ...files.map((name) => [name, Infinity] as const),
        ...outputs.flatMap(({ stem }) => {
            const [bin, json] = namesOf(stem, 'files');
            return [[bin, Infinity] as const, [json!, MANIFEST_BYTES] as const];
        }),
    ]);
}

/** @throws Error for a damaged or foreign entry: later code relies on every type. */
async function resultOf(
    { files, note, inPlace }: FoundEntry,
    sought: Sought,
    started: number,
): Promise<Omit<BakeResult, 'cache' | 'inputs'>> {
    const { outputs, files: own, stats, warnings } = noteOf(note, sought);
    const input = await sought.jsonOf();
    const found = outputs.map(({ stem, skin, worst }) => {
        const [binName, jsonName] = namesOf(stem, 'files');
        const bin = files.get(binName)!;
        const { manifest, json } = strictManifest(files.get(jsonName!)!.bytes(), bin.byteLength);
        const { uri, sha256 } = manifest.binary;
        if (uri !== encodeURIComponent(binName) || sha256 !== bin.hash) throw new Error('another bin');
        if ((manifest.skin?.index ?? null) !== skin) throw new Error('another skin');
        checkManifestFor(manifest, sought, input);
        return withBytes({ stem, skin, manifest, json, worst }, 'bin', bin.bytes);
    });
    checkSkins(found, sought, input);
    checkStats(found, stats);
    // Files already at their destination were checked before they were written.
    for (const name of inPlace ? [] : own) await checkOwn(name, files.get(name)!.bytes());
    return {
        outputs: found,
        files: own.map((name) => {
            const { byteLength, bytes } = files.get(name)!;
            // Not enumerable: a bake that is not from the cache does not have it.
            return withBytes(Object.defineProperty({ name }, 'byteLength', { value: byteLength }), 'bytes', bytes);
        }),
        stats: { ...stats, milliseconds: performance.now() - started, evaluationMilliseconds: 0 },
        warnings,
    };
}

/** @throws Error for a manifest of another recipe or input. */
function checkManifestFor(
    { source, recipe: made, skin, arrays, clips, warnings }: Manifest,
    sought: Sought,
    input: JsonObject,
): void {
    const { emit, rate, window, space, from, to, layout, dtype, renormalize, strict, clipRecipe } = sought.recipe;
    const isSame =
        source.name === sought.name &&
        made.kernel === STRICT_VERSION &&
        made.end === window.end &&
        made.space === space &&
        made.from === from &&
        made.to === to &&
        made.renormalize === (renormalize || undefined) &&
        (typeof rate === 'string' || rate.join() === made.fps.join());
    if (!isSame) throw new Error('another recipe');
    if (strict && warnings.length > 0) throw new Error('warnings');
    const { palette } = arrays;
    if (!Object.keys(arrays).every((name) => emit.has(name as Emit))) throw new Error('other arrays');
    if ((palette !== undefined) !== emit.has('palette')) throw new Error('no palette');
    if (palette !== undefined && (palette.layout !== layout || palette.dtype !== dtype)) throw new Error('a layout');
    const animations = clipRecipe === null ? itemsOf(input.animations).length : Infinity;
    if (!clips.every(({ animation }) => animation < animations)) throw new Error('other clips');
    const joints = skin === null ? [] : itemsOf(itemsOf(input.skins)[skin.index]?.joints);
    if ((skin?.joints ?? []).map(({ node }) => node).join() !== joints.join()) throw new Error('other joints');
}

function itemsOf(value: unknown): readonly JsonObject[] {
    return Array.isArray(value) ? value : [];
}

/** Checks that each skin of the input, or the one requested, is in exactly one output. */
function checkSkins(outputs: BakeResult['outputs'], { recipe }: Sought, input: JsonObject): void {
    if (outputs.length === 0) return;
    const skins = outputs.flatMap(({ manifest: { skin } }) => [
        ...(skin?.indices ?? []),
        ...(skin?.rescaled ?? []).map((one) => one.skin),
    ]);
    const expected = recipe.skin === undefined ? [...itemsOf(input.skins).keys()] : [recipe.skin];
    const all = new Set(skins);
    const isExact = recipe.skin !== undefined || skins.length === expected.length;
    if (!isExact || !expected.every((skin) => all.has(skin))) throw new Error('other skins');
}

/** @throws Error unless the counts in the note match the outputs. */
function checkStats(
    outputs: BakeResult['outputs'],
    { clips, animations, frames, joints, attachments }: Note['stats'],
): void {
    if (animations.length !== clips) throw new Error('other counts');
    if (joints.length !== attachments.length) throw new Error('other counts');
    for (const [i, { manifest }] of outputs.entries()) {
        const rows = manifest.clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
        const isSame =
            clips === manifest.clips.length &&
            manifest.clips.every(({ animation }, k) => animation === animations[k]) &&
            frames === rows &&
            joints[i] === (manifest.skin?.joints.length ?? 0) &&
            attachments[i] === manifest.attachments.length;
        if (!isSame) throw new Error('other counts');
    }
}

/** First bytes of formats. */
const MAGIC: Readonly<Record<string, readonly number[]>> = {
    exr: [0x76, 0x2f, 0x31, 0x01],
    png: [0x89, 0x50, 0x4e, 0x47],
};

/** @throws Error for a file of the whole input with the wrong format. */
async function checkOwn(name: string, bytes: Uint8Array): Promise<void> {
    if (name.endsWith('.vat')) return checkVat(bytes);
    const [kind] = /(?<=\.)[a-z]+$/.exec(name) ?? [];
    if (kind === 'json') return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const magic = Object.hasOwn(MAGIC, kind!) ? MAGIC[kind!] : undefined;
    if (magic?.some((byte, i) => bytes[i] !== byte)) throw new Error(`no ${kind}`);
    if (kind !== 'glb') return;
    const report = createReport(name);
    await openContainer(() => bytes, report);
    if (report.warnings.length > 0) throw new Error('another GLB');
}

/** Adds a property whose bytes are read on first access. */
function withBytes<T extends object, K extends string>(object: T, name: K, read: () => Uint8Array) {
    return Object.defineProperty(object, name, { enumerable: true, get: read }) as T & Readonly<Record<K, Uint8Array>>;
}

/** Absolute paths of an input and of the files it refers to. */
export function pathsOf(file: string, references: readonly string[] = []): string[] {
    return [resolve(file), ...references.map((path) => resolve(dirname(file), path))];
}
