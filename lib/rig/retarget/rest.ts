// SPDX-License-Identifier: MIT

import type { SceneNode } from '../../gltf/scene';
import { createRigid, normalize, orient, type Rigid, rotate, turn } from '../rigid';
import { parentsFirst } from '../skeleton';

/** The rest pose of a file's nodes in the scene, in double precision. */
export interface RestPose {
    /** All nodes, parents before their children. */
    readonly order: Int32Array;
    /** `[node][12]`: global matrices, row-major 3x4. */
    readonly matrices: Float64Array;
    /** For each node the product of all rotations from its root down to itself; translations are 0. */
    readonly turns: readonly Rigid[];
}

const ZERO = createRigid();

export function restPoseOf(nodes: readonly SceneNode[]): RestPose {
    const order = parentsFirst(nodes, new Uint8Array(nodes.length).fill(1));
    const matrices = new Float64Array(nodes.length * 12);
    const turns = nodes.map(createRigid);
    const local = new Float64Array(12);
    for (const node of order) {
        const { parent } = nodes[node]!;
        const own = placeLocal(local, nodes[node]!);
        if (parent < 0) {
            matrices.set(local, node * 12);
            turns[node]!.set(own);
        } else {
            append(matrices, node * 12, parent * 12, local);
            turn(turns[node]!, turns[parent]!, own);
        }
        normalize(turns[node]!);
    }
    return { order, matrices, turns };
}

/** Height of a node at rest: its y coordinate in the scene. */
export function heightOf({ matrices }: RestPose, node: number): number {
    return matrices[node * 12 + 7]!;
}

/** The scale of a node's space, averaged over directions; 1 for the scene. */
export function scaleBelow({ matrices }: RestPose, node: number): number {
    if (node < 0) return 1;
    let sum = 0;
    for (let i = 0; i < 12; i++) if (i % 4 < 3) sum += matrices[node * 12 + i]! ** 2;
    return Math.sqrt(sum / 3);
}

/** @returns The rotation. For a matrix: of its x axis, and of its y axis made orthogonal to x. */
function placeLocal(out: Float64Array, { matrix, translation, rotation, scale }: SceneNode): Rigid {
    const pose = createRigid();
    for (let row = 0; row < 3; row++) out[row * 4 + 3] = (matrix === null ? translation[row] : matrix[12 + row])!;
    if (matrix !== null) {
        for (let i = 0; i < 12; i++) if (i % 4 < 3) out[i] = matrix[(i % 4) * 4 + (i >> 2)]!;
        orient(pose, Float64Array.of(...matrix.subarray(0, 3), ...matrix.subarray(4, 7), 0, 0, 0));
        return pose;
    }
    pose.set(rotation, 3);
    normalize(pose);
    const axis = createRigid();
    for (let c = 0; c < 3; c++) {
        for (let k = 0; k < 3; k++) axis[k] = k === c ? scale[c]! : 0;
        rotate(axis, pose, axis, ZERO);
        for (let row = 0; row < 3; row++) out[row * 4 + c] = axis[row]!;
    }
    return pose;
}

/** Writes matrix `to` = matrix `above` x `local`. */
function append(matrices: Float64Array, to: number, above: number, local: Float64Array): void {
    for (let row = 0; row < 12; row += 4) {
        for (let c = 0; c < 4; c++) {
            let sum = c === 3 ? matrices[above + row + 3]! : 0;
            for (let k = 0; k < 3; k++) sum += matrices[above + row + k]! * local[k * 4 + c]!;
            matrices[to + row + c] = sum;
        }
    }
}

/**
 * Angle between two rotations of any nonzero lengths, in degrees. Uses only square roots, which give the same bits on
 * all machines.
 */
export function degreesBetween(a: ArrayLike<number>, b: ArrayLike<number>): number {
    const [p, q] = [a, b].map((xyzw) => {
        const pose = createRigid();
        for (let i = 0; i < 4; i++) pose[3 + i] = xyzw[i]!;
        normalize(pose);
        return pose;
    }) as [Rigid, Rigid];
    const chord = (sign: number) => Math.sqrt([3, 4, 5, 6].reduce((sum, i) => sum + (p[i]! - sign * q[i]!) ** 2, 0));
    let arc = Math.min(chord(1), chord(-1));
    // Halves the angle repeatedly, until its chord is as long as its arc.
    for (let halving = 0; halving < HALVINGS; halving++) arc /= Math.sqrt(2 + Math.sqrt(4 - arc * arc));
    return ((arc * 2 ** HALVINGS * 2) / Math.PI) * 180;
}

const HALVINGS = 16;
