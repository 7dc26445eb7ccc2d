// SPDX-License-Identifier: MIT

/** Options with which palettes take fewer bytes at the same error. */

import { ToleranceError } from '../base/errors';
import { significant } from '../base/messages';
import { Clock } from '../base/progress';
import { LARGE_SHARE, playedShare } from '../format/played-error';
import { frameTimesOf } from './plan/frames';
import type { Recipe } from './plan/options';
import { type BakePlan, palettesOf, planBake } from './plan/plan';
import { allowedRounding } from './plan/tolerance';
import { findRates } from './playback/auto-fps';
import { qtsPivotsOf } from './rows/qts-pivots';
import { RowSource } from './rows/row-source';
import type { SkinModel } from './rows/skin-model';
import type { BakeOutput } from './skin';

/** Palettes with other options, and the same error. */
export interface Smaller {
    readonly options: { readonly fps?: 'auto'; readonly layout?: 'qts16' };
    /** Bytes of all palettes. With `qts16`, an estimate: it mostly needs fewer rows. */
    readonly byteLength: number;
    /** Bytes of the bake's palettes. */
    readonly insteadOf: number;
    /** The maximum error of both, as text. */
    readonly bound: string;
}

/** Palettes of fewer bytes get no advice. */
const MIN_BYTES = 2 ** 16;
/** Share of the bytes that a saving leaves at most. */
const WORTH = 0.9;
/** Matrices of a bake. A search for other rates takes long with more. */
const MAX_SEARCHED = 1_000_000;
/** Matrices that are tried with `qts16`. */
const MAX_PACKED = 20_000;

/**
 * @param models One for each character.
 * @param outputs Those of the bake. Empty if it is not made.
 */
export async function smallerThan(
    plan: BakePlan,
    models: readonly SkinModel[],
    outputs: readonly Pick<BakeOutput, 'manifest'>[],
    signal?: AbortSignal,
): Promise<Smaller[]> {
    const { recipe } = plan;
    const { columns, rowBytes } = palettesOf(plan);
    const palettes = outputs.flatMap(({ manifest }) => manifest.arrays.palette ?? []);
    const insteadOf =
        palettes.length > 0 ? palettes.reduce((sum, { byteLength }) => sum + byteLength, 0) : plan.rows * rowBytes;
    if (!recipe.emit.has('palette') || insteadOf < MIN_BYTES) return [];
    const isAuto = recipe.rate === 'auto';
    const errors = outputs.flatMap(({ manifest }) => manifest.clips.map(({ error }) => error));
    const isLarge = errors.some((error) => playedShare(error) > LARGE_SHARE);
    // A bake above the default error has a warning with advice.
    if (!isAuto && (isLarge || plan.rows * columns > MAX_SEARCHED)) return [];
    const rows = isAuto ? plan.rows : await rowsOfAuto(plan, models, signal);
    const found: Smaller[] = [];
    const add = (options: Smaller['options'], byteLength: number) => {
        if (byteLength <= WORTH * insteadOf) found.push({ options, byteLength, insteadOf, bound: boundOf(recipe) });
    };
    const rate = isAuto ? {} : ({ fps: 'auto' } as const);
    if (recipe.layout !== 'qts16')
        add({ ...rate, layout: 'qts16' }, rows * models.reduce((sum, model) => sum + qtsRowBytes(plan, model), 0));
    if (!isAuto) add(rate, (rows * insteadOf) / plan.rows);
    return found;
}

function boundOf({ maxError }: Recipe): string {
    if (maxError?.of === 'units') return significant(maxError.value);
    return `${significant((maxError?.value ?? LARGE_SHARE) * 100)}%`;
}

async function rowsOfAuto(plan: BakePlan, models: readonly SkinModel[], signal?: AbortSignal): Promise<number> {
    const recipe: Recipe = { ...plan.recipe, rate: 'auto' };
    const selection = { ...plan, recipe, animations: plan.clips.map(({ animation }) => animation) };
    try {
        const found = await findRates(selection, models, new Clock({ signal }, Infinity));
        return planBake(selection, plan.rate, found).rows;
    } catch (error) {
        if (error instanceof ToleranceError) return Infinity;
        throw error;
    }
}

/** Bytes of a row of `qts16`, by some rows of each clip. Infinity if it cannot hold them. */
function qtsRowBytes(plan: BakePlan, model: SkinModel): number {
    const recipe: Recipe = { ...plan.recipe, layout: 'qts16', dtype: 'f16' };
    const pivots = qtsPivotsOf(plan, model, MAX_PACKED);
    const source = new RowSource({ ...plan, recipe }, { ...model, pivots: () => pivots });
    const step = Math.ceil((plan.rows * model.character.nodes.length) / MAX_PACKED);
    const row = new Float32Array(model.poses.capacity * model.rowFloats);
    const allowed = allowedRounding(plan, model);
    try {
        const fits = plan.clips.every(({ animation, timeline }) => {
            const times = frameTimesOf(timeline).filter((_, frame) => frame % step === 0);
            for (let first = 0; first < times.length; first += model.poses.capacity) {
                const count = Math.min(model.poses.capacity, times.length - first);
                const own = row.subarray(0, count * model.rowFloats);
                const squared = source.evaluate({ animation, times }, first, own, 0);
                if (Math.fround(Math.sqrt(squared)) > allowed) return false;
            }
            return true;
        });
        return fits ? source.mixedFloats * 2 : Infinity;
    } catch (error) {
        if (error instanceof ToleranceError) return Infinity;
        throw error;
    }
}
