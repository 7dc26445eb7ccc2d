// SPDX-License-Identifier: MIT

/** How a clip's bound is shared among its tracks and times. */

import { type Clip, commitAll, judge, playTrack, type Track } from './clip';
import { fitTrack, rounded, setKeys, stepFor, targetsAt } from './fit';
import type { Lever } from './levers';
import { BLOCK } from './subtree-errors';

/** A clip while it is reduced. */
export interface Reduction {
    readonly clip: Clip;
    readonly levers: ReadonlyMap<Track, Lever>;
    /** Tracks that move and may lose keys. */
    readonly moving: readonly Track[];
    /** For each of those, for each time of the grid, the displacement that it alone may cause. */
    readonly tolerances: ReadonlyMap<Track, Float64Array>;
    readonly quantize: boolean;
    /** Model units. */
    readonly bound: number;
}

/** More rounds, up to six, gave no fewer bytes. */
const ROUNDS = 2;
/** Of the bisection. */
const HALVINGS = 3;

/** The share of a track's tolerance that rounding its values may use. */
const NOISE = 0.7;

/** The share of the bound that the tolerance of a track starts with. */
export const START = 0.3;

/** How many times of the grid on either side an error counts for. */
const WINDOW = 2;

type Keys = Pick<Track, 'knots' | 'values' | 'step'>;

/**
 * Tolerances by multiplicative weights: a track's at a time grows where all nodes that it moves are within the bound around that time, and
 * shrinks where one is not. Of the rounds that keep to the bound, the one with the fewest numbers counts; a bisection ends it.
 */
export function* allocate(reduction: Reduction): Generator<void, void> {
    const { clip, moving, tolerances, bound } = reduction;
    let best: Keys[] | null = null;
    let fewest = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
        const worst = yield* fitAll(reduction, 1);
        const numbers = numbersOf(moving);
        if (worst <= 1 && numbers < fewest) {
            best = keysOf(moving);
            fewest = numbers;
        }
        const seen = seenBelow(clip);
        for (const track of moving) adapt(tolerances.get(track)!, seen[track.node]!, bound);
    }
    const scaled = (yield* byBisection(reduction, 0.4, 1.1)) ?? (yield* byBisection(reduction, 1 / 64, 0.4));
    if (scaled !== null && numbersOf(moving) < fewest) best = scaled;
    if (best === null) {
        // Nothing fits: every key as it is.
        for (const track of moving) {
            track.step = 0;
            const knots = track.own?.slice() ?? Array.from(clip.times, (_, i) => i);
            setKeys(track, knots, targetsAt(track, knots));
            rounded(track, track.values);
        }
        best = keysOf(moving);
    }
    restore(reduction, best);
}

function adapt(tolerance: Float64Array, seen: Float64Array, bound: number): void {
    for (let i = 0; i < tolerance.length; i++) {
        const ratio = 0.95 / Math.max(seen[i]!, 1e-9);
        // A root, because powers' last bits differ from machine to machine.
        const change = ratio < 1 ? Math.max(0.5, ratio) : Math.min(1.1, Math.sqrt(ratio));
        tolerance[i] = Math.min(bound, tolerance[i]! * change);
    }
}

/** Fits all tracks within their tolerances times a factor; the greatest squared share of the bound. */
function* fitAll({ clip, levers, moving, tolerances, quantize }: Reduction, factor: number): Generator<void, number> {
    const { times, at } = clip;
    const scaled = new Float64Array(times.length);
    for (const track of moving) {
        const tolerance = tolerances.get(track)!;
        let mean = 0;
        for (let i = 0; i < scaled.length; i++) {
            scaled[i] = tolerance[i]! * factor;
            mean += scaled[i]! / scaled.length;
        }
        const lever = levers.get(track)!;
        track.step = stepFor(track, lever, NOISE * mean, quantize);
        fitTrack(track, lever, times, scaled);
        playTrack(clip, track, 0, at.length);
        yield;
    }
    const worst = judge(clip, clip.all, 0, clip.blocks);
    commitAll(clip);
    return worst;
}

function numbersOf(tracks: readonly Track[]): number {
    return tracks.reduce((sum, { knots, width }) => sum + knots.length * (1 + width), 0);
}

function keysOf(tracks: readonly Track[]): Keys[] {
    return tracks.map(({ knots, values, step }) => ({ knots, values, step }));
}

function restore({ clip, moving }: Reduction, keys: readonly Keys[]): void {
    for (const [i, track] of moving.entries()) {
        Object.assign(track, keys[i]);
        playTrack(clip, track, 0, clip.at.length);
    }
    judge(clip, clip.all, 0, clip.blocks);
    commitAll(clip);
}

/** One factor of all tolerances; null where none between the two keeps to the bound. */
function* byBisection(reduction: Reduction, low: number, high: number): Generator<void, Keys[] | null> {
    let best: Keys[] | null = null;
    for (let round = 0; round < HALVINGS; round++) {
        const factor = round === 0 ? high : Math.sqrt(low * high);
        if ((yield* fitAll(reduction, factor)) <= 1) {
            best = keysOf(reduction.moving);
            if (round === 0) break;
            low = factor;
        } else high = factor;
    }
    return best;
}

/** For each node and time of the grid the greatest share of the bound at or below the node, around that time. */
function seenBelow({ model, times, errors, blocks }: Clip): Float64Array[] {
    const n = times.length;
    const raw: Float64Array[] = Array.from(model.nodes, () => new Float64Array(n));
    const wide: Float64Array[] = [];
    for (let node = model.nodes.length - 1; node >= 0; node--) {
        const own = raw[node]!;
        const from = node * blocks * BLOCK;
        for (let i = 0; i < n; i++) {
            let max = errors[from + 2 * i]!;
            if (i > 0) max = Math.max(max, errors[from + 2 * i - 1]!);
            if (i < n - 1) max = Math.max(max, errors[from + 2 * i + 1]!);
            own[i] = Math.max(own[i]!, Math.sqrt(max));
        }
        const parent = model.parents[node]!;
        if (parent >= 0) for (let i = 0; i < n; i++) if (own[i]! > raw[parent]![i]!) raw[parent]![i] = own[i]!;
        const around = new Float64Array(n);
        for (let i = 0; i < n; i++) {
            let max = 0;
            for (let j = Math.max(0, i - WINDOW); j <= Math.min(n - 1, i + WINDOW); j++) max = Math.max(max, own[j]!);
            around[i] = max;
        }
        wide[node] = around;
    }
    return wide;
}
