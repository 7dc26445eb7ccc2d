// SPDX-License-Identifier: MIT

import { selectAnimations } from '../bake/plan/select';
import { InputError, inputName, namingOptions, ToleranceError, UsageError } from '../base/errors';
import { significant } from '../base/messages';
import { nearNames } from '../base/names';
import { inTurns, nextTurn } from '../base/next-turn';
import type { GltfScene, SceneChannel } from '../gltf/scene';
import { MAX_SLOTS } from '../rig/measure/characters';
import { type Lane, spread } from '../threads/spread';
import { gridOf } from './fit/clip';
import { FLOAT32 } from './model/affine';
import { type Model, modelOf } from './model/model';
import { places } from './model/skeleton';
import type { ReduceRecipe } from './options';
import { type ClipOutcome, type ClipWork, countKeys, keptOutcome, reduceClip } from './reduce-clip';
import type { ReducedAnimation, ReducedClip } from './types';
import { packedSize } from './write/packed-size';

/** Hooks of a reduction: progress and a signal. */
export interface ReduceHooks {
    /**
     * Called after each clip.
     *
     * @param done Clips reduced so far.
     * @param total Clips in all.
     */
    onProgress?(done: number, total: number): void;
    /** Cancels the reduction: the promise is rejected with the signal's reason. */
    signal?: AbortSignal;
}

interface SceneHooks extends ReduceHooks {
    readonly file?: string;
    /** Called when all threads have work. */
    onBegin?(): void;
}

/** The reduced clips of a scene. */
interface ReducedScene {
    readonly animations: readonly ReducedAnimation[];
    readonly clips: readonly ReducedClip[];
    /** The extent that shares refer to, and the bound, in model units. */
    readonly extent: number;
    readonly maxError: number;
    /** Other choices of keys, larger by an estimate. Each has fewer keys than the source. */
    readonly others: readonly (readonly ClipOutcome[])[];
}

/** A scene, ready to be reduced. */
interface PreparedScene {
    /** Null if there is nothing to reduce. */
    readonly model: Model | null;
    /** Numbers of the clips to reduce. */
    readonly animations: readonly number[];
}

/**
 * @param file Name of the input, for errors.
 * @throws UsageError for clips or joints that the scene does not have; ToleranceError for a bound that float32 cannot
 * keep.
 */
function prepareScene(scene: GltfScene, recipe: ReduceRecipe, file: string): PreparedScene {
    const { keepJoints } = recipe;
    if (keepJoints !== null && !scene.nodes.some(({ name }) => keepJoints.test(name))) {
        const near = nearNames(keepJoints.source, scene.nodes);
        throw namingOptions((name) => {
            return new UsageError(
                `${inputName(file)}: ${name('keepJoints')}: no node matches '${keepJoints.source}', ${near}`,
            );
        });
    }
    if (scene.animations.length === 0 && recipe.clips === undefined) return { model: null, animations: [] };
    const animations = selectAnimations(scene, recipe.clips, file);
    const model = modelOf(scene, recipe);
    if (model.nodes.length === 0) return { model: null, animations: [] };
    refuseLarge(model, scene, animations, file);
    if (model.beyond >= 0) {
        const rule = `clip #${model.beyond} '${scene.animations[model.beyond]!.name}': a pose is beyond float32`;
        throw new InputError('NOT_FINITE', file, `/animations/${model.beyond}`, rule);
    }
    // A share of an extent of 0 has no meaning. The extent is 0 if a node turns about the origin, or if everything is
    // scaled to 0.
    if (model.extent === 0 && recipe.maxError.of === 'extent') return { model: null, animations: [] };
    if (!(model.maxError > 2 * FLOAT32 * model.extent)) {
        throw tooSmall(model, file, `in a model of ${significant(model.extent, 3)}`, model.extent);
    }
    return { model, animations };
}

/** Work that every file may cause, in nodes at key times: about 5 s. */
const MAX_WORK = 2_097_152;
/** Further work allowed for each number of the keys. Files whose nodes all have keys need less. */
const WORK_PER_NUMBER = 4;
/** Fixed work of a clip, and of each of its nodes. */
const CLIP_WORK = 512;
const NODE_WORK = 8;
/** Mean number of nodes below a node with keys that is not counted as work. Only long chains exceed it. */
const NODES_BELOW = 64;

