// SPDX-License-Identifier: MIT

import type { Box } from './geometry';

/**
 * The box whose corners tell how far apart two poses are: centre x y z, half size x y z, in the space that palettes take
 * vertices from.
 *
 * It is the box of the skin's vertices as the file has them. In a file whose rest pose is the bind pose, as in nearly
 * all, its corners are those of the rest pose's box, taken back through the joints; what scale the file has between its
 * vertices and the scene (quantised positions, armatures in centimetres) is in the palette then, and displacements are
 * distances in the scene. No vertex that skinning places is ever displaced by more than the corners are.
 */
export type Gauge = Float64Array;

export function gaugeOf(box: Box): Gauge {
    const gauge = new Float64Array(6);
    for (let axis = 0; axis < 3; axis++) {
        gauge[axis] = (box[axis]! + box[axis + 3]!) / 2;
        gauge[axis + 3] = (box[axis + 3]! - box[axis]!) / 2;
    }
    return gauge;
}

/**
 * The greatest distance between where two lists of matrices put a corner, squared; `least` where it is not above that.
 *
 * @param a Column-major 4x4, `b` as many.
 */
export function squaredDistance(gauge: Gauge, a: Float32Array, b: Float32Array, least = 0): number {
    let greatest = least;
    const difference = new Float64Array(12);
    for (let m = 0; m < a.length; m += 16) {
        for (let column = 0; column < 4; column++) {
            for (let axis = 0; axis < 3; axis++) {
                difference[column * 3 + axis] = a[m + column * 4 + axis]! - b[m + column * 4 + axis]!;
            }
        }
        greatest = squaredReach(gauge, difference, greatest);
    }
    return greatest;
}

/**
 * The squared length of the longest vector that the difference of two matrices makes of a corner, or `least`. What is not
 * a number counts as infinite.
 *
 * @param difference Four columns of three numbers.
 */
export function squaredReach(gauge: Gauge, difference: Float64Array, least: number): number {
    let bound = 0;
    for (let axis = 0; axis < 3; axis++) {
        const x = difference[axis]!;
        const y = difference[axis + 3]!;
        const z = difference[axis + 6]!;
        const centre = x * gauge[0]! + y * gauge[1]! + z * gauge[2]! + difference[axis + 9]!;
        const half = abs(x) * gauge[3]! + abs(y) * gauge[4]! + abs(z) * gauge[5]!;
        const reach = abs(centre) + half;
        bound += reach * reach;
    }
    if (bound <= least) return least;
    let greatest = least;
    for (let corner = 0; corner < 8; corner++) {
        const hx = corner & 1 ? gauge[3]! : -gauge[3]!;
        const hy = corner & 2 ? gauge[4]! : -gauge[4]!;
        const hz = corner & 4 ? gauge[5]! : -gauge[5]!;
        let squared = 0;
        for (let axis = 0; axis < 3; axis++) {
            const x = difference[axis]!;
            const y = difference[axis + 3]!;
            const z = difference[axis + 6]!;
            const centre = x * gauge[0]! + y * gauge[1]! + z * gauge[2]! + difference[axis + 9]!;
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
