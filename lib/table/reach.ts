// SPDX-License-Identifier: MIT

/** Boxes around poses: `[6]`, minimum x y z, then maximum x y z. */

import type { Palettes } from './palettes';
import type { Influences } from './row-mix';

/** The vertices of a mesh that columns of a table move. */
export interface MovedVertices {
    /** Index of the table. */
    readonly table: number;
    /** The vertices' joints, or the one column that moves all of them. */
    readonly by: Influences | number;
    /** `[vertex][3]`. */
    readonly positions: ArrayLike<number>;
    /** Positions of each morph target: `[vertex][3]`. */
    readonly targets: readonly ArrayLike<number>[];
}

/** Makes empty boxes. */
export function emptyBoxes(count: number): Float64Array {
    return Float64Array.from({ length: count * 6 }, (_, i) => (i % 6 < 3 ? Infinity : -Infinity));
}

/** For each table `[column][6]`: the box of the vertices that a column moves, with any morph weights from 0 to 1. */
export function columnBoxes(tables: readonly Palettes[], meshes: Iterable<MovedVertices>): readonly Float64Array[] {
    const all = tables.map(({ columns }) => emptyBoxes(columns));
    for (const { table, by, positions, targets } of meshes) {
        const boxes = all[table]!;
        for (let i = 0; i < positions.length; i++) {
            const at = positions[i]!;
            let [low, high] = [at, at];
            for (const target of targets) {
                low += Math.min(0, target[i]! - at);
                high += Math.max(0, target[i]! - at);
            }
            const first = Math.floor(i / 3) * 4;
            for (let k = first; k < (typeof by === 'number' ? first + 1 : first + 4); k++) {
                if (typeof by !== 'number' && !(by.weights[k]! > 0)) continue;
                const side = (typeof by === 'number' ? by : by.joints[k]!) * 6 + (i % 3);
                boxes[side] = Math.min(boxes[side]!, low);
                boxes[side + 3] = Math.max(boxes[side + 3]!, high);
            }
        }
    }
    return all;
}

/** Strides of a matrix: from row to row, from column to column, and its floats. */
const STRIDES = { mat4: [1, 4, 16], mat3x4: [4, 1, 12] } as const;

/**
 * Grows a box by all boxes of columns, each moved by its matrix. A skinned vertex is between the places to which its
 * joints move it, so it is inside. Does not allocate.
 *
 * @param out The box, element 0 to 5.
 * @param matrices Matrices of the columns from element `at` on.
 */
export function growBox(
    out: Float64Array,
    boxes: Float64Array,
    matrices: ArrayLike<number>,
    at: number,
    layout: keyof typeof STRIDES,
): void {
    const [down, right, floats] = STRIDES[layout];
    for (let box = 0, m = at; box < boxes.length; box += 6, m += floats) {
        const x = (boxes[box]! + boxes[box + 3]!) / 2;
        const dx = boxes[box + 3]! - x;
        if (!(dx >= 0)) continue;
        const y = (boxes[box + 1]! + boxes[box + 4]!) / 2;
        const z = (boxes[box + 2]! + boxes[box + 5]!) / 2;
        const [dy, dz] = [boxes[box + 4]! - y, boxes[box + 5]! - z];
        for (let row = 0; row < 3; row++) {
            const from = m + row * down;
            const [a, b, c] = [matrices[from]!, matrices[from + right]!, matrices[from + 2 * right]!];
            const center = a * x + b * y + c * z + matrices[from + 3 * right]!;
            const half = Math.abs(a) * dx + Math.abs(b) * dy + Math.abs(c) * dz;
            if (center - half < out[row]!) out[row] = center - half;
            if (center + half > out[row + 3]!) out[row + 3] = center + half;
        }
    }
}