/** @throws InputError for more nodes than a bake allows, or for work out of proportion to the keys of the file. */
function refuseLarge(model: Model, { animations }: GltfScene, selected: readonly number[], file: string): void {
    const nodes = model.nodes.length;
    if (nodes > MAX_SLOTS) {
        const rule = `${nodes} nodes carry vertices or move, with all above them, more than ${MAX_SLOTS}, the limit here`;
        throw new InputError('GLTF_INVALID', file, '/nodes', rule);
    }
    const below = new Float64Array(nodes).fill(1);
    for (let node = nodes - 1; node >= 0; node--) {
        const parent = model.parents[node]!;
        if (parent >= 0) below[parent] = below[parent]! + below[node]!;
    }
    const lists = new Set<Float32Array>();
    let [times, work] = [0, 0];
    for (const index of selected) {
        const { channels } = animations[index]!;
        const placing = channels.filter(places);
        const own = gridOf(placing).length;
        const moved = new Set(placing.map(({ node }) => model.indexOf[node]!));
        let chained = -NODES_BELOW * moved.size;
        for (const node of moved) chained += below[node]!;
        times += own;
        work += CLIP_WORK + nodes * (NODE_WORK + own) + NODE_WORK * Math.max(0, chained);
        for (const { values } of channels) lists.add(values);
    }
    let numbers = 0;
    for (const { length } of lists) numbers += length;
    const limit = Math.max(MAX_WORK, WORK_PER_NUMBER * numbers);
    if (work <= limit) return;
    throw namingOptions((name) => {
        const clips = selected.length === 1 ? '1 clip' : `${selected.length} clips`;
        const what = `${clips} with ${times} key times in all, of ${nodes} nodes`;
        const rule = `${what}, take ${work} steps, more than ${limit}, the limit for ${numbers} numbers of keys`;
        const remedy = selected.length === 1 ? 'take nodes out of the file' : `choose fewer by ${name('clips')}`;
        return new InputError('OUTPUT_TOO_LARGE', file, '/animations', `${rule}: ${remedy}`);
    });
}

function tooSmall({ maxError }: Model, file: string, where: string, distance: number): ToleranceError {
    const least = significant(2 * FLOAT32 * distance, 2);
    const bound = `a bound of ${significant(maxError, 3)} is less than float32 can tell`;
    return new ToleranceError(`${inputName(file)}: ${bound} ${where}: needs ${least} or more`);
}

/**
 * Reduces clips of a scene.
 *
 * @param threads Number of clips at once, in this and other threads.
 * @throws As `prepareScene`; the signal's reason.
 */
export async function reduceScene(
    scene: GltfScene,
    recipe: ReduceRecipe,
    { threads = 1, ...hooks }: SceneHooks & { readonly threads?: number } = {},
): Promise<ReducedScene> {
    await nextTurn();
    hooks.signal?.throwIfAborted();
    const count = Math.min(threads, recipe.clips?.length ?? scene.animations.length);
    // Loaded on demand: most calls use one thread, and browsers have no others. Opened now, so that the threads start
    // while this one prepares the scene.
    const pool = count > 1 ? (require('./threads') as typeof import('./threads')).openClipThreads(count - 1) : null;
    try {
        return await reduceAllClips(scene, recipe, hooks, pool);
    } finally {
        await pool?.close();
    }
}

type ClipThreads = ReturnType<typeof import('./threads').openClipThreads>;

async function reduceAllClips(
    scene: GltfScene,
    recipe: ReduceRecipe,
    { file = '', onBegin, onProgress, signal }: SceneHooks,
    pool: ClipThreads,
): Promise<ReducedScene> {
    const { model, animations } = prepareScene(scene, recipe, file);
    await nextTurn();
    signal?.throwIfAborted();
    const works = animations.map((index): ClipWork => {
        const clip = { index, ...scene.animations[index]! };
        return { model: model!, clip, quantize: recipe.quantize, fixed: new Set() };
    });
    // The longest first, so that no thread is left with a long one at the end.
    const keysOf = ({ clip }: ClipWork) => countKeys(clip.channels);
    works.sort((a, b) => keysOf(b) - keysOf(a) || a.clip.index - b.clip.index);
    const reduceAll = async (list: readonly ClipWork[], told?: (done: number) => void) => {
        const done: ClipOutcome[] = [];
        for await (const outcome of inThreads(list, pool, signal, onBegin)) {
            done.push(outcome);
            told?.(done.length);
        }
        return done.sort((a, b) => a.clip.animation - b.clip.animation);
    };
    const shared = sharedChannels(scene);
    const sharing = works.flatMap((work): ClipWork[] => {
        const fixed = work.clip.channels.flatMap(({ pointer }) => (shared.has(pointer) ? pointer : []));
        return fixed.length === 0 ? [] : [{ ...work, fixed: new Set(fixed) }];
    });
    const isMany = ({ fixed }: ClipWork) => [...fixed].some((pointer) => shared.get(pointer)! > MANY);
    const only = new Map(sharing.filter(isMany).map((work) => [work.clip.index, work]));
    const outcomes = await reduceAll(
        works.map((work) => only.get(work.clip.index) ?? work),
        (done) => onProgress?.(done, animations.length),
    );
    const others = await reduceAll(sharing.filter((work) => !isMany(work)));
    for (const { clip, tooFar } of outcomes) {
        if (tooFar === null) continue;
        const where = `where clip #${clip.animation} '${clip.name}' is ${significant(tooFar, 3)} from the origin`;
        throw tooSmall(model!, file, where, tooFar);
    }
    const [chosen, ...larger] = await smallestFirst(outcomes, others, scene);
    return {
        animations: chosen.map(({ animation }) => animation),
        clips: chosen.map(({ clip }) => clip),
        extent: model?.extent ?? 0,
        maxError: model?.maxError ?? 0,
        others: larger,
    };
}

