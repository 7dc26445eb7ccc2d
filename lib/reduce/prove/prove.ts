// SPDX-License-Identifier: MIT

/**
 * A bound on how far reduced keys displace any vertex at all times, and not only at those that are looked at.
 *
 * Between two neighbouring keys of any track all locals are smooth, so a point's displacement d is at most the greater of its two ends
 * plus h²/8 times a bound on |d″| (`displacement-bounds.ts`). An interval that is not proved so is halved: the second term falls to a
 * quarter.
 */

import { globalsOf, TRS } from '../model/affine';
import type { Model } from '../model/model';
import { keyUpTo, sampleFrom } from '../model/sampler';
import { type ComparedTrack, createBounds, type State } from './displacement-bounds';

/** What was proved of a clip. */
export interface Proof {
    /** The greatest share of a limit that anything may reach; above 1 one that is reached. Infinity where it could not be told. */
    readonly share: number;
    /** A bound on the displacement at all times, model units. */
    readonly error: number;
    /** The greatest displacement that was seen, when, and of which node's points. */
    readonly seen: number;
    readonly time: number;
    readonly node: number;
}

/** How often an interval is halved. */
const DEPTH = 7;

/**
 * @param times All key times, of source and reduced tracks, ascending.
 * @param limitOf The displacement that is allowed for a node on the interval from `times[i]` on.
 */
export function* prove(
    model: Model,
    tracks: readonly ComparedTrack[],
    times: ArrayLike<number>,
    limitOf: (node: number, i: number) => number,
): Generator<void, Proof> {
    const size = model.nodes.length;
    const create = (): State => ({
        time: 0,
        source: model.rest.slice(),
        reduced: model.rest.slice(),
        errors: new Float64Array(size),
    });
    const middles = Array.from({ length: DEPTH }, create);
    const keys = tracks.map(() => ({ source: -1, reduced: -1 }));
    const bounds = createBounds(model);
    const globals = [new Float64Array(size * 12), new Float64Array(size * 12)] as const;
    const proof = { share: 0, error: 0, seen: 0, time: 0, node: -1 };

    /** By the keys of one interval: the curves of rotations, q or -q, go through from its beginning to its end. */
    function sample(state: State, time: number): void {
        state.time = time;
        for (let i = 0; i < tracks.length; i++) {
            const { node, place: at, width, source, reduced } = tracks[i]!;
            sampleFrom(source, width, keys[i]!.source, time, state.source, node * TRS + at);
            sampleFrom(reduced, width, keys[i]!.reduced, time, state.reduced, node * TRS + at);
        }
    }

    function evaluate(state: State, time: number): void {
        sample(state, time);
        displacements(model, state, globals);
        for (let node = 0; node < size; node++) {
            const error = state.errors[node]!;
            if (error <= proof.seen) continue;
            proof.seen = error >= 0 ? error : Infinity;
            proof.time = time;
            proof.node = node;
        }
    }

    /** @param i The interval of `times` that it is a part of. */
    function look(from: State, to: State, i: number, depth: number): void {
        const terms = bounds.bound(from, to, tracks, keys);
        let share = 0;
        let seen = 0;
        let error = 0;
        for (let node = 0; node < size; node++) {
            const limit = limitOf(node, i);
            const ends = Math.max(from.errors[node]!, to.errors[node]!);
            const own = ends + model.factors[node]! * terms[node]!;
            if (!(own <= error)) error = own >= 0 ? own : Infinity;
            share = Math.max(share, shareOf(own, limit));
            seen = Math.max(seen, shareOf(ends, limit));
        }
        // What is seen to be too much is no less between; what is said of the error is to be close to what is seen, too.
        if (
            depth === DEPTH ||
            seen > 1 ||
            (share <= 1 && (share <= 0.5 || error <= Math.max(1.02 * proof.seen, proof.error)))
        ) {
            proof.share = Math.max(proof.share, seen > 1 ? seen : share);
            if (error > proof.error) proof.error = error;
            return;
        }
        const middle = middles[depth]!;
        evaluate(middle, (from.time + to.time) / 2);
        look(from, middle, i, depth + 1);
        look(middle, to, i, depth + 1);
    }

    let from = create();
    let to = create();
    const advance = (time: number) => {
        for (const [i, { source, reduced }] of tracks.entries()) {
            const key = keys[i]!;
            key.source = keyUpTo(source.times, time, key.source);
            key.reduced = keyUpTo(reduced.times, time, key.reduced);
        }
    };
    const jumps = jumpsOf(tracks);
    for (let i = 0; i < times.length; i++) {
        advance(times[i]!);
        if (i === 0 || jumps.has(times[i]!)) evaluate(from, times[i]!);
        else sample(from, times[i]!); // whose errors are known
        if (i + 1 === times.length) {
            for (let node = 0; node < size; node++) {
                proof.share = Math.max(proof.share, shareOf(from.errors[node]!, limitOf(node, Math.max(0, i - 1))));
                proof.error = Math.max(proof.error, from.errors[node]!);
            }
            break;
        }
        // By the keys of this interval: of STEP the values before the next one.
        evaluate(to, times[i + 1]!);
        yield;
        look(from, to, i, 0);
        [from, to] = [to, from];
    }
    return proof;
}

/** The times before which and at which a track may have two values: keys of STEP, and several keys at one time. */
function jumpsOf(tracks: readonly ComparedTrack[]): Set<number> {
    const jumps = new Set<number>();
    for (const { times, interpolation } of tracks.flatMap(({ source, reduced }) => [source, reduced])) {
        for (let k = 0; k < times.length; k++) {
            if (interpolation === 'STEP' || (k > 0 && times[k] === times[k - 1])) jumps.add(times[k]!);
        }
    }
    return jumps;
}

/** Of an error that could not be told, or a limit that leaves nothing: Infinity. */
function shareOf(error: number, limit: number): number {
    if (error === 0 && limit >= 0) return 0;
    return error >= 0 && limit > 0 ? error / limit : Infinity;
}

/** Fills in by how much points of each node are displaced. */
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
        let max = 0;
        for (let p = starts[node]! * 3; p < starts[node + 1]! * 3; p += 3) {
            const x = points[p]!;
            const y = points[p + 1]!;
            const z = points[p + 2]!;
            const dx = d0 * x + d1 * y + d2 * z + d3;
            const dy = d4 * x + d5 * y + d6 * z + d7;
            const dz = d8 * x + d9 * y + d10 * z + d11;
            const squared = dx * dx + dy * dy + dz * dz;
            if (!(squared <= max)) max = squared;
        }
        const linear = d0 * d0 + d1 * d1 + d2 * d2 + d4 * d4 + d5 * d5 + d6 * d6 + d8 * d8 + d9 * d9 + d10 * d10;
        const error = starts[node] === starts[node + 1] ? 0 : Math.sqrt(max) + slack[node]! * Math.sqrt(linear);
        state.errors[node] = factors[node]! * error;
    }
}
