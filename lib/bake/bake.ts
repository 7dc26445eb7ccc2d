// SPDX-License-Identifier: MIT

/** From a scene to outputs in memory. This code runs in browsers and in Node. */

import { InputError, inputName, namingOptions, UsageError } from '../base/errors';
import { stemOf } from '../base/names';
import { type BakeHooks, Clock } from '../base/progress';
import type { CacheOutcome } from '../cache/cache';
import type { GltfScene, Warning } from '../gltf/scene';
import { matchingJoints } from './arrays/makers';
import { charactersOf, hitNames } from './plan/character';
import { type BakeOptions, hasArrays, hasSampled, OWN_FILES, type Recipe, recipeOf } from './plan/options';
import {
    type BakePlan,
    longestClip,
    palettesOf,
    planBake,
    refuseTooLarge,
    type Selection,
    sharedRate,
} from './plan/plan';
import { renormalized } from './plan/renormalize';
import { selectAnimations } from './plan/select';
import { withSharedSkins } from './plan/shared-skins';
import { findRates } from './playback/auto-fps';
import { modelOfCharacter, type SkinModel } from './rows/skin-model';
import { type BakeOutput, bakeSkin } from './skin';
import {
    planWarnings,
    playbackWarnings,
    refusing,
    relatedSkinWarnings,
    sharedClipWarnings,
    toleranceWarnings,
    withoutRepeats,
} from './warnings';
import type { BakeFile } from './write/check-bake';

/** Counts and times of a bake. */
export interface BakeStats {
    /** Number of clips in each output. */
    readonly clips: number;
    /** Their numbers in the input. `<stem>.baked.glb` has only these clips, numbered from 0 in this order. */
    readonly animations: readonly number[];
    /** Number of rows in each output. */
    readonly frames: number;
    /** Number of joints in each output. */
    readonly joints: readonly number[];
    /** Number of attachments in each output. */
    readonly attachments: readonly number[];
    /** Number of matrices in all outputs. */
    readonly jointFrames: number;
    /** Milliseconds in all, including reading. */
    readonly milliseconds: number;
    /** Milliseconds spent on the rows: sampling, the hierarchy, and the palette. */
    readonly evaluationMilliseconds: number;
}

/** Result of a bake, in memory. */
export interface BakeResult {
    /** One for each skin, in file order. Empty if `emit` names only files of the whole input. */
    readonly outputs: readonly BakeOutput[];
    /** Files of the whole input, with all its skins. */
    readonly files: readonly BakeFile[];
    /**
     * Absolute paths of the input, the files of `animations`, and all their buffers and images. `writeBake` overwrites
     * none of them. Empty for bytes and Documents.
     */
    readonly inputs: readonly string[];
    /** Counts and times, for reports. */
    readonly stats: BakeStats;
    /** Warnings of all outputs, without repeats. */
    readonly warnings: readonly Warning[];
    /** Whether the cache had the bake; missing without a cache. */
    readonly cache?: CacheOutcome;
}

export interface BakedHooks extends BakeHooks {
    /** Called after the bake of arrays, with the model of each output. */
    onBaked?(plan: BakePlan, models: readonly SkinModel[], outputs: readonly BakeOutput[]): Promise<void>;
}

/** Each skin of one joint takes 20 bytes of a file, but a third of a millisecond to bake. */
const MAX_OUTPUTS = 4096;

/** @throws As `bakeFile`. Messages name the file by `scene.name`. */
export async function bakeScene(
    scene: GltfScene,
    options: BakeOptions = {},
    hooks: BakeHooks = {},
): Promise<BakeResult> {
    return bakeRead(scene, scene.name, recipeWithoutFile('bakeScene', options), hooks, performance.now());
}

/** @throws As `recipeOf`. */
export function recipeWithoutFile(routine: string, options: BakeOptions): Recipe {
    const recipe = recipeOf(routine, options);
    if (recipe.clipRecipe !== null) {
        throw new UsageError('animations: only a file can have clips of other files: use bakeFile');
    }
    const file = OWN_FILES.find((name) => recipe.emit.has(name));
    if (file === undefined) return recipe;
    const instead = file === 'glb' ? ': use the transform bakeAnimations for a Document' : '';
    throw new UsageError(`emit: '${file}' needs a file${instead}`);
}

export interface OwnFiles {
    readonly files: readonly BakeFile[];
    readonly warnings: readonly Warning[];
}

export type MakeOwnFiles = (
    plan: BakePlan,
    stem: string,
    outputs: readonly BakeOutput[],
    hooks: BakeHooks,
) => Promise<OwnFiles>;

const NONE: MakeOwnFiles = async () => ({ files: [], warnings: [] });

/**
 * Bakes a scene whose options have been checked.
 *
 * @param file Name of the input, for errors.
 * @param started Start of the call, from `performance.now()`.
 * @param makeOwnFiles Given if files of the whole input are wanted.
 * @param root Node of the root motion's joint, if it is known by number. Names can repeat.
 */
