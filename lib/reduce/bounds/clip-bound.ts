// SPDX-License-Identifier: MIT
// Twin: native/rig/clip_bound.h

/**
 * An upper bound on the displacement of any vertex by the reduced keys, at all times and not only at samples.
 * Between two adjacent keys of any track, all locals are smooth. So a point's displacement d is at most the maximum of
 * both ends plus h²/8 times a bound on |d″|. An interval where this exceeds the limit is halved: the second term falls
 * to a quarter.
 */

import { globalsOf, TRS } from '../model/affine';
import type { Model } from '../model/model';
import { keyUpTo, sampleFrom } from '../model/sampler';
import { type ComparedTrack, type Curve, curveOf, DerivativeBounds, type State } from './derivative-bounds';

/** The bound for a clip. */
export interface ClipBound {
    /**
     * The maximum share of a limit that the displacement may reach. Infinity if it is not known. Above 1, the share is
     * a sampled one if samples exceed a limit.
     */
    readonly share: number;
    /** Upper bound on the displacement at all times, model units. */
    readonly error: number;
    /** Maximum sampled displacement, model units, with its time and the node whose points it displaces. */
    readonly seen: number;
    readonly time: number;
    readonly node: number;
}

/** Maximum number of halvings of an interval. */
const DEPTH = 7;

/** Nodes times intervals between two yields. */
const BETWEEN_YIELDS = 1024;

/**
 * @param times All key times, of source and reduced tracks, ascending.
 * @param limits `[node][interval]`: the allowed displacement of a node on the interval from `times[i]` on. At least one
 * interval.
 */
export function* boundClipTwin(
    model: Model,
    tracks: readonly ComparedTrack[],
    times: ArrayLike<number>,
    limits: Float64Array,
): Generator<void, ClipBound> {
    const intervals = Math.max(1, times.length - 1);
    const bounder = new ClipBounder(model, tracks, limits, intervals);
    const { sources, reductions, clipBound } = bounder;
    const perYield = Math.ceil(BETWEEN_YIELDS / Math.max(1, model.nodes.length));
    let from = bounder.newState();
    let to = bounder.newState();
    const jumps = jumpsOf(tracks);
    for (let i = 0; i < times.length; i++) {
        // The other curves have been sampled from the same keys at this time, and the errors are known.
        for (const curve of sources) if (advances(curve, times[i]!)) sampleCurve(curve, times[i]!, from.source);
        for (const curve of reductions) if (advances(curve, times[i]!)) sampleCurve(curve, times[i]!, from.reduced);
        if (i === 0 || jumps.has(times[i]!)) bounder.evaluate(from, times[i]!);
        if (i + 1 === times.length) {
            for (let node = 0; node < model.nodes.length; node++) {
                const share = shareOf(from.errors[node]!, limits[node * intervals + Math.max(0, i - 1)]!);
                clipBound.share = Math.max(clipBound.share, share);
                clipBound.error = Math.max(clipBound.error, from.errors[node]!);
            }
            break;
        }
        // From the keys of this interval: for STEP, the values before the next key.
        bounder.evaluate(to, times[i + 1]!);
        if (i % perYield === 0) yield;
        bounder.boundInterval(from, to, i, 0);
        [from, to] = [to, from];
    }
    return clipBound;
}

/** A bound that grows from interval to interval. A class, because V8 compiles the functions of each closure again. */
class ClipBounder {
    readonly sources: readonly Curve[];
    readonly reductions: readonly Curve[];
    readonly clipBound = { share: 0, error: 0, seen: 0, time: 0, node: -1 };
    private readonly bounds: DerivativeBounds;
    /** The curves that change. */
    private readonly movingSources: readonly Curve[];
    private readonly movingReductions: readonly Curve[];
    /** Has the values of all curves with one key. */
    private readonly still: State;
    private readonly middles: readonly State[];
    private readonly globals: readonly [Float64Array, Float64Array];

    constructor(
        private readonly model: Model,
        tracks: readonly ComparedTrack[],
        private readonly limits: Float64Array,
        private readonly intervals: number,
    ) {
        const curvesOf = (which: 'source' | 'reduced') =>
            tracks.map((track) => curveOf(track[which], track.width, track.node * TRS + track.place));
        this.sources = curvesOf('source');
        this.reductions = curvesOf('reduced');
        this.bounds = new DerivativeBounds(model, tracks, this.sources, this.reductions);
        this.movingSources = this.sources.filter(isMoving);
        this.movingReductions = this.reductions.filter(isMoving);
        const { nodes, rest } = model;
        const still = { time: 0, source: rest.slice(), reduced: rest.slice(), errors: new Float64Array(nodes.length) };
        for (const curve of this.sources) if (!isMoving(curve)) sampleCurve(curve, 0, still.source);
        for (const curve of this.reductions) if (!isMoving(curve)) sampleCurve(curve, 0, still.reduced);
        this.still = still;
        this.middles = Array.from({ length: DEPTH }, () => this.newState());
        this.globals = [new Float64Array(model.nodes.length * 12), new Float64Array(model.nodes.length * 12)];
    }

    newState(): State {
        const { time, source, reduced, errors } = this.still;
        return { time, source: source.slice(), reduced: reduced.slice(), errors: errors.slice() };
    }

