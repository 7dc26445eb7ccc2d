// SPDX-License-Identifier: MIT

/** What `maxError` allows, in the model's units. */

import { extentHint, unitsOf } from '../../base/length';
import { LARGE_SHARE } from '../../format/played-error';
import type { Recipe } from './options';

interface Of {
    readonly recipe: Pick<Recipe, 'maxError'>;
}

interface Sized {
    readonly extent: number;
}

/** Default share of the extent for the rounding of half floats. */
export const ROUNDING_SHARE = 1e-3;

/** The maximum error between rows that the caller allows. Above the default, a bake gets a warning. */
export function allowedError({ recipe }: Of, { extent }: Sized): number {
    return recipe.maxError === null ? LARGE_SHARE * extent : unitsOf(recipe.maxError, extent);
}

/** The maximum error of half floats and 16-bit positions, at the rows. */
export function allowedRounding({ recipe }: Of, { extent }: Sized): number {
    return recipe.maxError === null ? ROUNDING_SHARE * extent : unitsOf(recipe.maxError, extent);
}

/** The end of a message about a tolerance that was exceeded. */
export function hintOf({ recipe }: Of, { extent }: Sized): string {
    const hint = extentHint(recipe.maxError, extent);
    return hint === '' ? '' : ` (${hint})`;
}