/** Keys that more clips share than this stay shared without a trial: separate keys would take more bytes. */
const MANY = 8;

/**
 * Pointers of channels that move something and share their values with other channels of any clip, with the number of
 * different clips. Clips with the same channels count once, because they get the same keys.
 */
function sharedChannels({ animations }: GltfScene): Map<string, number> {
    const numbers = new Map<Float32Array, number>();
    const numberOf = (list: Float32Array) => {
        const number = numbers.get(list) ?? numbers.size;
        numbers.set(list, number);
        return number;
    };
    const users = new Map<Float32Array, { channels: SceneChannel[]; clips: Set<string> }>();
    for (const { channels } of animations) {
        const clip = channels
            .map(({ node, path, interpolation, times, values }) =>
                [node, path, interpolation, numberOf(times), numberOf(values)].join(),
            )
            .join(';');
        for (const channel of channels) {
            const found = users.get(channel.values) ?? { channels: [], clips: new Set() };
            users.set(channel.values, found);
            found.channels.push(channel);
            found.clips.add(clip);
        }
    }
    const shared = [...users].filter(([values, { channels }]) => channels.length > 1 && !isStill(values, channels[0]!));
    return new Map(
        shared.flatMap(([, { channels, clips }]) => channels.map(({ pointer }) => [pointer, clips.size] as const)),
    );
}

function isStill(values: Float32Array, { times }: SceneChannel): boolean {
    const width = values.length / times.length;
    return values.every((x, i) => x === values[i % width]);
}

/**
 * Orders the choices for a scene by size: each clip's own choice, that with shared channels kept, and the source. Clips
 * can share keys, so the smallest choice of each clip can be larger in total.
 *
 * @returns The smallest one, then others smaller than the source.
 */
async function smallestFirst(
    outcomes: readonly ClipOutcome[],
    sharing: readonly ClipOutcome[],
    { animations }: GltfScene,
): Promise<readonly [readonly ClipOutcome[], ...(readonly ClipOutcome[])[]]> {
    const sharingBy = new Map(sharing.map((outcome) => [outcome.animation.animation, outcome]));
    const chosen = new Set(outcomes.map(({ animation }) => animation.animation));
    const others = [...animations.keys()].flatMap((index) => {
        return chosen.has(index)
            ? []
            : [[keptOutcome({ index, ...animations[index]! }).animation, animations[index]!] as const];
    });
    const kept = outcomes.map(({ clip: { animation: index } }) => keptOutcome({ index, ...animations[index]! }));
    const mixed = outcomes.map((outcome) => sharingBy.get(outcome.animation.animation) ?? outcome);
    const sized: { choice: readonly ClipOutcome[]; size: number }[] = [];
    for (const choice of sharing.length === 0 ? [outcomes, kept] : [outcomes, mixed, kept]) {
        await nextTurn();
        const all = choice.map(({ animation }) => [animation, animations[animation.animation]!] as const);
        // The source is the last of the choices, and mostly by far the largest.
        const limit = choice === kept ? Math.max(...sized.map(({ size }) => size)) : Infinity;
        sized.push({ choice, size: packedSize([...all, ...others], limit) });
    }
    // Sorting is stable.
    const [best, ...larger] = sized.sort((a, b) => a.size - b.size).map(({ choice }) => choice);
    return [best!, ...larger.slice(0, Math.max(0, larger.indexOf(kept)))];
}

async function* inThreads(
    works: readonly ClipWork[],
    pool: ClipThreads,
    signal: AbortSignal | undefined,
    onBegin = () => {},
) {
    const here: Lane<ClipWork, ClipOutcome> = async (work) => {
        await nextTurn(); // the other lanes take their work first
        onBegin();
        return inTurns(reduceClip(work), signal);
    };
    let left = works.length;
    // Closing the pool ends the work that its threads have begun.
    const stop = () => {
        if (left > 0) void pool?.close();
    };
    for await (const outcome of spread(works, [here, ...(pool?.lanes ?? [])], stop, signal)) {
        left--;
        yield outcome;
    }
}