    /** Samples from the keys of the current interval, also at its end. Rotations keep the sign of one curve. */
    evaluate(state: State, time: number): void {
        const { model, clipBound } = this;
        state.time = time;
        for (const curve of this.movingSources) sampleCurve(curve, time, state.source);
        for (const curve of this.movingReductions) sampleCurve(curve, time, state.reduced);
        displacements(model, state, this.globals);
        for (let node = 0; node < model.nodes.length; node++) {
            const error = state.errors[node]!;
            if (error <= clipBound.seen) continue;
            clipBound.seen = error >= 0 ? error : Infinity;
            clipBound.time = time;
            clipBound.node = node;
        }
    }

    /** @param i The interval of `times` that contains it. */
    boundInterval(from: State, to: State, i: number, depth: number): void {
        const { model, clipBound } = this;
        const terms = this.bounds.between(from, to);
        let share = 0;
        let seen = 0;
        let error = 0;
        for (let node = 0; node < terms.length; node++) {
            const limit = this.limits[node * this.intervals + i]!;
            const ends = Math.max(from.errors[node]!, to.errors[node]!);
            const own = ends + model.factors[node]! * terms[node]!;
            if (!(own <= error)) error = own >= 0 ? own : Infinity;
            share = Math.max(share, shareOf(own, limit));
            seen = Math.max(seen, shareOf(ends, limit));
        }
        // A sampled displacement above the limit cannot get better by halving. Otherwise halve until the bound is close
        // to the sampled maximum.
        if (
            depth === DEPTH ||
            seen > 1 ||
            (share <= 1 && (share <= 0.5 || error <= Math.max(1.02 * clipBound.seen, clipBound.error)))
        ) {
            clipBound.share = Math.max(clipBound.share, seen > 1 ? seen : share);
            if (error > clipBound.error) clipBound.error = error;
            return;
        }
        const middle = this.middles[depth]!;
        this.evaluate(middle, (from.time + to.time) / 2);
        this.boundInterval(from, middle, i, depth + 1);
        this.boundInterval(middle, to, i, depth + 1);
    }
}

function isMoving({ channel }: Curve): boolean {
    return channel.times.length > 1;
}

/** Whether another key is the last one at or before a time. */
function advances(curve: Curve, time: number): boolean {
    const key = keyUpTo(curve.channel.times, time, curve.key);
    if (key === curve.key) return false;
    curve.key = key;
    return true;
}

function sampleCurve({ channel, width, at, key }: Curve, time: number, locals: Float64Array): void {
    sampleFrom(channel, width, key, time, locals, at);
}

/** The times at which a track may jump: keys of STEP, and several keys at one time. */
function jumpsOf(tracks: readonly ComparedTrack[]): Set<number> {
    const jumps = new Set<number>();
    for (const { times, interpolation } of tracks.flatMap(({ source, reduced }) => [source, reduced])) {
        for (let k = 0; k < times.length; k++) {
            if (interpolation === 'STEP' || (k > 0 && times[k] === times[k - 1])) jumps.add(times[k]!);
        }
    }
    return jumps;
}

/** Infinity for an error that is not known, or a limit of 0 with an error. */
function shareOf(error: number, limit: number): number {
    if (error === 0 && limit >= 0) return 0;
    return error >= 0 && limit > 0 ? error / limit : Infinity;
}

/** Sets the displacement of each node's points. */
function displacements(model: Model, state: State, [source, reduced]: readonly [Float64Array, Float64Array]): void {
    const { points, starts, slack, factors, nodes } = model;
    globalsOf(model, state.source, source);
    globalsOf(model, state.reduced, reduced);
    for (let node = 0; node < nodes.length; node++) {
        const o = node * 12;
        const d0 = reduced[o]! - source[o]!;
        const d1 = reduced[o + 1]! - source[o + 1]!;
        const d2 = reduced[o + 2]! - source[o + 2]!;
        const d3 = reduced[o + 3]! - source[o + 3]!;
        const d4 = reduced[o + 4]! - source[o + 4]!;
        const d5 = reduced[o + 5]! - source[o + 5]!;
        const d6 = reduced[o + 6]! - source[o + 6]!;
        const d7 = reduced[o + 7]! - source[o + 7]!;
        const d8 = reduced[o + 8]! - source[o + 8]!;
        const d9 = reduced[o + 9]! - source[o + 9]!;
        const d10 = reduced[o + 10]! - source[o + 10]!;
        const d11 = reduced[o + 11]! - source[o + 11]!;
        // Times 0: NaN if a number is not finite.
        let max = (d0 + d1 + d2 + d3 + (d4 + d5 + d6 + d7) + (d8 + d9 + d10 + d11)) * 0;
        for (let p = starts[node]! * 3; p < starts[node + 1]! * 3; p += 3) {
            const x = points[p]!;
            const y = points[p + 1]!;
            const z = points[p + 2]!;
            const dx = d0 * x + d1 * y + d2 * z + d3;
            const dy = d4 * x + d5 * y + d6 * z + d7;
            const dz = d8 * x + d9 * y + d10 * z + d11;
            const squared = dx * dx + dy * dy + dz * dz;
            if (squared > max) max = squared;
        }
        const linear = d0 * d0 + d1 * d1 + d2 * d2 + d4 * d4 + d5 * d5 + d6 * d6 + d8 * d8 + d9 * d9 + d10 * d10;
        const error = starts[node] === starts[node + 1] ? 0 : Math.sqrt(max) + slack[node]! * Math.sqrt(linear);
        state.errors[node] = factors[node]! * error;
    }
}
