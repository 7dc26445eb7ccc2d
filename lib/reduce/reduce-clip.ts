// SPDX-License-Identifier: MIT

import type { SceneAnimation, SceneChannel } from '../gltf/scene';
import { allocate, type Reduction, START } from './fit/allocate';
import { type Clip, gridOf, judgeAll, openClip, partsOf, playTrack, type Track } from './fit/clip';
import { rounded, setKeys, stepFor } from './fit/fit';
import { deviation, type Lever, leversOf } from './fit/levers';
import { limitsOf, weigh } from './fit/limits';
import { coarsen, polish } from './fit/polish';
import { comparedTracks, joinKeys, type Keys, lasting, storedChannel } from './fit/stored';
import { leaveToMorphs, type ReducedWeights, reduceWeights } from './fit/weights';
import { FLOAT32, TRS } from './model/affine';
import { type Model, withAxes } from './model/model';
import { surveyOf } from './model/poses';
import { places } from './model/skeleton';
import { prove } from './prove/prove';
import type { ReducedAnimation, ReducedChannel, ReducedClip } from './types';
import { channelsLeft, packedSize } from './write/packed-size';

/** The shares of the bound that a constant track may use for its rounding, and for taking the value at rest. */
const CONSTANT_NOISE = 0.02;
const REST = 0.01;

/** The share of the bound that samples are held to at first; less where the times between them are not proved to keep to it. */
const SHARE = 0.95;
const ATTEMPTS = 5;

/** A clip to reduce. */
export interface SourceClip extends SceneAnimation {
    /** Its number in the file. */
    readonly index: number;
}

/** What it takes to reduce one. Plain data. */
export interface ClipWork {
    readonly model: Model;
    readonly clip: SourceClip;
    /** Whether rotations may be normalised integers. */
    readonly quantize: boolean;
    /** Pointers of channels that stay as they are, unless they are constant. */
    readonly fixed: ReadonlySet<string>;
}

/** What is to be stored of a clip, and what became of it. */
export interface ClipOutcome {
    readonly animation: ReducedAnimation;
    readonly clip: ReducedClip;
    /** How far anything goes from the scene's origin where that is too far for a bound like the model's; else null. */
    readonly tooFar: number | null;
}

/** A clip, and what is the same in all attempts at it. */
interface Prepared extends ClipWork {
    /** Channels that place nodes. */
    readonly placing: readonly SceneChannel[];
    /** The grid. */
    readonly times: Float64Array;
    /** By node and interval of the grid. */
    readonly limits: readonly Float64Array[];
    readonly weights: ReducedWeights;
    /** How far morph weights displace at the most. */
    readonly morphed: number;
}

/**
 * Reduces a clip to fewer keys, which keep to the model's bound at all times.
 *
 * @returns Steps, none of which takes long.
 */
export function* reduceClip(given: ClipWork): Generator<void, ClipOutcome> {
    const { channels } = given.clip;
    if (channels.length === 0) return keptOutcome(given.clip);
    const placing = channels.filter(places);
    const grid = gridOf(placing);
    const times = grid.length > 0 ? grid : new Float64Array(1);
    const survey = surveyOf(given.model, placing, times);
    yield;
    const model = survey.scales === null ? given.model : withAxes(given.model, survey.scales);
    if (!(model.maxError > 2 * FLOAT32 * survey.farthest))
        return { ...keptOutcome(given.clip), tooFar: survey.farthest };
    yield;
    const limits = limitsOf(model, placing, times, survey);
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
    // Straight keys come as near to a spline as they may be off for; where that is too near, or takes too many, all of it stays.
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
                if (best === null || sizeOf(reduced, work) < sizeOf(best, work)) best = reduced;
                break;
            }
            share = proved < 2 ? (0.985 * share) / proved : share / 2;
        }
    }
    return best !== null && sizeOf(best, work) <= sizeOf(kept, work) ? best : kept;
}

function sizeOf({ animation }: ClipOutcome, { clip }: ClipWork): number {
    return packedSize([[animation, clip]]);
}

/** What becomes of a clip whose keys stay. */
export function keptOutcome({ index: animation, name, channels }: SourceClip): ClipOutcome {
    const keys = countKeys(channels);
    const told = { name, animation, keysBefore: keys, keysAfter: keys, error: 0, worst: null, kept: true, dropped: 0 };
    return { animation: { animation, channels: [], removed: [] }, clip: told, tooFar: null };
}

