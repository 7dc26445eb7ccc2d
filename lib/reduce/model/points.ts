// SPDX-License-Identifier: MIT

import { addon } from '../../addon/load';
import { addPoint, emptyBox } from '../../rig/measure/geometry';

/** Points, x y z each. */
export interface Cloud {
    readonly points: number[];
}

interface Covering {
    readonly points: number[];
    readonly slack: number;
}

/**
 * Maximum distance of a point from the chosen points' hull, as a share of the cloud's radius. The first share with few
 * enough points is used.
 */
const SHARES = [0.004, 0.008, 0.016];
const ENOUGH = 48;

/** Steps of the search for the nearest point of the hull. */
const STEPS = 100;

/** Directions to the corners, edges and faces of a cube. */
const DIRECTIONS = Array.from({ length: 27 }, (_, i) => i)
    .filter((i) => i !== 13)
    .map((i): [number, number, number] => [(i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1]);

/**
 * Chooses few points whose convex hull contains the whole cloud within `slack`. Under a difference of two affine
 * matrices, the length of the image is a convex function. So no point of the cloud moves further than the maximum over
 * the chosen ones, plus slack times the norm of the linear part.
 */
export function coveringPoints(cloud: Cloud, coverBy = cover): Covering {
    const points = new Float64Array(cloud.points);
    if (points.length / 3 <= 8) return { points: cloud.points.slice(), slack: 0 };
    const box = emptyBox();
    for (let p = 0; p < points.length; p += 3) addPoint(box, points[p]!, points[p + 1]!, points[p + 2]!);
    const centre = [0, 1, 2].map((c) => (box[c]! + box[c + 3]!) / 2) as [number, number, number];
    const corners = Int32Array.from(DIRECTIONS, (direction) => farthest(points, ...direction));
    // Farthest first: their hull covers many others.
    const order = Int32Array.from({ length: points.length / 3 }, (_, i) => i * 3);
    const distances = new Float64Array(points.length);
    for (const p of order) distances[p] = squaredDistance(points, p, ...centre);
    order.sort((a, b) => distances[b]! - distances[a]!);
    const radius = distances[order[0]!]!;
    let covering: Covering = { points: cloud.points, slack: 0 };
    for (const share of SHARES) {
        const most = share === SHARES.at(-1) ? Infinity : ENOUGH;
        covering = coverBy(points, order, corners, share * share * radius, most);
        if (covering.points.length / 3 <= ENOUGH) break;
    }
    return covering;
}

/**
 * Chooses points whose hull covers others. Twin of the addon's: native/addon/cover_points_call.cpp.
 *
 * @param allowed Squared distance of a point from the hull.
 * @param most Stops when it has more points than this.
 */
export function coverTwin(
    points: Float64Array,
    order: Int32Array,
    corners: Int32Array,
    allowed: number,
    most: number,
): Covering {
    const chosen: number[] = [];
    for (const p of corners) {
        const x = points[p]!;
        const y = points[p + 1]!;
        const z = points[p + 2]!;
        if (chosen.length === 0 || squaredDistance(chosen, nearest(chosen, x, y, z), x, y, z) > allowed / 4)
            chosen.push(x, y, z);
    }
    let slack = 0;
    for (const p of order) {
        const distance = squaredDistanceToHull(chosen, points[p]!, points[p + 1]!, points[p + 2]!, allowed);
        if (distance > allowed) chosen.push(points[p]!, points[p + 1]!, points[p + 2]!);
        else if (distance > slack) slack = distance;
        if (chosen.length / 3 > most) break;
    }
    return { points: chosen, slack: Math.sqrt(slack) };
}

const cover: typeof coverTwin = (points, order, corners, allowed, most) => {
    const chosen = new Float64Array((corners.length + order.length) * 3);
    const slack = new Float64Array(1);
    const count = addon?.coverPoints(chosen, slack, points, corners, order, allowed, most) ?? false;
    if (count === false) return coverTwin(points, order, corners, allowed, most);
    return { points: Array.from(chosen.subarray(0, count * 3)), slack: slack[0]! };
};

/** Index of the farthest point in a direction. */
function farthest(points: ArrayLike<number>, x: number, y: number, z: number): number {
    let best = -Infinity;
    let which = 0;
    for (let p = 0; p < points.length; p += 3) {
        const along = points[p]! * x + points[p + 1]! * y + points[p + 2]! * z;
        if (along > best) {
            best = along;
            which = p;
        }
    }
    return which;
}

function squaredDistance(points: ArrayLike<number>, p: number, x: number, y: number, z: number): number {
    const dx = points[p]! - x;
    const dy = points[p + 1]! - y;
    const dz = points[p + 2]! - z;
    return dx * dx + dy * dy + dz * dz;
}

/**
 * Upper bound of the squared distance of a point from a hull, by Frank-Wolfe steps. Each step goes from a point of the
 * hull towards the farthest one in the direction of the point. Stops when the bound is at most `enough`.
 */
function squaredDistanceToHull(points: readonly number[], x: number, y: number, z: number, enough: number): number {
    const start = nearest(points, x, y, z);
    let hx = points[start]!;
    let hy = points[start + 1]!;
    let hz = points[start + 2]!;
    let distance = squaredDistance(points, start, x, y, z);
    for (let step = 0; step < STEPS && distance > enough; step++) {
        const dx = x - hx;
        const dy = y - hy;
        const dz = z - hz;
        const p = farthest(points, dx, dy, dz);
        const sx = points[p]! - hx;
        const sy = points[p + 1]! - hy;
        const sz = points[p + 2]! - hz;
        const length = sx * sx + sy * sy + sz * sz;
        const along = dx * sx + dy * sy + dz * sz;
        if (!(along > 0)) break;
        const share = along < length ? along / length : 1;
        hx += share * sx;
        hy += share * sy;
        hz += share * sz;
        const ex = x - hx;
        const ey = y - hy;
        const ez = z - hz;
        distance = ex * ex + ey * ey + ez * ez;
    }
    return distance;
}

function nearest(points: ArrayLike<number>, x: number, y: number, z: number): number {
    let best = Infinity;
    let which = 0;
    for (let p = 0; p < points.length; p += 3) {
        const distance = squaredDistance(points, p, x, y, z);
        if (distance < best) {
            best = distance;
            which = p;
        }
    }
    return which;
}
