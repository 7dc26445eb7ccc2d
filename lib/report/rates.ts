// SPDX-License-Identifier: MIT

import { type BakeResult, bakeRead, selectionOf } from '../bake/bake';
import { charactersOf } from '../bake/plan/character';
import { parseFps } from '../bake/plan/fps';
import { type BakeOptions, type Recipe, recipeOf } from '../bake/plan/options';
import { longestClip, palettesOf, planBake } from '../bake/plan/plan';
import { selectAnimations } from '../bake/plan/select';
import { withSharedSkins } from '../bake/plan/shared-skins';
import { modelOfCharacter } from '../bake/rows/skin-model';
import { type Smaller, smallerThan } from '../bake/smaller';
import { InputError, ToleranceError } from '../base/errors';
import type { Length } from '../base/length';
import type { Manifest } from '../format/manifest';
import type { ReportData, ReportRate } from './data';
import { optionsOf, statedError } from './errors';
import type { ReportModel } from './model';

const RATES = ['24', '30', '60', 'keys', 'auto'] as const;

/** Maximum number of matrices at 60 frames per second for comparing rates. Takes some seconds. */
const MAX_MATRICES = 4_000_000;
/** The same for `auto`, which tries up to 240 rates. */
const MAX_MATRICES_AUTO = 1_000_000;

interface Given {
    /** Option of the bake. */
    readonly maxError: Length | null;
    readonly signal?: AbortSignal | undefined;
}

/**
 * Bakes the model at other rates, within some seconds. A large model has no `auto`, a very large one no other rates.
 * Rates at which the bake fails are left out. Also finds options that take fewer bytes.
 *
 * @param bakes The outputs of one bake, at least one.
 * @throws The signal's reason.
 */
export async function othersOf(
    model: ReportModel,
    bakes: readonly Manifest[],
    { maxError, signal }: Given,
): Promise<Pick<ReportData, 'rates' | 'smaller'>> {
    const first = bakes[0]!;
    const { skin, emit, root, rootMotion, ...given } = optionsOf(first);
    const options: BakeOptions = {
        ...given,
        ...(root === undefined || root === 'keep' ? {} : { root, rootMotion }),
        ...(bakes.length === 1 && skin !== undefined ? { skin } : {}),
        emit: ['palette'],
    };
    const recipe = recipeOf('report', options);
    const matrices = matricesAt60(model, recipe);
    const stated = statedError(first);
    const limited: Length | null = stated === undefined ? maxError : { of: 'units', value: stated };
    const rowBytes = bakes.reduce((sum, { arrays }) => sum + bytesOfRow(arrays), 0);
    const wanted = new Set(bakes.map((manifest) => manifest.skin?.index ?? null));
    const rates: ReportRate[] = [];
    for (const label of RATES) {
        if (matrices > (label === 'auto' ? MAX_MATRICES_AUTO : MAX_MATRICES)) continue;
        const rate = label === 'keys' || label === 'auto' ? label : parseFps(label);
        const hasEffect = rate === 'auto' || recipe.dtype === 'f16';
        let baked: BakeResult;
        try {
            const begun = performance.now();
            baked = await bakeRead(
                model.scene,
                model.path,
                { ...recipe, rate, maxError: hasEffect ? limited : null },
                { signal },
                begun,
                undefined,
                first.recipe.root?.node,
            );
        } catch (error) {
            if (error instanceof InputError || error instanceof ToleranceError) continue;
            throw error;
        }
        const errors = baked.outputs
            .filter((output) => wanted.has(output.skin))
            .flatMap(({ manifest }) => manifest.clips.map(({ error }) => error));
        const rows = baked.stats.frames;
        rates.push({
            label,
            rows,
            bytes: rows * rowBytes,
            maxLerp: errors.reduce((max, error) => Math.max(max, error.maxLerp), 0),
            maxLerpShare: errors.reduce((max, error) => Math.max(max, error.maxLerpShare), 0),
        });
    }
    return { rates, smaller: await smallerOf(model, { ...recipe, maxError: limited }, bakes, signal) };
}

/** Rates of `auto` are recognized by clips with rates of their own. */
async function smallerOf(
    { scene, path }: ReportModel,
    recipe: Recipe,
    bakes: readonly Manifest[],
    signal?: AbortSignal,
): Promise<Smaller[]> {
    const {
        clips,
        recipe: { fps, root },
    } = bakes[0]!;
    const isAuto = clips.some(({ rate }) => rate !== undefined);
    const selection = selectionOf(scene, path, { ...recipe, rate: isAuto ? 'auto' : fps }, root?.node);
    const plan = planBake(selection, fps, { rates: clips.map(({ rate = fps }) => rate), warnings: [] });
    const models = plan.characters.map((character) => modelOfCharacter(plan, character, longestClip(plan)));
    return smallerThan(
        plan,
        models,
        bakes.map((manifest) => ({ manifest })),
        signal,
    );
}

function matricesAt60({ scene: read, path: file }: ReportModel, recipe: Recipe): number {
    const scene = withSharedSkins(read);
    const characters = charactersOf(scene, recipe, file);
    const animations = selectAnimations(scene, recipe.clips, file);
    const plan = planBake({ scene, file, recipe, characters, animations }, parseFps(60));
    return plan.rows * palettesOf(plan).columns;
}

/** Bytes of a row of all arrays with rows. */
function bytesOfRow({ jointBounds, ...arrays }: Manifest['arrays']): number {
    return Object.values(arrays).reduce((sum, { byteLength, shape }) => sum + byteLength / shape[0]!, 0);
}
