// SPDX-License-Identifier: MIT

/** Errors that `maxError` allows, in the model's units. */

import { extentHint, unitsOf } from '../../base/length';
import { LARGE_SHARE } from '../../format/played-error';
import type { Recipe } from './options';

interface Of {
    readonly recipe: Pick<Recipe, 'maxError' | 'emit'>;
}

interface Sized {
    readonly extent: number;
}

/** Default share of the extent for the rounding of half floats. */
export const ROUNDING_SHARE = 1e-3;

/** Share of the maximum error that the texture of an engine may take by rounding. The rate has the rest. */
const TEXTURE_SHARE = 0.1;

/** The maximum error that the caller allows. */
export function allowedWhole({ recipe }: Of, { extent }: Sized): number {
    return recipe.maxError === null ? LARGE_SHARE * extent : unitsOf(recipe.maxError, extent);
}

/** The maximum error between rows that the caller allows. Above the default, a bake gets a warning. */
export function allowedError(plan: Of, model: Sized): number {
    return allowedWhole(plan, model) * (plan.recipe.emit.has('openvat') ? 1 - TEXTURE_SHARE : 1);
}

/** The maximum error of half floats and 16-bit positions, at the rows. */
export function allowedRounding(plan: Of, model: Sized): number {
    const { maxError, emit } = plan.recipe;
    if (emit.has('openvat')) return allowedWhole(plan, model) * TEXTURE_SHARE;
    return maxError === null ? ROUNDING_SHARE * model.extent : allowedWhole(plan, model);
}

/** The end of a message about a tolerance that was exceeded. */
export function hintOf({ recipe }: Of, { extent }: Sized): string {
    const hint = extentHint(recipe.maxError, extent);
    return hint === '' ? '' : ` (${hint})`;
}
