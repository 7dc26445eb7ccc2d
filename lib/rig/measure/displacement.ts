// SPDX-License-Identifier: MIT

import type { Box } from './geometry';

/**
 * Boxes whose corners measure how far apart two poses are: center x y z, half size x y z, in the input space of
 * palettes. There is one box for each joint, or one for all. A joint whose half size is negative moves nothing and is
 * ignored.
 * The boxes hold the skin's vertices as stored. In nearly all files the rest pose is the bind pose, so a joint at rest
 * puts its box around its vertices. A scale between stored vertices and the scene (quantized positions, armatures in
 * centimeters) is then in the palette. Displacements are distances in the scene.
 */
export type CentredBoxes = Float64Array;

export const BOX_NUMBERS = 6;

export function centredBoxes(boxes: Box): CentredBoxes {
    const centred = new Float64Array(boxes.length);
    for (let at = 0; at < boxes.length; at += BOX_NUMBERS) {
        for (let axis = at; axis < at + 3; axis++) {
            const [min, max] = [boxes[axis]!, boxes[axis + 3]!];
            const empty = min > max;
            centred[axis] = empty ? 0 : (min + max) / 2;
            centred[axis + 3] = empty ? -1 : (max - min) / 2;
        }
    }
    return centred;
}

export function boxForEach(box: CentredBoxes, joints: number): CentredBoxes {
    const all = new Float64Array(joints * BOX_NUMBERS);
    for (let at = 0; at < all.length; at += BOX_NUMBERS) all.set(box, at);
    return all;
}

/**
 * Maximum squared distance between the corners under two lists of matrices; `min` if none exceeds it.
 *
 * @param a Column-major 4x4, `[pose][joint]`. `b` has the same shape.
 */
export function squaredDistance(boxes: CentredBoxes, a: Float32Array | Float64Array, b: Float32Array, min = 0): number {
    let max = min;
    const difference = new Float64Array(12);
    for (let m = 0, g = 0; m < a.length; m += 16, g = (g + BOX_NUMBERS) % boxes.length) {
        if (boxes[g + 3]! < 0) continue;
        for (let column = 0; column < 4; column++) {
            for (let axis = 0; axis < 3; axis++) {
                difference[column * 3 + axis] = a[m + column * 4 + axis]! - b[m + column * 4 + axis]!;
            }
        }
        max = squaredReach(boxes, g, difference, max);
    }
    return max;
}

/**
 * Squared length of the longest vector that a difference of two matrices makes of a corner, or `min`. NaN counts as
 * infinite.
 *
 * @param g Index of the box in `boxes`.
 * @param difference Four columns of three numbers.
 */
export function squaredReach(boxes: CentredBoxes, g: number, difference: Float64Array, min: number): number {
    let bound = 0;
    for (let axis = 0; axis < 3; axis++) {
        const x = difference[axis]!;
        const y = difference[axis + 3]!;
        const z = difference[axis + 6]!;
        const centre = x * boxes[g]! + y * boxes[g + 1]! + z * boxes[g + 2]! + difference[axis + 9]!;
        const half = abs(x) * boxes[g + 3]! + abs(y) * boxes[g + 4]! + abs(z) * boxes[g + 5]!;
        const reach = abs(centre) + half;
        bound += reach * reach;
    }
    if (bound <= min) return min;
    let max = min;
    for (let corner = 0; corner < 8; corner++) {
        const hx = corner & 1 ? boxes[g + 3]! : -boxes[g + 3]!;
        const hy = corner & 2 ? boxes[g + 4]! : -boxes[g + 4]!;
        const hz = corner & 4 ? boxes[g + 5]! : -boxes[g + 5]!;
        let squared = 0;
        for (let axis = 0; axis < 3; axis++) {
            const x = difference[axis]!;
            const y = difference[axis + 3]!;
            const z = difference[axis + 6]!;
            const centre = x * boxes[g]! + y * boxes[g + 1]! + z * boxes[g + 2]! + difference[axis + 9]!;
            const moved = centre + (x * hx + y * hy + z * hz);
            squared += moved * moved;
        }
        if (!(squared <= max)) max = squared >= 0 ? squared : Infinity;
    }
    return max;
}

function abs(value: number): number {
    return value < 0 ? -value : value;
}
