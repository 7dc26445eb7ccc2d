// SPDX-License-Identifier: MIT

import { dirname, resolve } from 'node:path';
import { checkHooks, describe } from '../arguments';
import { InputError, inputName, namingOptions, typeError, UsageError } from '../errors';
import type { InputFiles } from '../gltf/files';
import { readGltf, readGltfKept } from '../gltf/read';
import type { GltfScene, Warning } from '../gltf/scene';
import { matchingJoints } from './arrays/makers';
import { findRates } from './auto-fps';
import { charactersOf, hitNames } from './character';
import { type BakeOptions, hasArrays, OWN_FILES, type Recipe, recipeOf } from './options';
import { stemOf } from './output-files';
import { type BakePlan, commonRate, longestClip, palettesOf, planBake, refuseTooLarge, type Selection } from './plan';
import { type BakeHooks, Clock } from './progress';
import { renormalized } from './renormalize';
import { selectAnimations } from './select';
import { type BakeOutput, bakeSkin } from './skin';
import { modelOfCharacter, type SkinModel } from './skin-model';
import { planWarnings, playbackWarnings, refusing, withoutRepeats } from './warnings';
import type { BakeFile } from './write';

/** How much was done, and how long it took. */
export interface BakeStats {
    /** Clips of each output. */
    readonly clips: number;
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
     * Absolute paths of the input, its buffers and images: `writeBake` overwrites none of them. Empty for a Document.
     */
    readonly inputs: readonly string[];
    /** For reports. */
    readonly stats: BakeStats;
    /** Of all outputs, each once. */
    readonly warnings: readonly Warning[];
}

/** A skin of one joint takes 20 bytes of a file, and a third of a millisecond. */
const MAX_OUTPUTS = 4096;

/**
 * Bakes the clips of a glTF file: palettes of skinning matrices (global joint x inverse bind), and whatever else
 * `emit` names. Writes nothing: see `writeBake`. The same file and options give the same bytes on every machine.
 *
 * Source: what the values are, glTF 2.0, 3.5.3, 3.7.3 and 3.11; the format, docs/format.md.
 *
 * @param input Path of a `.glb` or `.gltf`.
 * @param options What to bake, at which rate.
 * @param hooks Progress, and a signal that ends it.
 * @returns The outputs, one for each skin.
 * @throws TypeError `ERR_ARGUMENT_TYPE` for options and hooks of the wrong type, UsageError for options that are wrong
 * otherwise (before the file is read, where they do not depend on it), InputError for a file that cannot be read or baked,
 * ToleranceError where `maxError` cannot be kept, the signal's reason once it is aborted.
 * @example
 * const bake = await bakeFile('hero.glb', { fps: 60, clips: ['Walk', 'Run'], emit: ['palette', 'bounds'] });
 * await writeBake(bake, 'out');
 */
export async function bakeFile(input: string, options: BakeOptions = {}, hooks: BakeHooks = {}): Promise<BakeResult> {
    const started = performance.now();
    if (typeof input !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `bakeFile: input must be a path, got ${describe(input)}`);
    }
    const recipe = recipeOf('bakeFile', options);
    checkHooks('bakeFile', hooks);
    hooks.signal?.throwIfAborted();
    // For these the input is read twice, and must be the same both times.
    const { scene, files } = OWN_FILES.some((name) => recipe.emit.has(name))
        ? await readGltfKept(input, { rigid: true })
        : { scene: await readGltf(input, { rigid: true }), files: undefined };
    return bakeRead(scene, input, recipe, hooks, started, files);
}

/**
 * The same for a scene that has been read already, without a file.
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
    const file = OWN_FILES.find((name) => recipe.emit.has(name));
    if (file === undefined) return recipe;
    const instead = file === 'glb' ? ': use the transform bakeAnimations for a Document' : '';
    throw new UsageError(`emit: '${file}' needs a file${instead}`);
}

/**
 * Bakes what has been read and checked.
 *
 * @param file As `InputError` has it.
 * @param started When the call began, as `performance.now()` has it.
 * @param files The input as it was read, where a file of the whole input is wanted.
 * @param root Node of the joint of root motion, where it is known by number: names may repeat.
 */
export async function bakeRead(
    read: GltfScene,
    file: string,
    recipe: Recipe,
    hooks: BakeHooks,
    started: number,
    files?: InputFiles,
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
    const extra = await extraFilesOf(plan, stem, files, hooks);
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
    for (const warning of playbackWarnings(plan, outputs)) warn(warning);
    const columns = baked.map(({ nodes }) => nodes.length);
    const joints = baked.map((character) => character.joints);
    const inputs = (scene.references ?? []).map((path) => resolve(dirname(file), path));
    return {
        outputs: arrays ? outputs : [],
        files: extra.files,
        inputs: scene.references === undefined ? [] : [resolve(file), ...inputs],
        stats: {
            clips: plan.clips.length,
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

/**
 * Files of the whole input, whatever its skins, and warnings about them.
 *
 * @param stem The file's name without its extension.
 * @param files The input as it was when it was read; needed for these.
 */
async function extraFilesOf(
    plan: BakePlan,
    stem: string,
    files: InputFiles | undefined,
    { signal }: BakeHooks,
): Promise<{ files: readonly BakeFile[]; warnings: readonly Warning[] }> {
    const made: BakeFile[] = [];
    const told: Warning[] = [];
    const add = (name: string, { bytes, warnings }: { bytes: Uint8Array; warnings: readonly Warning[] }) => {
        made.push({ name, bytes });
        told.push(...warnings);
    };
    const { emit } = plan.recipe;
    // Loaded here: few bakes need them.
    if (emit.has('glb') && files !== undefined) {
        const { glbOfPlan } = require('./dense/baked-glb') as typeof import('./dense/baked-glb');
        add(`${stem}.baked.glb`, await glbOfPlan(plan, files));
    }
    if (emit.has('pvat') && files !== undefined) {
        const { pvatOfPlan } = require('./pvat/pvat') as typeof import('./pvat/pvat');
        add(`${stem}.baked.vat`, await pvatOfPlan(plan, files, signal));
    }
    return { files: made, warnings: told };
}
