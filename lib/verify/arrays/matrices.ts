// SPDX-License-Identifier: MIT

import { longestColumn } from '../matrix';
import { placed } from '../metric';
import { type BakeArray, readElements } from '../read-bake';
import type { Judged } from './check';

/** Reads the matrices of a row, column-major 4x4. */
export function matrixReader({ files: { bin } }: Judged, array: BakeArray, count: number) {
    const floats = array.layout === 'mat4' ? 16 : 12;
    const stored = new Float64Array(count * floats);
    const columns = new Float64Array(count * 16);
    return (row: number): Float64Array => {
        readElements(bin, array, row * stored.length, stored);
        if (floats === 16) return stored;
        for (let m = 0; m < count; m++) columns.set(columnsOf(stored, m * 12), m * 16);
        return columns;
    };
}

/** Converts a row-major 3x4 matrix to column-major 4x4. */
export function columnsOf(m: ArrayLike<number>, at: number): number[] {
    return Array.from({ length: 16 }, (_, i) => {
        const [row, column] = [i % 4, Math.floor(i / 4)];
        return row < 3 ? m[at + row * 4 + column]! : column === 3 ? 1 : 0;
    });
}

/** The fourth row must be 0 0 0 1 (sections 3.5.3 and 3.7.3.1). Otherwise the error is infinite. */
export function lastRowIsRight(m: ArrayLike<number>, at: number): boolean {
    return m[at + 3] === 0 && m[at + 7] === 0 && m[at + 11] === 0 && m[at + 15] === 1;
}

/** The corners of the vertices' box in a column's own space. They judge its global matrix. */
export function pointsAtColumn({ subject: { binds }, metric }: Judged, column: number): Float64Array {
    return placed(metric.corners[column]!, binds, column * 16);
}

/** The origin and points on the axes. The matrix takes the farthest of them to a distance of `extent`. */
export function pointsAround(m: Float64Array, at: number, extent: number): Float64Array {
    const longest = longestColumn(m, at);
    const reach = longest > 0 ? extent / longest : 0;
    const points = new Float64Array(21);
    for (let axis = 0; axis < 3; axis++) {
        points[3 + axis * 6 + axis] = reach;
        points[6 + axis * 6 + axis] = -reach;
    }
    return points;
}
