// SPDX-License-Identifier: MIT

import type { SceneAnimation, SceneChannel } from '../gltf/scene';
import { boundClip } from './bounds/choose-clip-bound';
import { allocate } from './fit/allocate';
import { openFitter } from './fit/choose-fitter';
import { gridOf, isMoving, openClip, partsOf, type Track } from './fit/clip';
import type { Found } from './fit/fitter';
import { limitsOf, weigh } from './fit/limits';
import { comparedTracks, joinKeys, type Keys, lasting, storedChannel } from './fit/stored';
import { leaveToMorphs, type ReducedWeights, reduceWeights } from './fit/weights';
import { FLOAT32 } from './model/affine';
import { posesOf } from './model/choose-poses';
import { type Model, withAxes } from './model/model';
import { surveyOf } from './model/poses';
import { places } from './model/skeleton';
import type { ReducedAnimation, ReducedChannel, ReducedClip } from './types';
import { channelsLeft, packedSize } from './write/packed-size';

/**
 * Share of the bound for samples in the first attempt. Smaller in the next ones, if the bound between samples exceeds
 * the limit.
 */
const SHARE = 0.95;
const ATTEMPTS = 5;

/** A clip to reduce. */
export interface SourceClip extends SceneAnimation {
    /** Its number in the file. */
    readonly index: number;
}

/** Input of a clip's reduction. Plain data. */
export interface ClipWork {
    readonly model: Model;
    readonly clip: SourceClip;
    /** Whether rotations may be normalized integers. */
    readonly quantize: boolean;
    /** Pointers of channels that keep their keys, unless they are constant. */
    readonly fixed: ReadonlySet<string>;
}

/** The keys to store for a clip, and the report on it. */
export interface ClipOutcome {
    readonly animation: ReducedAnimation;
    readonly clip: ReducedClip;
    /**
     * Maximum distance from the scene's origin, if float32 is too coarse there for the model's bound; otherwise null.
     */
    readonly tooFar: number | null;
}

/** A clip, and data shared by all attempts at it. */
interface Prepared extends ClipWork {
    /** Channels that move nodes. */
    readonly placing: readonly SceneChannel[];
    /** The grid. */
    readonly times: Float64Array;
    /** By node and interval of the grid. */
    readonly limits: readonly Float64Array[];
    readonly weights: ReducedWeights;
    /** Maximum displacement by morph weights. */
    readonly morphed: number;
}

/**
 * Reduces a clip to fewer keys that keep the model's bound at all times.
 *
 * @returns A generator of short steps, which returns the outcome.
 */
export function* reduceClip(given: ClipWork): Generator<void, ClipOutcome> {
    const { channels } = given.clip;
    if (channels.length === 0) return keptOutcome(given.clip);
    const placing = channels.filter(places);
    const grid = gridOf(placing);
    const times = grid.length > 0 ? grid : new Float64Array(1);
    const eachPose = posesOf(given.model, placing);
    const survey = surveyOf(given.model, placing, times, eachPose);
    yield;
    const model = survey.scales === null ? given.model : withAxes(given.model, survey.scales);
    if (!(model.maxError > 2 * FLOAT32 * survey.farthest))
        return { ...keptOutcome(given.clip), tooFar: survey.farthest };
    yield;
    const limits = limitsOf(model, times, eachPose, survey);
    yield;
    const weights = reduceWeights(model, channels, given.fixed);
    const work: Prepared = {
        ...given,
        model,
        placing,
        times,
        limits,
        weights,
        morphed: leaveToMorphs(weights, limits),
    };
    const kept = keptOutcome(work.clip);
    const hasSplines = channels.some(({ interpolation }) => interpolation === 'CUBICSPLINE');
    let best: ClipOutcome | null = null;
    let smallest = Infinity;
    // First tries linear keys for splines, within the tolerance. If that exceeds the limits or takes too many keys,
    // splines stay.
    for (const keepSplines of hasSplines ? [false, true] : [false]) {
        const earlier: Found[] = [];
        let share = SHARE;
        for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
            const { proved, animation, ...bounds } = yield* attempt(work, keepSplines, share, earlier);
            if (proved <= 1) {
                const keysAfter = countKeys(channelsLeft(animation, channels));
                const dropped = animation.removed.length;
                const clip = { ...kept.clip, keysAfter, kept: false, dropped, ...bounds };
                const reduced = { animation, clip, tooFar: null };
                const size = sizeOf(reduced, work);
                if (best === null || size < smallest) [best, smallest] = [reduced, size];
                break;
            }
            share = proved < 2 ? (0.985 * share) / proved : share / 2;
        }
    }
    return best !== null && smallest <= sizeOf(kept, work, smallest) ? best : kept;
}

function sizeOf({ animation }: ClipOutcome, { clip }: ClipWork, limit?: number): number {
    return packedSize([[animation, clip]], limit);
}

