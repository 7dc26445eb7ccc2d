// SPDX-License-Identifier: MIT

import { mergedGlb } from '../bake/merged-glb';
import { checkHooks, describe } from '../base/arguments';
import { InputError, rangeError, typeError } from '../base/errors';
import { extentHint } from '../base/length';
import { type BakeCache, checkCache } from '../cache/cache';
import { findKept, type Search, type SearchHooks, throughCache } from '../cache/through';
import { faultyClips } from '../gltf/faulty-clips';
import type { FileBytes } from '../gltf/file-bytes';
import { type InputFiles, inputOfBytes, keepFiles } from '../gltf/input';
import { readGltf } from '../gltf/read';
import type { GltfScene, Warning } from '../gltf/scene';
import { openClips, openSource } from '../rig/retarget/read';
import { keptReduction } from './cached-reduction';
import { type ReduceOptions, type ReduceRecipe, reduceRecipeOf } from './options';
import { type ClipOutcome, keptOutcome } from './reduce-clip';
import { type ReduceHooks, reduceScene } from './reduce-scene';
import type { ReduceResult } from './result';
import type { ReducedClip } from './types';
import { packedSize } from './write/packed-size';
import { readSource, type SourceFile, writeReduced } from './write/write';

/** Hooks of {@link reduceFile}: progress, a signal, threads, a cache. */
export interface ReduceFileHooks extends ReduceHooks {
    /** Number of clips reduced at once. Default 1: in the calling thread. The bytes are the same. */
    threads?: number;
    /** Cache for the reduction. Its faults only add warnings, in `cache` of the result. */
    cache?: BakeCache;
}

const ROUTINE = 'reduceFile';

/**
 * Reduces the keys of a glTF file's clips. The displacement of every vertex is at most `maxError` at any time, judged
 * through the whole hierarchy instead of track by track. The same file and options give the same bytes on every
 * machine. A file without animations is returned with its contents. With `animations` the result also has the clips of
 * other files, as `convertFile` adds them.
 *
 * Source: for keys and interpolation, glTF 2.0, 3.11 and appendix C; for the bound, docs/reduce.md.
 *
 * @param input Path of a `.glb` or `.gltf`; its URL (`file:`, `https:` or `http:`; as URL or text); or its bytes and
 * name.
 * @param options Tolerances, clips, and other files with clips.
 * @param hooks Progress, a signal that cancels the reduction, threads, a cache.
 * @returns The bytes of a GLB, and a report on each clip.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, RangeError `ERR_COUNT_RANGE`, UsageError for options; InputError for a file
 * that cannot be read; ToleranceError for a bound that float32 cannot keep; the signal's reason once it is aborted.
 * @example
 * const { bytes, before, after } = await reduceFile('hero.glb', { maxError: '0.5mm' });
 * await writeFile('hero.small.glb', bytes);
 */
export async function reduceFile(
    input: string | URL | FileBytes,
    options: ReduceOptions = {},
    hooks: ReduceFileHooks = {},
): Promise<ReduceResult> {
    return reduceChecked(input, reduceRecipeOf(ROUTINE, options), hooks);
}

/**
 * As `reduceFile`, with options that were checked before.
 *
 * @throws As `reduceFile`.
 */
