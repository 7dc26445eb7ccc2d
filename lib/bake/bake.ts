// SPDX-License-Identifier: MIT

/** From a scene to outputs in memory: this runs in browsers as it does in Node. */

import { InputError, inputName, namingOptions, UsageError } from '../base/errors';
import { stemOf } from '../base/names';
import { type BakeHooks, Clock } from '../base/progress';
import type { CacheOutcome } from '../cache/cache';
import type { GltfScene, Warning } from '../gltf/scene';
import { matchingJoints } from './arrays/makers';
import { charactersOf, hitNames } from './plan/character';
import { type BakeOptions, hasArrays, OWN_FILES, type Recipe, recipeOf } from './plan/options';
import {
    type BakePlan,
    commonRate,
    longestClip,
    palettesOf,
    planBake,
    refuseTooLarge,
    type Selection,
} from './plan/plan';
import { renormalized } from './plan/renormalize';
import { selectAnimations } from './plan/select';
import { findRates } from './playback/auto-fps';
import { modelOfCharacter, type SkinModel } from './rows/skin-model';
import { type BakeOutput, bakeSkin } from './skin';
import { planWarnings, playbackWarnings, refusing, relatedSkinWarnings, withoutRepeats } from './warnings';
import type { BakeFile } from './write/check-bake';

/** How much was done, and how long it took. */
export interface BakeStats {
    /** Clips of each output. */
    readonly clips: number;
    /** Their numbers in the input. `<stem>.resampled.glb` has only these clips, numbered from 0 in this order. */
    readonly animations: readonly number[];
    /** Rows of each output. */
    readonly frames: number;
    /** Joints of each output. */
    readonly joints: readonly number[];
    /** Attachments of each output. */
    readonly attachments: readonly number[];
    /** Matrices of all outputs. */
    readonly jointFrames: number;
    /** For everything, reading included. */
    readonly milliseconds: number;
    /** For sampling, the hierarchy and the palette of the rows alone. */
    readonly evaluationMilliseconds: number;
}

/** What a bake gives: nothing is written yet. */
export interface BakeResult {
    /** One for each skin, in file order; none where only files of the whole input are wanted. */
    readonly outputs: readonly BakeOutput[];
    /** What belongs to the whole input, whatever its skins. */
    readonly files: readonly BakeFile[];
    /**
     * Absolute paths of the input and the files of `animations`, their buffers and images: `writeBake` overwrites none of them. Bytes and
     * Documents have none.
     */
    readonly inputs: readonly string[];
    /** For reports. */
    readonly stats: BakeStats;
    /** Of all outputs, each once. */
    readonly warnings: readonly Warning[];
    /** Where a cache was given, what it had to do with this. */
    readonly cache?: CacheOutcome;
}

/** A skin of one joint takes 20 bytes of a file, and a third of a millisecond. */
const MAX_OUTPUTS = 4096;

/**
 * Bakes a scene that has been read already, without a file.
 *
 * @throws As `bakeFile`; messages name the file as `scene.name`.
 */
export async function bakeScene(
    scene: GltfScene,
    options: BakeOptions = {},
    hooks: BakeHooks = {},
): Promise<BakeResult> {
    return bakeRead(scene, scene.name, recipeWithoutFile('bakeScene', options), hooks, performance.now());
}

/**
 * Checks options for what there is no file of.
 *
 * @throws As `recipeOf`.
 */
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

/** Files of the whole input, whatever its skins, and warnings about them. */
export interface OwnFiles {
    readonly files: readonly BakeFile[];
    readonly warnings: readonly Warning[];
}

/** Makes them for a plan. */
export type MakeOwnFiles = (plan: BakePlan, stem: string, hooks: BakeHooks) => Promise<OwnFiles>;

const NONE: MakeOwnFiles = async () => ({ files: [], warnings: [] });

/**
 * Bakes what has been read and checked.
 *
 * @param file As `InputError` has it.
 * @param started When the call began, as `performance.now()` has it.
 * @param makeOwnFiles Where files of the whole input are wanted.
 * @param root Node of the joint of root motion, where it is known by number: names may repeat.
 */
export async function bakeRead(
    read: GltfScene,
    file: string,
    recipe: Recipe,
    hooks: BakeHooks,
    started: number,
    makeOwnFiles = NONE,
    root?: number,
): Promise<BakeResult> {
    hooks.signal?.throwIfAborted();
    const scene = recipe.renormalize ? renormalized(read) : read;
    const selection: Selection = {
        scene,
        file,
        recipe,
        characters: charactersOf(scene, recipe, file).map((one) => (root === undefined ? one : { ...one, root })),
        animations: selectAnimations(scene, recipe.clips, file),
    };
    refuseUnmatched(selection);
    const { plan, models } = await planWithRate(selection, hooks);
    const shared: Warning[] = [];
    const warn = refusing(recipe, file, (warning) => shared.push(warning));
    for (const warning of planWarnings(plan)) warn(warning);
    const stem = stemOf(scene.name);
    const extra = await makeOwnFiles(plan, stem, hooks);
    for (const warning of extra.warnings) warn(warning);

    const arrays = hasArrays(recipe.emit);
    // How far playback is off is the same for vertices as for matrices.
    const baked = arrays || recipe.emit.has('pvat') ? plan.characters : [];
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
    for (const [index, character] of baked.entries()) {
        const model = models?.[index] ?? modelOfCharacter(plan, character, longestClip(plan));
        const held = outputs.reduce((bytes, { bin }) => bytes + bin.length, 0);
        outputs.push(await bakeSkin(plan, model, onePair ? stem : `${stem}.skin${character.skins[0]}`, clock, held));
    }
    for (const warning of [...relatedSkinWarnings(plan), ...playbackWarnings(plan, outputs)]) warn(warning);
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

/** The plan; where the rates have to be found first, with the models that were needed for that. */
async function planWithRate(
    selection: Selection,
    hooks: BakeHooks,
): Promise<{ plan: BakePlan; models: readonly SkinModel[] | null }> {
    const { recipe, characters, animations } = selection;
    if (recipe.rate !== 'auto') return { plan: planBake(selection, commonRate(selection)), models: null };
    const clips = animations.map((animation) => ({ animation }));
    const models = characters.map((character) => modelOfCharacter({ ...selection, clips }, character, Infinity));
    const clock = new Clock({ signal: hooks.signal }, Infinity);
    const found = await findRates(selection, models, clock, hooks.onTrial);
    const highest = found.rates.reduce((high, [rate]) => Math.max(high, rate), 1);
    return { plan: planBake(selection, [highest, 1], found), models };
}

/** A pattern that no joint matches is a mistake; one that a skin of several has no match for is not. */
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

/** Of all skins together, which are held at once, before anything is evaluated. */
function refuseLargePalettes(plan: BakePlan): void {
    if (!plan.recipe.emit.has('palette')) return;
    const { columns, rowBytes } = palettesOf(plan);
    refuseTooLarge(plan, columns, rowBytes);
}
