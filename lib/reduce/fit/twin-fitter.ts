// SPDX-License-Identifier: MIT
// Twin: native/rig/fit_clip.h

import { TRS } from '../model/affine';
import { BLOCK, type Clip, isMoving, type Track } from './clip';
import { fitTrack, setKeys, stepFor, targetsAt } from './fit';
import { type ClipFit, type Fitter, type FitterInput, tolerancesOf, tracksPerYield } from './fitter';
import { deviation, type Lever, leversOf } from './levers';
import { playTrack } from './play-track';
import { coarsenTracks, removeKeys } from './polish';
import { rounded } from './rounding';
import type { Keys } from './stored';
import { judgeAll, placeSource } from './subtree-errors';

/** Share of a track's tolerance that rounding its values may use. */
const NOISE = 0.7;

/** Shares of the bound that a constant track may use: for rounding, and for the change to the rest value. */
const CONSTANT_NOISE = 0.02;
const REST = 0.01;

/** Number of grid times before and after a time whose errors also affect its tolerance. */
const WINDOW = 2;

/** The fitter of all platforms. */
export class TwinFitter implements Fitter<Keys[]>, ClipFit {
    readonly clip: Clip;
    readonly bound: number;
    readonly quantize: boolean;
    readonly tolerances: Float64Array;
    readonly levers: ReadonlyMap<Track, Lever>;
    readonly moving: readonly Track[];
    readonly tolerancesOf: ReadonlyMap<Track, Float64Array>;

    constructor(input: FitterInput) {
        const { clip, bound, quantize, earlier } = input;
        const { tracks, times } = clip;
        this.clip = clip;
        this.bound = bound;
        this.quantize = quantize;
        this.tolerances = tolerancesOf(input);
        placeSource(clip);
        const before = earlier && [...(earlier.levers as ReadonlyMap<Track, Lever>).values()];
        const levers = before ?? leversOf(clip);
        this.levers = new Map(tracks.map((track, i) => [track, levers[i]!]));
        this.moving = tracks.filter(isMoving);
        this.tolerancesOf = new Map(
            tracks.map((track, i) => [track, this.tolerances.subarray(i * times.length, (i + 1) * times.length)]),
        );
    }

    setConstants(): void {
        const { clip } = this;
        for (const track of clip.tracks) {
            if (!track.constant) continue;
            this.setConstant(track);
            playTrack(clip, track, 0, clip.at.length);
        }
        judgeAll(clip);
    }

    private setConstant(track: Track): void {
        const { clip, bound, quantize } = this;
        const { node, place, width, target, joined } = track;
        const lever = this.levers.get(track)!;
        const rest = clip.model.rest.slice(node * TRS + place, node * TRS + place + width);
        track.step = stepFor(track, lever, bound * CONSTANT_NOISE, quantize);
        const goes = !joined && deviation(track, lever, 0, rest, 0) <= REST * bound;
        const value = goes ? rest : rounded(track, target.slice(0, width));
        // Other parts may move.
        if (joined) setKeys(track, [0, clip.times.length - 1], Float64Array.of(...value, ...value));
        else setKeys(track, [0], value);
    }

    *fitAll(factor: number): Generator<void, boolean> {
        const { clip, levers, moving, quantize } = this;
        const { times, at } = clip;
        const scaled = new Float64Array(times.length);
        const perYield = tracksPerYield(clip);
        for (const [number, track] of moving.entries()) {
            const tolerance = this.tolerancesOf.get(track)!;
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
        return judgeAll(clip) <= 1;
    }

    adapt(): void {
        const seen = seenBelow(this.clip);
        for (const track of this.moving) adapt(this.tolerancesOf.get(track)!, seen[track.node]!, this.bound);
    }

    size(): number {
        return this.moving.reduce((sum, { knots, width }) => sum + knots.length * (1 + width), 0);
    }

    save(): Keys[] {
        return this.moving.map(({ knots, values, step }) => ({ knots, values, step }));
    }

    restore(keys: readonly Keys[]): void {
        for (const [i, track] of this.moving.entries()) {
            Object.assign(track, keys[i]);
            playTrack(this.clip, track, 0, this.clip.at.length);
        }
        judgeAll(this.clip);
    }

    keepAll(): void {
        for (const track of this.moving) {
            track.step = 0;
            const knots = track.own?.slice() ?? Array.from(this.clip.times, (_, i) => i);
            setKeys(track, knots, targetsAt(track, knots));
            rounded(track, track.values);
        }
    }

    polish(): Generator<void, void> {
        return removeKeys(this);
    }

    coarsen(): Generator<void, void> {
        return coarsenTracks(this);
    }

    end(): void {}
}

function adapt(tolerance: Float64Array, seen: Float64Array, bound: number): void {
    for (let i = 0; i < tolerance.length; i++) {
        const ratio = 0.95 / Math.max(seen[i]!, 1e-9);
        // A square root, because machines round powers differently.
        const change = ratio < 1 ? Math.max(0.5, ratio) : Math.min(1.1, Math.sqrt(ratio));
        tolerance[i] = Math.min(bound, tolerance[i]! * change);
    }
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
