// SPDX-License-Identifier: MIT

import { FLOAT32, lengthOfAxis } from '../model/affine';
import type { Model } from '../model/model';
import { placeCorners, type Survey } from '../model/poses';
import type { EachPose } from '../model/skeleton';
import { BLOCK, type Clip } from './clip';

/** Maximum height of a foot above the lowest point of the clip, as a share of the extent. */
const NEAR = 0.03;

/** Minimum time that a foot stands, seconds. */
const STANDS = 0.1;

/** Minimum limit of a node that carries nothing and whose scale shrinks, as a share of the bound. */
const LEAST = 1 / 16;

/**
 * The allowed displacement by node and interval of the grid. It is the bound, with two exceptions.
 * A standing foot may move by a third of `maxSlide`: the source moves a third, and the displacement may add one to
 * either side. A foot is a node with vertices. It stands while a corner of its box is near the lowest point of the clip
 * and moves at most that far for 0.1 s. Y is up (glTF 2.0, 3.4).
 * A node that carries nothing gets less while its scale is below its maximum, because its points then move less for the
 * same angle.
 *
 * @param model With axes by `survey`.
 * @param times The grid of the whole clip: a foot may stand where parts join.
 */
export function limitsOf(
    model: Model,
    times: Float64Array,
    eachPose: EachPose,
    { farthest, ground, scales }: Survey,
): Float64Array[] {
    const { maxError: bound, carries, corners } = model;
    const limits = Array.from(model.nodes, () => new Float64Array(Math.max(1, times.length - 1)).fill(bound));
    const slide = Math.max(model.maxSlide / 3, farthest * FLOAT32);
    const near = ground + NEAR * model.extent;
    const stands =
        slide < bound
            ? corners.map(({ length }, node) => new Stands(length / 3, times, near, slide, limits[node]!))
            : null;
    if (stands === null && scales === null) return limits;
    const at = new Float64Array(24);
    eachPose(times, (i, globals) => {
        for (let node = 0; node < model.nodes.length; node++) {
            const own = limits[node]!;
            if (carries[node] === 1) {
                if (stands === null) continue;
                const count = placeCorners(model, node, globals, at);
                for (let o = 0; o < count; o += 3) stands[node]!.look(at, o, i);
            } else if (scales !== null) {
                let share = 1;
                for (let axis = 0; axis < 3; axis++) {
                    const most = scales[node * 3 + axis]!;
                    if (most > 0) share = Math.min(share, lengthOfAxis(globals, node * 12, axis) / most);
                }
                const limit = bound * Math.max(LEAST, share);
                for (const interval of [i - 1, i]) {
                    if (interval >= 0 && interval < own.length) own[interval] = Math.min(own[interval]!, limit);
                }
            }
        }
    });
    for (const feet of stands ?? []) feet.end();
    return limits;
}

/** Finds when points of a node stand, from their consecutive positions. */
class Stands {
    /** For each point, the index of the time since which it stands; -1 if it is too high. */
    private readonly since: Int32Array;
    /** The position of each point at that time, and its last position. */
    private readonly places: Float64Array;
    private readonly last: Float64Array;

    /** @param limits Output, by interval of the grid. */
    constructor(
        private readonly count: number,
        private readonly times: Float64Array,
        private readonly near: number,
        private readonly slide: number,
        private readonly limits: Float64Array,
    ) {
        this.since = new Int32Array(count).fill(-1);
        this.places = new Float64Array(count * 3);
        this.last = new Float64Array(count * 3);
    }

    /** Adds the next position of a point. Sets the limits of a stand that ended before time i. */
    look(at: Float64Array, o: number, i: number): void {
        const { since, places, last, near, slide } = this;
        const point = o / 3;
        const low = at[o + 1]! <= near;
        if (since[point]! >= 0 && !(low && isWithin(places, o, at, slide))) {
            this.close(point, i - 1);
            if (low && since[point]! < i - 1 && isWithin(last, o, at, slide)) {
                since[point] = i - 1;
                copy(last, places, o);
            } else since[point] = -1;
        }
        if (since[point]! < 0 && low) {
            since[point] = i;
            copy(at, places, o);
        }
        copy(at, last, o);
    }

    /** Ends all stands after the last time. */
    end(): void {
        for (let point = 0; point < this.count; point++) {
            if (this.since[point]! >= 0) this.close(point, this.times.length - 1);
        }
    }

    private close(point: number, end: number): void {
        const { times, slide, limits } = this;
        const start = this.since[point]!;
        if (times[end]! - times[start]! >= STANDS) limits.fill(slide, start, end);
    }
}

function copy(from: Float64Array, to: Float64Array, o: number): void {
    for (let c = o; c < o + 3; c++) to[c] = from[c]!;
}

function isWithin(places: Float64Array, o: number, at: Float64Array, distance: number): boolean {
    const x = at[o]! - places[o]!;
    const y = at[o + 1]! - places[o + 1]!;
    const z = at[o + 2]! - places[o + 2]!;
    return x * x + y * y + z * z <= distance * distance;
}

/** Sets the weights of a clip's samples from the limits of their intervals, each times a share. */
export function weigh({ model, times, blocks, weights }: Clip, limits: readonly Float64Array[], share: number): void {
    const last = Math.max(0, times.length - 2);
    for (let node = 0; node < model.nodes.length; node++) {
        for (let s = 0; s < 2 * times.length - 1; s++) {
            const before = Math.max(0, (s - 1) >> 1);
            const after = Math.min(last, s >> 1);
            const limit = (share * Math.min(limits[node]![before]!, limits[node]![after]!)) / model.factors[node]!;
            weights[node * blocks * BLOCK + s] = 1 / (limit * limit);
        }
    }
}
