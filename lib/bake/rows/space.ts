// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';
import { GLOBAL_FLOATS } from '../../rig/kernels/contract';
import type { Rig } from '../../rig/rig';
import { cofactors } from '../plan/related-skins';

/**
 * Maps baked matrices from the scene to the space of the output. The lists are those of consecutive evaluated poses;
 * `pose` is the first.
 */
export interface Space {
    /** Column-major 4x4 matrices, in place. */
    toMat4(mats: Float32Array): void;
    /** Row-major 3x4 matrices, in place. */
    toMat3x4(mats: Float32Array): void;
    /** Points, x y z, in place. */
    toPoints(points: Float32Array, pose?: number, poses?: number): void;
}

/** The scene itself: changes nothing. */
export const SCENE_SPACE: Space = { toMat4() {}, toMat3x4() {}, toPoints() {} };

/**
 * A space that first moves each pose by its own matrix.
 *
 * @param count Returns the number of poses evaluated last.
 * @param matrixOf Returns the matrix of a pose: row-major 3x4.
 */
export function movedSpace(space: Space, count: () => number, matrixOf: (pose: number) => Float64Array): Space {
    const move = (floats: Float32Array, by: Move, first: number, poses: number) => {
        const width = floats.length / poses;
        for (let pose = 0; pose < poses; pose++) by(matrixOf(first + pose), floats, pose * width, (pose + 1) * width);
    };
    return {
        toMat4(mats) {
            move(mats, moveMat4, 0, count());
            space.toMat4(mats);
        },
        toMat3x4(mats) {
            move(mats, moveMat3x4, 0, count());
            space.toMat3x4(mats);
        },
        toPoints(points, pose = 0, poses = count()) {
            move(points, movePoints, pose, poses);
            space.toPoints(points);
        },
    };
}

/** Lowest common ancestor of some slots, which can be one of them; -1 if there is none. */
export function rootSlotOf({ slots }: Rig, joints: Int32Array): number {
    const below = new Int32Array(slots.length);
    for (const slot of joints) below[slot]! += 1;
    // Children come after their parents, so a count is complete before it is passed up. The first slot that counts all
    // is the lowest.
    for (let slot = slots.length - 1; slot >= 0; slot--) {
        if (below[slot] === joints.length) return slot;
        const { parent } = slots[slot]!;
        if (parent >= 0) below[parent]! += below[slot]!;
    }
    return -1;
}

/**
 * The space relative to a slot's rest pose. Products are in double precision and rounded once to float32.
 *
 * @param globals The rest pose, row-major 3x4 for each slot.
 * @throws InputError `NOT_FINITE` if it has no inverse.
 */
export function spaceOfSlot(rig: Rig, slot: number, globals: Float32Array, file: string): Space {
    if (slot < 0) return SCENE_SPACE;
    const inverse = inverted(globals, slot * GLOBAL_FLOATS);
    if (inverse === null) {
        const { node, name } = rig.slots[slot]!;
        const rule = `the rest pose of the skin's root (node ${node}, '${name}') cannot be inverted: space 'skin-root'`;
        throw new InputError('NOT_FINITE', file, `/nodes/${node}`, rule);
    }
    return {
        toMat4: (mats) => moveMat4(inverse, mats, 0, mats.length),
        toMat3x4: (mats) => moveMat3x4(inverse, mats, 0, mats.length),
        toPoints: (points) => movePoints(inverse, points, 0, points.length),
    };
}

/** Multiplies the elements `from` to `to` of a list by a matrix from the left. */
type Move = (by: Float64Array, floats: Float32Array, from: number, to: number) => void;

const moveMat4: Move = (by, mats, from, to) => {
    for (let m = from; m < to; m += 16) {
        for (let column = 0; column < 12; column += 4) place(by, mats, m + column, 1, 0);
        place(by, mats, m + 12, 1, 1);
    }
};

const moveMat3x4: Move = (by, mats, from, to) => {
    for (let m = from; m < to; m += 12) {
        for (let column = 0; column < 3; column++) place(by, mats, m + column, 4, 0);
        place(by, mats, m + 3, 4, 1);
    }
};

const movePoints: Move = (by, points, from, to) => {
    for (let p = from; p < to; p += 3) place(by, points, p, 1, 1);
};

/** Transforms a vector (w 0) or point (w 1) whose coordinates are `stride` elements apart. */
function place(m: Float64Array, floats: Float32Array, at: number, stride: number, w: 0 | 1): void {
    const x = floats[at]!;
    const y = floats[at + stride]!;
    const z = floats[at + 2 * stride]!;
    floats[at] = m[0]! * x + m[1]! * y + m[2]! * z + m[3]! * w;
    floats[at + stride] = m[4]! * x + m[5]! * y + m[6]! * z + m[7]! * w;
    floats[at + 2 * stride] = m[8]! * x + m[9]! * y + m[10]! * z + m[11]! * w;
}

/** Inverse of a row-major 3x4 matrix, by cofactors; null if a number of it is not finite. */
function inverted(mats: Float32Array, at: number): Float64Array | null {
    const [a, b, c, x, d, e, f, y, g, h, i, z] = Array.from(mats.subarray(at, at + 12)) as Twelve;
    const own = cofactors([a, b, c, d, e, f, g, h, i]);
    const determinant = a * own[0]! + b * own[3]! + c * own[6]!;
    const linear = own.map((cofactor) => cofactor / determinant);
    const inverse = new Float64Array(12);
    for (let row = 0; row < 3; row++) {
        const [p, q, r] = linear.slice(row * 3, row * 3 + 3) as [number, number, number];
        inverse.set([p, q, r, -(p * x + q * y + r * z)], row * 4);
    }
    return inverse.every((value) => Number.isFinite(value)) ? inverse : null;
}

type Twelve = [
    ...[number, number, number, number],
    ...[number, number, number, number],
    ...[number, number, number, number],
];
