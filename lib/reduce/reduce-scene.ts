// SPDX-License-Identifier: MIT

import { type Lane, spread } from '../bake/pool/spread';
import { selectAnimations } from '../bake/select';
import { InputError, inputName, ToleranceError } from '../errors';
import type { GltfScene } from '../gltf/scene';
import { significant } from '../messages';
import { nextTurn } from '../next-turn';
import { type Model, modelOf } from './model/model';
import type { ReduceRecipe } from './options';
import { type ClipOutcome, type ClipWork, reduceClip } from './reduce-clip';
import type { ReducedAnimation, ReducedClip } from './types';
import { packedSize } from './write/packed-size';

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
interface ReducedScene {
    readonly animations: readonly ReducedAnimation[];
    readonly clips: readonly ReducedClip[];
    /** Model units: what shares of the extent are of, and the bound. */
    readonly extent: number;
    readonly maxError: number;
}

/** A bound below this share of the farthest that anything goes is less than float32 can tell. */
const FLOAT32 = 2 ** -20;

/** A scene that is about to be reduced. */
interface PreparedScene {
    /** Null where there is nothing to reduce. */
    readonly model: Model | null;
    /** Numbers of the clips to reduce. */
    readonly animations: readonly number[];
}

/**
 * @param file As `InputError` has it.
 * @throws UsageError for clips that the scene does not have; ToleranceError for a bound that float32 cannot keep.
 */
function prepareScene(scene: GltfScene, recipe: ReduceRecipe, file: string): PreparedScene {
    if (scene.animations.length === 0 && recipe.clips === undefined) return { model: null, animations: [] };
    const animations = selectAnimations(scene, recipe.clips, file);
    const model = modelOf(scene, recipe);
    if (model.nodes.length === 0) return { model: null, animations: [] };
    if (!(model.extent < Infinity)) {
        throw new InputError('NOT_FINITE', file, '', 'the rest pose leaves the range of numbers');
    }
    // A model without an extent has no share of one: a node that turns about the origin, or all that is scaled to 0.
    if (model.extent === 0 && recipe.maxError.of === 'extent') return { model: null, animations: [] };
    if (!(model.maxError > model.extent * FLOAT32)) {
        const least = significant(model.extent * FLOAT32, 2);
        throw new ToleranceError(
            `${inputName(file)}: a bound of ${significant(model.maxError, 3)} is less than float32 can tell in a model of ` +
                `${significant(model.extent, 3)}: needs ${least} or more`,
        );
    }
    return { model, animations };
}

/**
 * Reduces clips of a scene.
 *
 * @param threads How many clips at once: this thread, and others.
 */
export async function reduceScene(
    scene: GltfScene,
    recipe: ReduceRecipe,
    {
        file = '',
        threads = 1,
        onProgress,
        signal,
    }: ReduceHooks & { readonly file?: string; readonly threads?: number } = {},
): Promise<ReducedScene> {
    const { model, animations } = prepareScene(scene, recipe, file);
    const works = animations.map((index): ClipWork => {
        return {
            model: model!,
            clip: { index, ...scene.animations[index]! },
            quantize: recipe.quantize,
            spline: recipe.spline,
        };
    });
    // The longest first, so that no thread ends with one alone.
    const keysOf = ({ clip }: ClipWork) => clip.channels.reduce((sum, { times }) => sum + times.length, 0);
    works.sort((a, b) => keysOf(b) - keysOf(a) || a.clip.index - b.clip.index);
    const outcomes: ClipOutcome[] = [];
    for await (const outcome of inThreads(works, Math.min(threads, works.length), signal)) {
        outcomes.push(outcome);
        onProgress?.(outcomes.length, animations.length);
    }
    outcomes.sort((a, b) => a.clip.animation - b.clip.animation);
    const chosen = smaller(outcomes, scene);
    return {
        animations: chosen.map(({ animation }) => animation),
        clips: chosen.map(({ clip }) => clip),
        extent: model?.extent ?? 0,
        maxError: model?.maxError ?? 0,
    };
}

/** Splines may be smaller in each clip, and larger in all, where straight keys are alike in many. */
function smaller(outcomes: readonly ClipOutcome[], { animations }: GltfScene): readonly ClipOutcome[] {
    const straight = outcomes.map((outcome) => outcome.straight ?? outcome);
    if (straight.every((outcome, i) => outcome === outcomes[i])) return outcomes;
    const sizeOf = (list: readonly ClipOutcome[]) =>
        packedSize(list.map(({ animation }) => [animation, animations[animation.animation]!]));
    return sizeOf(outcomes) < sizeOf(straight) ? outcomes : straight;
}

async function* inThreads(works: readonly ClipWork[], threads: number, signal: AbortSignal | undefined) {
    const here: Lane<ClipWork, ClipOutcome> = async (work) => {
        await nextTurn();
        signal?.throwIfAborted();
        return reduceClip(work);
    };
    // Loaded here: most calls have one thread, and browsers no others.
    const pool = threads > 1 ? (require('./threads') as typeof import('./threads')).openClipThreads(threads - 1) : null;
    try {
        yield* spread(works, [here, ...(pool?.lanes ?? [])], () => {}, signal);
    } finally {
        await pool?.close();
    }
}