export function countKeys(channels: readonly Pick<ReducedChannel, 'times'>[]): number {
    return channels.reduce((sum, { times }) => sum + times.length, 0);
}

/** What is found of a part of a clip, by track: what it may displace by, at the times of the grid; and how it does. */
interface Found {
    readonly tolerances: readonly Float64Array[];
    readonly levers: readonly Lever[];
}

/**
 * @param share Of the bound, that samples are held to.
 * @param earlier By part, of an earlier attempt, which this one replaces.
 * @returns Also what share of the bound is proved to be kept to at all times.
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
        earlier[number] = yield* reduceTracks(clip, model.maxError * share, quantize, earlier[number]);
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
    // The proof is of what is written: nothing may change it from here on. A key that keeps the length may be outside of the grid.
    const first = Math.min(times[0]!, ...animation.channels.map((channel) => channel.times[0]!));
    const last = Math.max(times[times.length - 1]!, ...animation.channels.map((channel) => channel.times.at(-1)!));
    const all = Float64Array.from(new Set([first, ...times, last]));
    const before = first < times[0]! ? 1 : 0;
    const limitOf = (node: number, i: number) => {
        const own = limits[node]!;
        return own[Math.max(0, Math.min(own.length - 1, i - before))]!;
    };
    const proofOf = (unit: boolean) => prove(model, comparedTracks(model, tracks, animation, unit), all, limitOf);
    const proof = yield* proofOf(false);
    const other = proof.share > 1 ? proof : yield* proofOf(true);
    return {
        proved: Math.max(proof.share, other.share),
        animation,
        // Limits leave to morphs what they use, so no sum of the two is over the bound.
        error: Math.min(model.maxError, Math.max(proof.error, other.error) + morphed),
        worst: proof.node < 0 ? null : { error: proof.seen, time: proof.time, node: model.nodes[proof.node]! },
    };
}

/** Whether a channel ends with the value that it begins with. */
function isClosed({ values, interpolation }: SceneChannel, width: number): boolean {
    const [first, last] =
        interpolation === 'CUBICSPLINE' ? [width, values.length - 2 * width] : [0, values.length - width];
    for (let c = 0; c < width; c++) if (values[first + c] !== values[last + c]) return false;
    return true;
}

/** Gives the tracks of a clip, whose weights are set, their keys: at all samples the skin keeps to the bound. */
function* reduceTracks(
    clip: Clip,
    bound: number,
    quantize: boolean,
    earlier: Found | undefined,
): Generator<void, Found> {
    const { tracks, times } = clip;
    const levers = earlier?.levers ?? leversOf(clip);
    yield;
    const tolerances = earlier?.tolerances ?? tracks.map(() => new Float64Array(times.length).fill(START * bound));
    for (const [i, track] of tracks.entries()) {
        if (!track.constant) continue;
        setConstant(clip, track, levers[i]!, bound, quantize);
        playTrack(clip, track, 0, clip.at.length);
    }
    judgeAll(clip);
    yield;
    const moving = tracks.filter(({ constant, kept }) => !constant && !kept);
    if (moving.length > 0) {
        const reduction: Reduction = {
            clip,
            moving,
            levers: new Map(tracks.map((track, i) => [track, levers[i]!])),
            tolerances: new Map(tracks.map((track, i) => [track, tolerances[i]!])),
            quantize,
            bound,
        };
        yield* allocate(reduction);
        yield* polish(reduction);
        yield* coarsen(reduction);
    }
    return { tolerances, levers };
}

function setConstant(clip: Clip, track: Track, lever: Lever, bound: number, quantize: boolean): void {
    const { node, place, width, target, joined } = track;
    const rest = clip.model.rest.slice(node * TRS + place, node * TRS + place + width);
    track.step = stepFor(track, lever, bound * CONSTANT_NOISE, quantize);
    const goes = !joined && deviation(track, lever, 0, rest, 0) <= REST * bound;
    const value = goes ? rest : rounded(track, target.slice(0, width));
    // Other parts may move.
    if (joined) setKeys(track, [0, clip.times.length - 1], Float64Array.of(...value, ...value));
    else setKeys(track, [0], value);
}
