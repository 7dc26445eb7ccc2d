// SPDX-License-Identifier: MIT

import { place } from '../model/affine';
import type { Clip } from './clip';
import { BLOCK, MATRIX } from './subtree-errors';

/** How near the lowest point of the clip a foot is, as a share of the extent. */
const NEAR = 0.03;

/** How long a foot stands at least, seconds. */
const STANDS = 0.1;

/** Players' float32 do not keep places better than that. */
const FLOAT32 = 2 ** -21;

/**
 * By node and interval of the grid the displacement that is allowed: the bound; of a foot that stands a third of the way that it may
 * slide, as it goes a third in the source, and may be displaced by that to either side. A foot is a node with vertices of which a corner
 * of its box, near the lowest of all, goes no further than that for a tenth of a second. Y is up (glTF 2.0, 3.4).
 */
export function limitsOf(clip: Clip, bound: number, maxSlide: number): Float64Array[] {
    const { model, times } = clip;
    const limits = Array.from(model.nodes, () => new Float64Array(Math.max(1, times.length - 1)).fill(bound));
    const slide = Math.max(maxSlide / 3, farthest(clip) * FLOAT32);
    if (!(slide < bound)) return limits;
    const paths = model.corners.map((corners, node) =>
        model.carries[node] === 1 ? cornerPaths(clip, node, corners) : [],
    );
    let ground = Infinity;
    for (const list of paths)
        for (const path of list) for (let i = 1; i < path.length; i += 3) ground = Math.min(ground, path[i]!);
    const near = ground + NEAR * model.extent;
    for (const [node, list] of paths.entries()) {
        for (const path of list) {
            for (let i = 0; i < times.length; ) {
                const end = standsUntil(path, i, near, slide);
                if (times[end]! - times[i]! >= STANDS) limits[node]!.fill(slide, i, end);
                i = Math.max(end, i + 1);
            }
        }
    }
    return limits;
}

/** The farthest that a node's origin is from that of the scene, along any axis. */
function farthest({ source }: Clip): number {
    let max = 0;
    for (let o = 0; o < source.length; o += MATRIX * BLOCK) {
        for (const row of [3, 7, 11]) {
            for (let e = o + row * BLOCK; e < o + (row + 1) * BLOCK; e++) max = Math.max(max, Math.abs(source[e]!));
        }
    }
    return max;
}

/** Where each of some points is at the times of the grid, x y z each. */
function cornerPaths({ times, blocks, source }: Clip, node: number, corners: Float64Array): Float64Array[] {
    const matrix = new Float64Array(MATRIX);
    const paths = Array.from({ length: corners.length / 3 }, () => new Float64Array(times.length * 3));
    for (let i = 0; i < times.length; i++) {
        const o = (node * blocks + ((2 * i) >> 3)) * MATRIX * BLOCK + ((2 * i) & 7);
        for (let e = 0; e < MATRIX; e++) matrix[e] = source[o + e * BLOCK]!;
        for (const [c, path] of paths.entries())
            place(path, i * 3, matrix, 0, corners[c * 3]!, corners[c * 3 + 1]!, corners[c * 3 + 2]!);
    }
    return paths;
}

/** The last time up to which a point stays low, and near where it is at time i. */
function standsUntil(path: Float64Array, i: number, near: number, slide: number): number {
    const start = i * 3;
    let end = i;
    for (let o = start; o < path.length && path[o + 1]! <= near; o += 3) {
        const x = path[o]! - path[start]!;
        const y = path[o + 1]! - path[start + 1]!;
        const z = path[o + 2]! - path[start + 2]!;
        if (x * x + y * y + z * z > slide * slide) break;
        end = o / 3;
    }
    return end;
}

/** Sets the weights of a clip's samples by the limits of the intervals that they are in, each times a share. */
export function weigh({ model, times, blocks, weights }: Clip, limits: readonly Float64Array[], share: number): void {
    const last = Math.max(0, times.length - 2);
    for (let node = 0; node < model.nodes.length; node++) {
        for (let s = 0; s < 2 * times.length - 1; s++) {
            const before = Math.max(0, (s - 1) >> 1);
            const after = Math.min(last, s >> 1);
            const limit = share * Math.min(limits[node]![before]!, limits[node]![after]!);
            weights[node * blocks * BLOCK + s] = 1 / (limit * limit);
        }
    }
}
