// SPDX-License-Identifier: MIT

import type { Box } from './geometry';

/**
 * The boxes whose corners tell how far apart two poses are: centre x y z, half size x y z, in the space that palettes take
 * vertices from. One for each joint, or one for all of them. A joint whose half size is negative moves nothing and does
 * not count.
 *
 * They are boxes of the skin's vertices as the file has them. In a file whose rest pose is the bind pose, as in nearly
 * all, a joint at rest puts its box where the vertices are; what scale the file has between its vertices and the scene
 * (quantised positions, armatures in centimetres) is in the palette then, and displacements are distances in the scene.
 */
export type Gauge = Float64Array;

/** Numbers of one box. */
export const GAUGE_NUMBERS = 6;

/** Of one box, or of one for each joint. */
export function gaugeOf(boxes: Box): Gauge {
    const gauge = new Float64Array(boxes.length);
    for (let at = 0; at < boxes.length; at += GAUGE_NUMBERS) {
        for (let axis = at; axis < at + 3; axis++) {
            const [least, greatest] = [boxes[axis]!, boxes[axis + 3]!];
            const empty = least > greatest;
            gauge[axis] = empty ? 0 : (least + greatest) / 2;
            gauge[axis + 3] = empty ? -1 : (greatest - least) / 2;
        }
    }
    return gauge;
}

/** The same box for each of some joints. */
export function gaugeForEach(gauge: Gauge, joints: number): Gauge {
    const all = new Float64Array(joints * GAUGE_NUMBERS);
    for (let at = 0; at < all.length; at += GAUGE_NUMBERS) all.set(gauge, at);
    return all;
}

/**
 * The greatest distance between where two lists of matrices put a corner, squared; `least` where it is not above that.
 *
 * @param a Column-major 4x4, `[pose][joint]`; `b` as many.
 */
export function squaredDistance(gauge: Gauge, a: Float32Array, b: Float32Array, least = 0): number {
    let greatest = least;
    const difference = new Float64Array(12);
    for (let m = 0, g = 0; m < a.length; m += 16, g = (g + GAUGE_NUMBERS) % gauge.length) {
        if (gauge[g + 3]! < 0) continue;
        for (let column = 0; column < 4; column++) {
            for (let axis = 0; axis < 3; axis++) {
                difference[column * 3 + axis] = a[m + column * 4 + axis]! - b[m + column * 4 + axis]!;
            }
        }
        greatest = squaredReach(gauge, g, difference, greatest);
    }
    return greatest;
}

/**
 * The squared length of the longest vector that the difference of two matrices makes of a corner, or `least`. What is not
 * a number counts as infinite.
 *
 * @param g Where the box begins in `gauge`.
 * @param difference Four columns of three numbers.
 */
export function squaredReach(gauge: Gauge, g: number, difference: Float64Array, least: number): number {
    let bound = 0;
    for (let axis = 0; axis < 3; axis++) {
        const x = difference[axis]!;
        const y = difference[axis + 3]!;
        const z = difference[axis + 6]!;
        const centre = x * gauge[g]! + y * gauge[g + 1]! + z * gauge[g + 2]! + difference[axis + 9]!;
        const half = abs(x) * gauge[g + 3]! + abs(y) * gauge[g + 4]! + abs(z) * gauge[g + 5]!;
        const reach = abs(centre) + half;
        bound += reach * reach;
    }
    if (bound <= least) return least;
    let greatest = least;
    for (let corner = 0; corner < 8; corner++) {
        const hx = corner & 1 ? gauge[g + 3]! : -gauge[g + 3]!;
        const hy = corner & 2 ? gauge[g + 4]! : -gauge[g + 4]!;
        const hz = corner & 4 ? gauge[g + 5]! : -gauge[g + 5]!;
        let squared = 0;
        for (let axis = 0; axis < 3; axis++) {
            const x = difference[axis]!;
            const y = difference[axis + 3]!;
            const z = difference[axis + 6]!;
            const centre = x * gauge[g]! + y * gauge[g + 1]! + z * gauge[g + 2]! + difference[axis + 9]!;
            const moved = centre + (x * hx + y * hy + z * hz);
            squared += moved * moved;
        }
        if (!(squared <= greatest)) greatest = squared >= 0 ? squared : Infinity;
    }
    return greatest;
}

function abs(value: number): number {
    return value < 0 ? -value : value;
}
