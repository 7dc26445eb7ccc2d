// SPDX-License-Identifier: MIT

import type { SkinVertices } from './vertices';

/** x, y, z of the minimum corner, then of the maximum. */
export function emptyBox(): Float64Array {
    return Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
}

export function addPoint(box: Float64Array, point: ArrayLike<number>): void {
    for (let c = 0; c < 3; c++) {
        if (point[c]! < box[c]!) box[c] = point[c]!;
        if (point[c]! > box[c + 3]!) box[c + 3] = point[c]!;
    }
}

/** Calls `use` with each vertex and each column below `columns` that moves it. */
export function eachInfluence(
    vertices: readonly SkinVertices[],
    columns: number,
    use: (column: number, place: Float64Array) => void,
): void {
    for (const { count, positions, influences, joints, weights } of vertices) {
        for (let v = 0; v < count; v++) {
            const place = positions.subarray(v * 3, v * 3 + 3);
            for (let i = v * influences; i < (v + 1) * influences; i++) {
                if (weights[i] !== 0 && joints[i]! < columns) use(joints[i]!, place);
            }
        }
    }
}

/** Grows a box by every vertex of a row. Weights are normalized; morph targets are ignored. */
export function addSkinned(box: Float64Array, vertices: readonly SkinVertices[], palette: Float64Array): void {
    const point = new Float64Array(3);
    for (const { count, positions, influences, joints, weights } of vertices) {
        for (let v = 0; v < count; v++) {
            const x = positions[v * 3]!;
            const y = positions[v * 3 + 1]!;
            const z = positions[v * 3 + 2]!;
            let sum = 0;
            let px = 0;
            let py = 0;
            let pz = 0;
            for (let i = v * influences; i < (v + 1) * influences; i++) {
                const weight = weights[i]!;
                if (weight === 0) continue;
                const m = joints[i]! * 16;
                sum += weight;
                px += weight * (palette[m]! * x + palette[m + 4]! * y + palette[m + 8]! * z + palette[m + 12]!);
                py += weight * (palette[m + 1]! * x + palette[m + 5]! * y + palette[m + 9]! * z + palette[m + 13]!);
                pz += weight * (palette[m + 2]! * x + palette[m + 6]! * y + palette[m + 10]! * z + palette[m + 14]!);
            }
            point[0] = px / sum;
            point[1] = py / sum;
            point[2] = pz / sum;
            addPoint(box, point);
        }
    }
}
