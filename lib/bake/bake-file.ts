// SPDX-License-Identifier: MIT

import { checkHooks } from '../base/arguments';
import type { BakeHooks } from '../base/progress';
import { type BakeCache, checkCache } from '../cache/cache';
import { findKept, type Search, type SearchHooks, throughCache } from '../cache/through';
import type { FileBytes } from '../gltf/file-bytes';
import { type InputFiles, keepFiles } from '../gltf/input';
import { readGltf } from '../gltf/read';
import type { Warning } from '../gltf/scene';
import { readFor } from '../rig/retarget/merge';
import { type ClipInput, openClips, openSource } from '../rig/retarget/read';
import { type BakedHooks, type BakeResult, bakeRead, type MakeOwnFiles } from './bake';
import { type BakeOptions, OWN_FILES, type OwnFile, ownNames, type Recipe, recipeOf } from './plan/options';
import { type TakenClips, takeClips } from './take-clips';
import { keptBake, pathsOf } from './write/cached-bake';
import type { BakeFile } from './write/check-bake';

/** Hooks of {@link bakeFile}: progress, a signal, a cache. */
export interface BakeFileHooks extends BakeHooks {
    /** From `openCache`. An input that was baked with the same options before is taken from the cache. */
    cache?: BakeCache;
}

/**
 * Bakes the clips of a glTF file to palettes of skinning matrices (global joint x inverse bind) and the other arrays
 * and files that `emit` names. It writes no file: see `writeBake`. The same file and options give the same bytes on
 * every machine.
 *
 * Source: for the values, glTF 2.0, 3.5.3, 3.7.3 and 3.11; for the format, docs/format.md.
 *
 * @param input Path of a `.glb` or `.gltf`; its URL (`file:`, `https:` or `http:`; as URL or text); or its bytes and
 * name. Browsers take only bytes. Files that the input refers to are resolved relative to it, also on a server.
 * @param options Arrays, clips and frame rate.
 * @param hooks Progress, a signal that cancels the bake, and a cache.
 * @returns The outputs, one for each skin.
 * @throws TypeError `ERR_ARGUMENT_TYPE` for an input, options or hooks of the wrong type; TypeError
 * `ERR_DETACHED_BUFFER`; UsageError for other wrong options, before the file is read where possible; InputError for a
 * file that cannot be read or baked; ToleranceError if the error exceeds `maxError`; the signal's reason once it is
 * aborted.
 * @example
 * const bake = await bakeFile('hero.glb', { fps: 60, clips: ['Walk', 'Run'], emit: ['palette', 'bounds'] });
 * await writeBake(bake, 'out');
 */
export async function bakeFile(
    input: string | URL | FileBytes,
    options: BakeOptions = {},
    hooks: BakeFileHooks = {},
): Promise<BakeResult> {
    return bakeChecked(input, recipeOf('bakeFile', options), hooks);
}

/**
 * As `bakeFile`, with options that were checked before.
 *
 * @throws As `bakeFile`.
 */
export async function bakeChecked(
    input: string | URL | FileBytes,
    recipe: Recipe,
    hooks: BakeFileHooks & BakedHooks,
): Promise<BakeResult> {
    const started = performance.now();
    checkHooks('bakeFile', hooks);
    checkCache('bakeFile', hooks.cache);
    const { signal } = hooks;
    const { files: opened, isPath } = openSource('bakeFile', input, 'input', signal);
    signal?.throwIfAborted();
    const own = OWN_FILES.some((name) => recipe.emit.has(name));
    const cached = hooks.cache !== undefined;
    // A file that is read twice must have the same bytes both times.
    const files = own || cached ? keepFiles(opened) : opened;
    const clips = openClips('bakeFile', recipe.animations, { keep: cached, signal });
    const bake = async () => {
        const read = await readGltf(files.file, { ...readFor(recipe.clipRecipe), looseClips: true }, files);
        // Images can be missing.
        if (own) for (const path of read.references ?? []) await files.resolve(path).catch(() => {});
        const { scene, clipPaths } = await takeClips(read, recipe, clips);
        const made = await bakeRead(scene, files.file, recipe, hooks, started, own ? ownFilesOf(files) : undefined);
        return { ...made, inputs: [...(isPath ? pathsOf(files.file, scene.references) : []), ...clipPaths] };
    };
    return throughCache(hooks, () => keptBake([{ files, isPath }, ...clips], recipe), bake).catch((error) => {
        signal?.throwIfAborted(); // the signal's reason, not that a file could not be read
        throw error;
    });
}

/** @throws The signal's reason. */
export async function findBakedFile(input: string, recipe: Recipe, hooks: SearchHooks): Promise<Search<BakeResult>> {
    const { signal } = hooks;
    const opened = openSource('bakeFile', input, 'input', signal);
    const inputs = [opened, ...openClips('bakeFile', recipe.animations, { signal })];
    return findKept(hooks, await keptBake(inputs, recipe));
}

/** @param inputs The input, then the files with further clips. */
export async function bakeFromDisk(
    { scene, clipPaths }: TakenClips,
    inputs: readonly [ClipInput, ...ClipInput[]],
    recipe: Recipe,
    hooks: BakeFileHooks & BakedHooks,
    started: number,
): Promise<BakeResult> {
    const [{ files }] = inputs;
    const bake = async () => {
        const made = await bakeRead(scene, files.file, recipe, hooks, started, ownFilesOf(files));
        return { ...made, inputs: [...pathsOf(files.file, scene.references), ...clipPaths] };
    };
    return throughCache(hooks, () => keptBake(inputs, recipe), bake);
}

/** @param files The input's files, with the bytes that were read. */
function ownFilesOf(files: InputFiles): MakeOwnFiles {
    return async (plan, stem, outputs, { signal }) => {
        const made: BakeFile[] = [];
        const all: Warning[] = [];
        const { emit } = plan.recipe;
        const add = (
            name: OwnFile,
            { files, warnings }: { files: readonly Uint8Array[]; warnings: readonly Warning[] },
        ) => {
            made.push(...ownNames(plan.recipe, name, stem).map((file, i) => ({ name: file, bytes: files[i]! })));
            all.push(...warnings);
        };
        // Loaded on demand: few bakes need them.
        if (emit.has('glb')) {
            const { glbOfPlan } = require('./dense/baked-glb') as typeof import('./dense/baked-glb');
            const { bytes, warnings } = await glbOfPlan(plan, files);
            add('glb', { files: [bytes], warnings });
        }
        if (emit.has('pvat')) {
            const { pvatOfPlan } = require('./pvat/pvat') as typeof import('./pvat/pvat');
            const { bytes, warnings } = await pvatOfPlan(plan, files, signal);
            add('pvat', { files: [bytes], warnings });
        }
        if (emit.has('openvat')) {
            const { openVatOfPlan } = require('./engines/openvat') as typeof import('./engines/openvat');
            add('openvat', await openVatOfPlan(plan, files, stem, outputs, signal));
        }
        if (emit.has('godot')) {
            const { godotOfPlan } = require('./engines/godot') as typeof import('./engines/godot');
            add('godot', await godotOfPlan(plan, files, stem, outputs));
        }
        return { files: made, warnings: all };
    };
}
