// SPDX-License-Identifier: MIT

import { InputError, ToleranceError } from '../base/errors';
import type { GltfScene } from '../gltf/scene';
import { planWithRate, selectionOf } from './bake';
import { recipeOf } from './plan/options';
import { palettesOf, planBake } from './plan/plan';
import { type Smaller, smallerThan } from './smaller';

/** The size of a bake. */
export interface Forecast {
    readonly rows: number;
    /** Minimum and maximum rate of the clips; null if no clip has a duration. */
    readonly fps: readonly [number, number] | null;
    /** Bytes of all palettes. */
    readonly byteLength: number;
    readonly smaller: readonly Smaller[];
}

/** Matrices at 60 frames per second. With more, the search for rates takes seconds. */
const MAX_MATRICES = 1_000_000;

/**
 * Finds the size of a bake with default options, without its rows.
 *
 * @returns Null if the bake would fail, or the search would take long.
 */
export async function forecastOf(scene: GltfScene, file: string, signal?: AbortSignal): Promise<Forecast | null> {
    try {
        const selection = selectionOf(scene, file, recipeOf('forecastOf', {}));
        const most = planBake(selection, [60, 1]);
        if (most.rows * palettesOf(most).columns > MAX_MATRICES) return null;
        const { plan, models } = await planWithRate(selection, { signal });
        const fps = plan.clips.flatMap(({ timeline: { rate } }) => (rate === null ? [] : rate[0] / rate[1]));
        return {
            rows: plan.rows,
            fps: fps.length === 0 ? null : [Math.min(...fps), Math.max(...fps)],
            byteLength: plan.rows * palettesOf(plan).rowBytes,
            smaller: await smallerThan(plan, models!, []),
        };
    } catch (error) {
        if (error instanceof InputError || error instanceof ToleranceError) return null;
        throw error;
    }
}