export async function bakeRead(
    read: GltfScene,
    file: string,
    recipe: Recipe,
    hooks: BakedHooks,
    started: number,
    makeOwnFiles = NONE,
    root?: number,
): Promise<BakeResult> {
    hooks.signal?.throwIfAborted();
    const selection = selectionOf(read, file, recipe, root);
    const { scene } = selection;
    refuseUnmatched(selection);
    const { plan, models } = await planWithRate(selection, hooks);
    const shared: Warning[] = [];
    const warn = refusing(recipe, file, (warning) => shared.push(warning));
    for (const warning of planWarnings(plan)) warn(warning);
    const stem = stemOf(scene.name);

    const arrays = hasArrays(recipe.emit);
    // Textures for engines need the playback error of the matrices.
    const baked = arrays || hasSampled(recipe.emit) ? plan.characters : [];
    if (baked.length > MAX_OUTPUTS) {
        throw namingOptions((name) => {
            const rule = `${baked.length} skins with palettes of their own, more than the ${MAX_OUTPUTS} that a bake can have: choose one by ${name('skin')}`;
            return new InputError('OUTPUT_TOO_LARGE', file, '/skins', rule);
        });
    }
    refuseLargePalettes(plan);
    const clock = new Clock(hooks, plan.rows * baked.length);
    const onePair = recipe.skin !== undefined || plan.characters.length === 1;
    const outputs: BakeOutput[] = [];
    const used: SkinModel[] = [];
    for (const [index, character] of baked.entries()) {
        const model = models?.[index] ?? modelOfCharacter(plan, character, longestClip(plan));
        if (hooks.onBaked !== undefined) used.push(model);
        const held = outputs.reduce((bytes, { bin }) => bytes + bin.length, 0);
        outputs.push(await bakeSkin(plan, model, onePair ? stem : `${stem}.skin${character.skins[0]}`, clock, held));
    }
    const extra = await makeOwnFiles(plan, stem, outputs, hooks);
    for (const warning of [
        ...extra.warnings,
        ...toleranceWarnings(plan, outputs),
        ...relatedSkinWarnings(plan),
        ...sharedClipWarnings(plan),
        ...playbackWarnings(plan, outputs),
    ])
        warn(warning);
    if (arrays) await hooks.onBaked?.(plan, used, outputs);
    const columns = baked.map(({ nodes }) => nodes.length);
    const joints = baked.map((character) => character.joints);
    return {
        outputs: arrays ? outputs : [],
        files: extra.files,
        inputs: [],
        stats: {
            clips: plan.clips.length,
            animations: plan.clips.map(({ animation }) => animation),
            frames: plan.rows,
            joints,
            attachments: baked.map(({ attachments }) => attachments.length),
            jointFrames: columns.reduce((sum, count) => sum + count * plan.rows, 0),
            milliseconds: performance.now() - started,
            evaluationMilliseconds: clock.evaluation,
        },
        warnings: withoutRepeats([...shared, ...outputs.flatMap(({ manifest }) => manifest.warnings)]),
    };
}

/** @param root As of `bakeRead`. */
export function selectionOf(read: GltfScene, file: string, recipe: Recipe, root?: number): Selection {
    const scene = withSharedSkins(recipe.renormalize ? renormalized(read) : read);
    return {
        scene,
        file,
        recipe,
        characters: charactersOf(scene, recipe, file).map((one) => (root === undefined ? one : { ...one, root })),
        animations: selectAnimations(scene, recipe.clips, file),
    };
}

/** Plans the bake. If the rates must be found first, also returns the models made for that. */
export async function planWithRate(
    selection: Selection,
    hooks: Pick<BakeHooks, 'signal' | 'onTrial'>,
): Promise<{ plan: BakePlan; models: readonly SkinModel[] | null }> {
    const { recipe, characters, animations } = selection;
    if (recipe.rate !== 'auto') return { plan: planBake(selection, sharedRate(selection)), models: null };
    const clips = animations.map((animation) => ({ animation }));
    const models = characters.map((character) => modelOfCharacter({ ...selection, clips }, character, Infinity));
    const clock = new Clock({ signal: hooks.signal }, Infinity);
    const found = await findRates(selection, models, clock, hooks.onTrial);
    const highest = found.rates.reduce((high, [rate]) => Math.max(high, rate), 1);
    return { plan: planBake(selection, [highest, 1], found), models };
}

/** Rejects a pattern that matches no joint of any skin. */
function refuseUnmatched({ scene, file, recipe, characters }: Selection): void {
    const { hitJoints } = recipe;
    if (hitJoints === null) return;
    const names = characters.flatMap((character) => hitNames(scene, character));
    if (matchingJoints(names, hitJoints).length > 0) return;
    const known = names.slice(0, 8).map((name) => `'${name}'`);
    const more = names.length > known.length ? `, and ${names.length - known.length} more` : '';
    const what = characters.some(({ joints }) => joints > 0) ? 'joint' : 'attachment';
    const rule = `no ${what} matches ${hitJoints}, has ${known.join(', ')}${more}`;
    throw namingOptions((name) => new UsageError(`${inputName(file)}: ${name('hitJoints')}: ${rule}`));
}

/** Checks the size of all palettes together before anything is evaluated, because all are held at once. */
function refuseLargePalettes(plan: BakePlan): void {
    if (!plan.recipe.emit.has('palette')) return;
    const { columns, rowBytes } = palettesOf(plan);
    refuseTooLarge(plan, columns, rowBytes);
}