/** The outcome for a clip whose keys are unchanged. */
export function keptOutcome({ index: animation, name, channels }: SourceClip): ClipOutcome {
    const keys = countKeys(channels);
    const told = { name, animation, keysBefore: keys, keysAfter: keys, error: 0, worst: null, kept: true, dropped: 0 };
    return { animation: { animation, channels: [], removed: [] }, clip: told, tooFar: null };
}

export function countKeys(channels: readonly Pick<ReducedChannel, 'times'>[]): number {
    return channels.reduce((sum, { times }) => sum + times.length, 0);
}

/**
 * @param share Share of the bound for samples.
 * @param earlier By part, the result of the attempt before, which this one replaces.
 * @returns The outcome, and the share of the limits that holds at all times.
 */
function* attempt(
    { model, clip: { index, channels }, quantize, placing, times, limits, weights, morphed, fixed }: Prepared,
    keepSplines: boolean,
    share: number,
    earlier: Found[],
): Generator<void, { proved: number; animation: ReducedAnimation } & Pick<ReducedClip, 'error' | 'worst'>> {
    const parts = partsOf(times, model.nodes.length);
    let tracks: readonly Track[] = [];
    let start = 0;
    const keys: Keys[][] = [];
    for (const [number, part] of parts.entries()) {
        const clip = openClip(model, placing, part, parts.length > 1, keepSplines, fixed);
        yield;
        const end = start + Math.max(1, part.length - 1);
        weigh(
            clip,
            limits.map((own) => own.subarray(start, end)),
            share,
        );
        yield;
        start = end;
        const fitter = openFitter({ clip, bound: model.maxError * share, quantize, earlier: earlier[number] });
        yield;
        fitter.setConstants();
        yield;
        if (clip.tracks.some(isMoving)) {
            yield* allocate(fitter);
            yield* fitter.polish();
            yield* fitter.coarsen();
        }
        fitter.end();
        const { tolerances, levers } = fitter;
        earlier[number] = { tolerances, levers };
        tracks = clip.tracks;
        keys.push(tracks.map(({ knots, values, step }) => ({ knots, values, step })));
    }
    const lengths = parts.map(({ length }) => length);
    const stored = tracks.map((track, i) => {
        if (track.kept && fixed.has(track.channel.pointer)) return track.channel;
        const own = keys.map((list) => list[i]!);
        const joined = joinKeys(own, lengths, track, isClosed(track.channel, track.width));
        return storedChannel(model, track, joined, times);
    });
    const written = stored.filter(
        (channel, i) => channel !== null && channel !== tracks[i]!.channel,
    ) as ReducedChannel[];
    const gone = tracks.flatMap(({ channel }, i) => (stored[i] === null ? channel.pointer : []));
    const own = [...written, ...weights.channels];
    const removed = [...gone, ...weights.removed];
    const changed = new Set([...removed, ...own.map(({ pointer }) => pointer)]);
    const untouched = channels.filter(({ pointer }) => !changed.has(pointer));
    const animation = lasting(model, { animation: index, channels: own, removed }, channels, untouched);
    // The bound is for the written keys, so they must not change after this. A key that keeps the clip's duration can
    // be outside the grid.
    const first = Math.min(times[0]!, ...animation.channels.map((channel) => channel.times[0]!));
    const last = Math.max(times[times.length - 1]!, ...animation.channels.map((channel) => channel.times.at(-1)!));
    const all = Float64Array.from(new Set([first, ...times, last]));
    const before = first < times[0]! ? 1 : 0;
    const intervals = Math.max(1, all.length - 1);
    const allowed = new Float64Array(limits.length * intervals);
    for (const [node, own] of limits.entries()) {
        const row = allowed.subarray(node * intervals, (node + 1) * intervals).fill(own[own.length - 1]!);
        row[0] = own[0]!;
        row.set(own.subarray(0, intervals - before), before);
    }
    const boundOf = (unit: boolean) => boundClip(model, comparedTracks(model, tracks, animation, unit), all, allowed);
    const bound = yield* boundOf(false);
    const other = bound.share > 1 ? bound : yield* boundOf(true);
    return {
        proved: Math.max(bound.share, other.share),
        animation,
        // The limits exclude what morphs use, so the sum is at most the bound.
        error: Math.min(model.maxError, Math.max(bound.error, other.error) + morphed),
        worst: bound.node < 0 ? null : { error: bound.seen, time: bound.time, node: model.nodes[bound.node]! },
    };
}

/** Whether a channel ends with its first value. */
function isClosed({ values, interpolation }: SceneChannel, width: number): boolean {
    const [first, last] =
        interpolation === 'CUBICSPLINE' ? [width, values.length - 2 * width] : [0, values.length - width];
    for (let c = 0; c < width; c++) if (values[first + c] !== values[last + c]) return false;
    return true;
}
