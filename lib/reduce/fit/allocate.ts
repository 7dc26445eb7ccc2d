// SPDX-License-Identifier: MIT

/** Divides a clip's bound among its tracks and times. */

import { playTrack } from './choose-play-track';
import { type Clip, judgeAll, type Track } from './clip';
import { fitTrack, setKeys, stepFor, targetsAt } from './fit';
import type { Lever } from './levers';
import { rounded } from './rounding';
import type { Keys } from './stored';
import { BLOCK } from './subtree-errors';

/** A clip whose tracks are being fitted. */
export interface ClipFit {
    readonly clip: Clip;
    readonly levers: ReadonlyMap<Track, Lever>;
    /** Tracks that move and can lose keys. */
    readonly moving: readonly Track[];
    /** For each of these, the displacement that it may cause at each time of the grid. */
    readonly tolerances: ReadonlyMap<Track, Float64Array>;
    readonly quantize: boolean;
    /** Maximum displacement, model units. */
    readonly bound: number;
}

/** Up to six rounds were tried. More than two saved no bytes. */
const ROUNDS = 2;
/** Steps of the bisection. */
const HALVINGS = 3;

/** Share of a track's tolerance that rounding its values may use. */
const NOISE = 0.7;

/** Initial tolerance of a track, as a share of the bound. */
export const START = 0.3;

/** Number of grid times before and after a time whose errors also affect its tolerance. */
const WINDOW = 2;

/**
 * Sets tolerances by multiplicative weights. A track's tolerance at a time grows if all nodes that it moves are within
 * the bound around that time, and shrinks otherwise. The result is the round with the fewest numbers among those within
 * the bound. A bisection of a common factor follows.
 */
export function* allocate(fit: ClipFit): Generator<void, void> {
    const { clip, moving, tolerances, bound } = fit;
    let best: Keys[] | null = null;
    let fewest = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
        const worst = yield* fitAll(fit, 1);
        const numbers = numbersOf(moving);
        if (worst <= 1 && numbers < fewest) {
            best = keysOf(moving);
            fewest = numbers;
        }
        const seen = seenBelow(clip);
        for (const track of moving) adapt(tolerances.get(track)!, seen[track.node]!, bound);
    }
    const scaled = (yield* byBisection(fit, 0.4, 1.1)) ?? (yield* byBisection(fit, 1 / 64, 0.4));
    if (scaled !== null && numbersOf(moving) < fewest) best = scaled;
    if (best === null) {
        // Nothing fits: keep every key.
        for (const track of moving) {
            track.step = 0;
            const knots = track.own?.slice() ?? Array.from(clip.times, (_, i) => i);
            setKeys(track, knots, targetsAt(track, knots));
            rounded(track, track.values);
        }
        best = keysOf(moving);
    }
    restore(fit, best);
}

function adapt(tolerance: Float64Array, seen: Float64Array, bound: number): void {
    for (let i = 0; i < tolerance.length; i++) {
        const ratio = 0.95 / Math.max(seen[i]!, 1e-9);
        // A square root, because machines round powers differently.
        const change = ratio < 1 ? Math.max(0.5, ratio) : Math.min(1.1, Math.sqrt(ratio));
        tolerance[i] = Math.min(bound, tolerance[i]! * change);
    }
}

/** Tracks times grid times between two yields. */
const BETWEEN_YIELDS = 1024;

/** Fits all tracks within their tolerances times a factor. Returns the maximum squared share of the bound. */
function* fitAll({ clip, levers, moving, tolerances, quantize }: ClipFit, factor: number): Generator<void, number> {
    const { times, at } = clip;
    const scaled = new Float64Array(times.length);
    const perYield = Math.ceil(BETWEEN_YIELDS / times.length);
    for (const [number, track] of moving.entries()) {
        const tolerance = tolerances.get(track)!;
        let mean = 0;
        for (let i = 0; i < scaled.length; i++) {
            scaled[i] = tolerance[i]! * factor;
            mean += scaled[i]! / scaled.length;
        }
        const lever = levers.get(track)!;
        track.step = stepFor(track, lever, NOISE * mean, quantize);
        fitTrack({ track, lever, times, tolerance: scaled });
        playTrack(clip, track, 0, at.length);
        if (number % perYield === 0) yield;
    }
    return judgeAll(clip);
}

function numbersOf(tracks: readonly Track[]): number {
    return tracks.reduce((sum, { knots, width }) => sum + knots.length * (1 + width), 0);
}

export function keysOf(tracks: readonly Track[]): Keys[] {
    return tracks.map(({ knots, values, step }) => ({ knots, values, step }));
}

function restore({ clip, moving }: ClipFit, keys: readonly Keys[]): void {
    for (const [i, track] of moving.entries()) {
        Object.assign(track, keys[i]);
        playTrack(clip, track, 0, clip.at.length);
    }
    judgeAll(clip);
}

/** Finds the largest common factor of all tolerances that keeps the bound; null if none between the two does. */
function* byBisection(fit: ClipFit, low: number, high: number): Generator<void, Keys[] | null> {
    let best: Keys[] | null = null;
    for (let round = 0; round < HALVINGS; round++) {
        const factor = round === 0 ? high : Math.sqrt(low * high);
        if ((yield* fitAll(fit, factor)) <= 1) {
            best = keysOf(fit.moving);
            if (round === 0) break;
            low = factor;
        } else high = factor;
    }
    return best;
}

/**
 * For each node and time of the grid, the maximum share of the bound that the node or any below it uses around that
 * time.
 */
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
