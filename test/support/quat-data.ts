// SPDX-License-Identifier: MIT

/** Seeded pairs of quaternions, 4 floats each, for the routines on plain lists. */

import { awkwardFloats, awkwardPair, jointQuatPair, perpendicular, random, unitQuaternion } from './joint-data';

export { awkwardFloats, random };

// Looked up once: in jest's sandbox every look-up of a global is slow.
const { cos, sin } = Math;

type Next = () => number;

export interface Pairs {
    readonly from: Float32Array;
    readonly to: Float32Array;
}

/** The quaternions of a list of JointQuats. */
function quatsOf(jointQuats: Float32Array): Float32Array {
    return Float32Array.from({ length: jointQuats.length / 2 }, (_, i) => jointQuats[(i >> 2) * 8 + (i & 3)]!);
}

/** Unit quaternions, from the ordinary to those that interpolation finds hardest. */
export function ordinaryPairs(next: Next, count: number): Pairs {
    const { joints, blendJoints } = jointQuatPair(next, count);
    return { from: quatsOf(joints), to: quatsOf(blendJoints) };
}

/** Quaternions of any length, denormals, infinities, NaN, dot products of -0. */
export function awkwardPairs(next: Next, count: number): Pairs {
    const { joints, blendJoints } = awkwardPair(next, count);
    return { from: quatsOf(joints), to: quatsOf(blendJoints) };
}

/** Pairs with an angle (between vectors of four numbers) and lengths as drawn. */
export function drawnPairs(next: Next, count: number, angle: () => number, length: () => number = () => 1): Pairs {
    const from = new Float32Array(count * 4);
    const to = new Float32Array(count * 4);
    for (let i = 0; i < count; i++) {
        const q = unitQuaternion(next);
        const p = perpendicular(next, q);
        const [a, l0, l1] = [angle(), length(), length()];
        for (let k = 0; k < 4; k++) {
            from[i * 4 + k] = q[k]! * l0;
            to[i * 4 + k] = (cos(a) * q[k]! + sin(a) * p[k]!) * l1;
        }
    }
    return { from, to };
}

/** Times on and beside every border that an interpolation knows, inside 0 … 1 and outside. */
export const TIMES = [
    ...[0, -0, 1, 0.5, 0.25, 0.3, 2 ** -149, 1e-20, 1e-7, 1 - 2 ** -24],
    ...[1 + 2 ** -23, -1e-3, -1, 1.5, 2.5, 5.5, 100, -Infinity, Infinity, Number.NaN],
];
