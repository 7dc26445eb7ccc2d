// SPDX-License-Identifier: MIT

import type { SceneChannel } from '../../gltf/scene';
import { FLOAT32, lengthOfAxis } from '../model/affine';
import type { Model } from '../model/model';
import { placeCorners, type Survey } from '../model/poses';
import { eachPose } from '../model/skeleton';
import type { Clip } from './clip';
import { BLOCK } from './subtree-errors';

/** How near the lowest point of the clip a foot is, as a share of the extent. */
const NEAR = 0.03;

/** How long a foot stands at least, seconds. */
const STANDS = 0.1;

/** The share of its greatest length below which an axis of a node that carries nothing is held no more strictly. */
const LEAST = 1 / 16;

/**
 * By node and interval of the grid the displacement that is allowed: the bound; of a foot that stands a third of the way that it may
 * slide, as it goes a third in the source, and may be displaced by that to either side. A foot is a node with vertices of which a corner
 * of its box, near the lowest of all, goes no further than that for a tenth of a second. Y is up (glTF 2.0, 3.4). Where a node that
 * carries nothing is smaller than elsewhere in the clip, its points show the same angle by less.
 *
 * @param model With axes by `survey`.
 * @param times The grid of the whole clip: a foot may stand where parts join.
 */
export function limitsOf(
    model: Model,
    channels: readonly SceneChannel[],
    times: Float64Array,
    { farthest, ground, scales }: Survey,
): Float64Array[] {
    const { maxError: bound, carries, corners } = model;
    const limits = Array.from(model.nodes, () => new Float64Array(Math.max(1, times.length - 1)).fill(bound));
    const slide = Math.max(model.maxSlide / 3, farthest * FLOAT32);
    const near = ground + NEAR * model.extent;
    const stands = slide < bound ? Array.from(corners, ({ length }) => new Stands(length / 3)) : null;
    if (stands === null && scales === null) return limits;
    const at = new Float64Array(24);
    eachPose(model, channels, times, (i, globals) => {
        for (let node = 0; node < model.nodes.length; node++) {
            const own = limits[node]!;
            if (carries[node] === 1) {
                if (stands === null) continue;
                const count = placeCorners(model, node, globals, at);
                for (let o = 0; o < count; o += 3) stands[node]!.look(at, o, i, times, near, slide, own);
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
    for (const [node, feet] of (stands ?? []).entries()) feet.end(times, slide, limits[node]!);
    return limits;
}

/** Where points of a node stand, as their places come one after another. */
class Stands {
    /** Since when each does, as a number of a time; -1 for one that is too high. */
    private readonly since: Int32Array;
    /** Where it has been since, and where it was last. */
    private readonly places: Float64Array;
    private readonly last: Float64Array;

    constructor(private readonly count: number) {
        this.since = new Int32Array(count).fill(-1);
        this.places = new Float64Array(count * 3);
        this.last = new Float64Array(count * 3);
    }

    /** Sets what is allowed for a stand that has ended before time i. */
    look(
        at: Float64Array,
        o: number,
        i: number,
        times: Float64Array,
        near: number,
        slide: number,
        limits: Float64Array,
    ): void {
        const { since, places, last } = this;
        const point = o / 3;
        const low = at[o + 1]! <= near;
        if (since[point]! >= 0 && !(low && isWithin(places, o, at, slide))) {
            this.close(point, i - 1, times, slide, limits);
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

    /** After the last time. */
    end(times: Float64Array, slide: number, limits: Float64Array): void {
        for (let point = 0; point < this.count; point++) {
            if (this.since[point]! >= 0) this.close(point, times.length - 1, times, slide, limits);
        }
    }

    private close(point: number, end: number, times: Float64Array, slide: number, limits: Float64Array): void {
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

/** Sets the weights of a clip's samples by the limits of the intervals that they are in, each times a share. */
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