export async function reduceChecked(
    input: string | URL | FileBytes,
    recipe: ReduceRecipe,
    hooks: ReduceFileHooks,
): Promise<ReduceResult> {
    checkHooks(ROUTINE, hooks);
    checkCache(ROUTINE, hooks.cache);
    const { signal, threads = 1 } = hooks;
    if (typeof threads !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: hooks.threads must be a number, got ${describe(threads)}`);
    }
    if (!(Number.isInteger(threads) && threads > 0)) {
        throw rangeError('ERR_COUNT_RANGE', `${ROUTINE}: hooks.threads must be a whole number above 0, got ${threads}`);
    }
    const { files: opened } = openSource(ROUTINE, input, 'input', signal);
    signal?.throwIfAborted();
    const given = keepFiles(opened); // a file that is read twice must have the same bytes both times
    const clipInputs = openClips(ROUTINE, recipe.animations, { keep: hooks.cache !== undefined, signal });
    const reduce = async (): Promise<ReduceResult> => {
        const merged = recipe.clipRecipe && (await mergedGlb(given, clipInputs, recipe.clipRecipe));
        const files = merged === null ? given : inputOfBytes(given.file, merged.bytes);
        const scene = await readGltf(files.file, { surfaces: 'positions', rigid: true, looseClips: true }, files);
        const read = [...scene.warnings, ...(merged?.clipWarnings ?? []), ...(merged?.written ?? [])];
        refuseWarnings(files.file, read, recipe);
        let onBegin = () => {};
        const begun = new Promise<void>((go) => (onBegin = go));
        const source = begun.then(() => readSource(files, faultyClips(scene)));
        source.catch(() => {}); // awaited below
        const { animations, clips, others, ...bounds } = await reduceScene(scene, recipe, {
            ...hooks,
            file: files.file,
            onBegin,
        });
        onBegin(); // without clips
        const reduced = animations.map((animation, i): ReducedClipKeys => ({ animation, clip: clips[i]! }));
        const { written, chosen } = await writeSmaller(files, scene, [reduced, ...others], recipe, source);
        const hint = extentHint(recipe.maxError, bounds.extent, false);
        const own = [
            ...(hint === '' ? [] : [{ code: 'MAX_ERROR_UNITS', pointer: '', message: `the maximum error of ${hint}` }]),
            ...stillWarnings(scene, clips),
            ...written.warnings,
        ];
        refuseWarnings(files.file, own, recipe);
        const warnings = [...read, ...own];
        const told = { ...bounds, name: scene.name, sha256: (merged?.own ?? scene).sha256, warnings };
        return { ...written, clips: chosen.map(({ clip }) => clip), ...told };
    };
    return throughCache(
        hooks,
        () => keptReduction([given, ...clipInputs.map(({ files }) => files)], recipe),
        reduce,
    ).catch((error) => {
        signal?.throwIfAborted(); // the signal's reason, not that a file could not be read
        throw error;
    });
}

/** Warns of clips without a channel that moves a node. Exporters write these for deleted objects. */
function stillWarnings({ animations }: GltfScene, clips: readonly ReducedClip[]): Warning[] {
    const still = clips.filter(({ animation }) => animations[animation]!.channels.length === 0);
    return still.map(({ animation, name }) => ({
        code: 'CLIP_NOT_ANIMATED',
        pointer: `/animations/${animation}`,
        message: `clip #${animation} '${name}' moves no node: it stays as it is`,
    }));
}

type ReducedClipKeys = Pick<ClipOutcome, 'animation' | 'clip'>;

/**
 * Writes clips so that no measure of the animations' bytes is larger than in the source. Gzip of tiny clips can be a
 * few bytes larger, and kept clips can share keys with reduced ones. Then the next choice is tried. If none is small
 * enough, the clips with the smallest savings in the first choice keep their keys: 1, 2, 4 and so on, then all.
 */
async function writeSmaller(
    files: InputFiles,
    scene: GltfScene,
    choices: readonly [readonly ReducedClipKeys[], ...(readonly ReducedClipKeys[])[]],
    recipe: ReduceRecipe,
    first: Promise<SourceFile>,
): Promise<{ written: Awaited<ReturnType<typeof writeReduced>>; chosen: readonly ReducedClipKeys[] }> {
    let source: Promise<SourceFile> | undefined = first;
    const write = async (chosen: readonly ReducedClipKeys[]) => {
        const animations = chosen.map(({ animation }) => animation);
        source ??= readSource(files, faultyClips(scene));
        const written = await writeReduced(files, animations, recipe, source);
        source = undefined;
        const { before, after } = written;
        return { written, chosen, isSmaller: after.bytes <= before.bytes && after.gzip <= before.gzip };
    };
    for (const choice of choices) {
        const result = await write(choice);
        if (result.isSmaller) return result;
    }
    const [all] = choices;
    const order = bySaving(all, scene);
    for (let stay = 1; ; stay = Math.min(all.length, stay * 2)) {
        const staying = new Set(order.slice(0, stay));
        const sourceOf = (index: number) => ({ index, ...scene.animations[index]! });
        const result = await write(
            all.map((one, i) => (staying.has(i) ? keptOutcome(sourceOf(one.clip.animation)) : one)),
        );
        if (result.isSmaller || stay >= all.length) return result;
    }
}

/** Numbers of clips, smallest saving first. */
function bySaving(reduced: readonly ReducedClipKeys[], { animations }: GltfScene): number[] {
    const savings = reduced.map(({ animation }) => {
        const source = animations[animation.animation]!;
        const kept = keptOutcome({ index: animation.animation, ...source }).animation;
        return packedSize([[kept, source]]) - packedSize([[animation, source]]);
    });
    return [...savings.keys()].sort((a, b) => savings[a]! - savings[b]! || a - b);
}

/** @throws InputError with the code of the first warning, if warnings are errors. */
function refuseWarnings(file: string, [worst]: readonly Warning[], { strict }: ReduceRecipe): void {
    if (strict && worst !== undefined) throw new InputError(worst.code, file, worst.pointer, worst.message);
}

/**
 * Looks for a reduction in a cache.
 *
 * @throws The signal's reason.
 */
export async function findReducedFile(
    input: string,
    recipe: ReduceRecipe,
    hooks: SearchHooks,
): Promise<Search<ReduceResult>> {
    const { signal } = hooks;
    const inputs = [openSource(ROUTINE, input, 'input', signal), ...openClips(ROUTINE, recipe.animations, { signal })];
    return findKept(
        hooks,
        await keptReduction(
            inputs.map(({ files }) => files),
            recipe,
        ),
    );
}
