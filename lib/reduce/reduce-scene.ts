// SPDX-License-Identifier: MIT

import { selectAnimations } from '../bake/select';
import { InputError, inputName, ToleranceError } from '../errors';
import type { GltfScene } from '../gltf/scene';
import { significant } from '../messages';
import { nextTurn } from '../next-turn';
import { type Model, modelOf } from './model';
import type { ReduceRecipe } from './options';
import { reduceClip } from './reduce-clip';
import type { ReducedAnimation, ReducedClip } from './types';

/** What watches a reduction, and ends it. */
export interface ReduceHooks {
    /**
     * Called after each clip.
     *
     * @param done Clips reduced so far.
     * @param total All of them.
     */
    onProgress?(done: number, total: number): void;
    /** Ends it: the promise is rejected with the signal's reason. */
    signal?: AbortSignal;
}

/** The clips of a scene with fewer keys. */
export interface ReducedScene {
    readonly animations: readonly ReducedAnimation[];
    readonly clips: readonly ReducedClip[];
    /** Model units: what shares of the extent are of, and the bound. */
    readonly extent: number;
    readonly maxError: number;
}

/** A bound below this share of the farthest that anything goes is less than float32 can tell. */
const FLOAT32 = 2 ** -20;

/** A scene that is about to be reduced. */
export interface PreparedScene {
    /** Null where there is nothing to reduce. */
    readonly model: Model | null;
    /** Numbers of the clips to reduce. */
    readonly animations: readonly number[];
}

/**
 * @param file As `InputError` has it.
 * @throws UsageError for clips that the scene does not have; ToleranceError for a bound that float32 cannot keep.
 */
export function prepareScene(scene: GltfScene, recipe: ReduceRecipe, file: string): PreparedScene {
    if (scene.animations.length === 0 && recipe.clips === undefined) return { model: null, animations: [] };
    const animations = selectAnimations(scene, recipe.clips, file);
    const model = modelOf(scene, recipe, animations);
    if (model.nodes.length === 0) return { model: null, animations: [] };
    if (!(model.extent < Infinity)) {
        throw new InputError('NOT_FINITE', file, '', 'the rest pose leaves the range of numbers');
    }
    if (!(model.maxError > model.extent * FLOAT32)) {
        const least = significant(model.extent * FLOAT32, 2);
        throw new ToleranceError(
            `${inputName(file)}: a bound of ${significant(model.maxError, 3)} is less than float32 can tell in a model of ` +
                `${significant(model.extent, 3)}: needs ${least} or more`,
        );
    }
    return { model, animations };
}

/** Reduces clips of a scene, one after the other. */
export async function reduceScene(
    scene: GltfScene,
    recipe: ReduceRecipe,
    file = '',
    { onProgress, signal }: ReduceHooks = {},
): Promise<ReducedScene> {
    const { model, animations } = prepareScene(scene, recipe, file);
    const outcomes = [];
    for (const animation of animations) {
        signal?.throwIfAborted();
        outcomes.push(reduceClip(model!, animation, recipe.quantize));
        onProgress?.(outcomes.length, animations.length);
        await nextTurn();
    }
    return {
        animations: outcomes.map(({ animation }) => animation),
        clips: outcomes.map(({ clip }) => clip),
        extent: model?.extent ?? 0,
        maxError: model?.maxError ?? 0,
    };
}
