// SPDX-License-Identifier: MIT

import type { DoubleEvaluator } from '../evaluator';
import type { Progress } from '../progress';
import type { Points } from './points';
import { Distance, Posed, turnBetween } from './posed';

/** The point of a clip with the maximum displacement. */
export interface Farthest {
    /** Model units; Infinity for NaN. */
    error: number;
    time: number;
    /** -1 if nothing is displaced. */
    part: number;
    point: number;
}

/** Result for a clip. */
export interface Found extends Farthest {
    /** The node of `bare` with the maximum rotation error, in radians. */
    readonly turn: { angle: number; time: number; column: number };
    /** Distance between the clip's first and last pose, in the source and in the reduced file. */
    readonly seam: { readonly source: number; readonly reduced: number };
}

/** The error of a clip over time. */
export interface ErrorSeries {
    /** Seconds, ascending. */
    readonly times: readonly number[];
    /** Maximum displacement at each of the times, model units. */
    readonly errors: readonly number[];
}

/** Samples of an interval between two keys: per second, with a minimum and a maximum. */
const RATE = 30;
const LEAST = 3;
const MOST = 15;
/** Relative growth of the maximum below which the search stops, and the share of the extent that counts as no error. */
const GROWTH = 1e-3;
const NOTHING = 1e-9;
/** Maximum halvings of an interval, and maximum number of samples of a clip in this search. */
const HALVINGS = 12;
const CLOSER = 4096;

/** A part of an interval between two keys, with an estimate of its maximum error. */
interface Piece {
    readonly from: number;
    readonly to: number;
    readonly errors: readonly [number, number];
    readonly estimate: number;
}

/** Compares the clips of two files. */
export class ClipJudge {
    readonly source: Posed;
    readonly reduced: Posed;
    private readonly end: readonly [Posed, Posed];
    private readonly distance: Distance;
    /** Number of sampled times. */
    times = 0;

    constructor(
        source: DoubleEvaluator,
        reduced: DoubleEvaluator,
        private readonly points: Points,
        private readonly extent: number,
    ) {
        this.source = new Posed(source, points);
        this.reduced = new Posed(reduced, points);
        this.end = [new Posed(source, points), new Posed(reduced, points)];
        this.distance = new Distance(points);
    }

    async judge(animation: number, progress: Progress): Promise<Found> {
        const { source, reduced, distance, points } = this;
        const worst: Farthest = { error: 0, time: 0, part: -1, point: -1 };
        const turn = { angle: 0, time: 0, column: -1 };
        const look = (time: number): number => {
            this.times++;
            source.pose(animation, time);
            reduced.pose(animation, time);
            const error = distance.between(source, reduced);
            if (error > worst.error) Object.assign(worst, { error, time, part: distance.part, point: distance.point });
            for (const column of points.bare) {
                const angle = turnBetween(source, reduced, column);
                if (angle > turn.angle) Object.assign(turn, { angle, time, column });
            }
            return error;
        };
        const { keys, jumps } = keyTimes([source.evaluator, reduced.evaluator], animation);
        const pieces: Piece[] = [];
        let before = look(keys[0]!);
        for (let k = 1; k < keys.length; k++) {
            const [from, to] = [keys[k - 1]!, keys[k]!];
            const inside = Math.min(MOST, Math.max(LEAST, Math.ceil((to - from) * RATE)));
            const times = Array.from({ length: inside + 1 }, (_, i) => from + ((to - from) * i) / (inside + 1));
            const errors = [before, ...times.slice(1).map(look)];
            const at = look(to);
            // Just before a jump, the pose is the earlier one.
            times.push(jumps.has(to) ? to * (1 - 2 ** -53) : to);
            errors.push(jumps.has(to) ? look(times.at(-1)!) : at);
            pieces.push(...piecesOf(times, errors));
            before = at;
            await progress.rowDone();
        }
        await this.closer(pieces, worst, look, progress);
        const [sourceEnd, reducedEnd] = this.end;
        const last = keys.at(-1)!;
        const seam = {
            source: distance.between(source.pose(animation, 0), sourceEnd.pose(animation, last)),
            reduced: distance.between(reduced.pose(animation, 0), reducedEnd.pose(animation, last)),
        };
        return { ...worst, turn, seam };
    }

    /**
     * The error at `count` even times from the start to the end of the longer clip, and at one more.
     *
     * @param also A further time, such as that of the maximum error.
     */
    async series(animation: number, count: number, also: number, progress: Progress): Promise<ErrorSeries> {
        const { source, reduced, distance } = this;
        const end = Math.max(source.evaluator.duration(animation), reduced.evaluator.duration(animation));
        const even = Array.from({ length: count }, (_, i) => (end * i) / Math.max(1, count - 1));
        const times = [...new Set([...even, also])].sort((a, b) => a - b);
        const errors: number[] = [];
        for (const time of times) {
            errors.push(distance.between(source.pose(animation, time), reduced.pose(animation, time)));
            await progress.turn();
        }
        return { times, errors };
    }

    /** Halves the pieces whose error may exceed the maximum found so far, until there are none. */
    private async closer(pieces: Piece[], worst: Farthest, look: (time: number) => number, progress: Progress) {
        let left = CLOSER;
        let next = pieces;
        for (let halving = 0; halving < HALVINGS && next.length > 0 && left > 0; halving++) {
            const halves: Piece[] = [];
            // The largest estimate first: its result may make the others unnecessary.
            for (const piece of next.sort((a, b) => b.estimate - a.estimate)) {
                const limit = Math.max(worst.error * (1 + GROWTH), NOTHING * this.extent);
                const middle = piece.from + (piece.to - piece.from) / 2;
                if (!(piece.estimate > limit) || left-- <= 0) break;
                if (middle <= piece.from || middle >= piece.to) continue;
                const { from, to, errors } = piece;
                halves.push(...piecesOf([from, middle, to], [errors[0], look(middle), errors[1]]));
                await progress.turn();
            }
            next = halves;
        }
    }
}

/**
 * Estimates the error between two samples: the larger one plus an eighth of the second difference, doubled for safety.
 * Samples are evenly spaced.
 */
function piecesOf(times: readonly number[], errors: readonly number[]): Piece[] {
    const bend = (i: number) =>
        i <= 0 || i >= errors.length - 1 ? 0 : Math.abs(errors[i - 1]! - 2 * errors[i]! + errors[i + 1]!);
    return times.slice(1).map((to, i): Piece => {
        const [a, b] = [errors[i]!, errors[i + 1]!];
        const estimate = Math.max(a, b) + Math.max(bend(i), bend(i + 1)) / 4;
        return { from: times[i]!, to, errors: [a, b], estimate };
    });
}

/** 0 and all key times of both files, ascending; and the times at which a value jumps. */
function keyTimes(evaluators: readonly DoubleEvaluator[], animation: number) {
    const keys = new Set([0]);
    const jumps = new Set<number>();
    for (const evaluator of evaluators) {
        for (const { sampler } of evaluator.channelsOf(animation)) {
            const { times, interpolation } = sampler;
            for (const [k, time] of times.entries()) {
                keys.add(time);
                if (time > 0 && (interpolation === 'STEP' || time === times[k - 1])) jumps.add(time);
            }
        }
    }
    return { keys: [...keys].sort((a, b) => a - b), jumps };
}

/** Number of intervals between the keys of all clips: the total that `judge` reports. */
export function intervalsOf(evaluators: readonly DoubleEvaluator[], animations: number): number {
    let count = 0;
    for (let animation = 0; animation < animations; animation++) {
        count += keyTimes(evaluators, animation).keys.length - 1;
    }
    return count;
}
