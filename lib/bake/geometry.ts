// SPDX-License-Identifier: MIT

import type { SkinnedPrimitive } from '../gltf/scene';

/** The vertices of all meshes that a skin deforms, in one list. */
export interface SkinGeometry {
    readonly vertexCount: number;
    /** `vertexCount * 3`, mesh space. */
    readonly positions: Float32Array;
    /** Influences of vertex v: elements `starts[v]` to `starts[v + 1] - 1` of `joints` and `weights`, at least one. */
    readonly starts: Int32Array;
    readonly joints: Int32Array;
    /** Above 0, and each vertex's own add up to 1. */
    readonly weights: Float64Array;
}

/** x, y, z of the minimum corner, then of the maximum: metres. */
export type Box = Float64Array;

export function emptyBox(): Box {
    return Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
}

/** Grows a box to hold a point. */
export function addPoint(box: Box, x: number, y: number, z: number): void {
    if (x < box[0]!) box[0] = x;
    if (y < box[1]!) box[1] = y;
    if (z < box[2]!) box[2] = z;
    if (x > box[3]!) box[3] = x;
    if (y > box[4]!) box[4] = y;
    if (z > box[5]!) box[5] = z;
}

/**
 * Gathers what a skin of so many joints deforms. Morph targets are left aside.
 *
 * Weights add up to 1 already but for rounding, which is taken out here; those below 0 count as 0. A vertex without any
 * weight follows its first joint. (That joint need not exist, as it has no weight: then it is the skin's first.)
 */
export function geometryOf(primitives: readonly SkinnedPrimitive[], jointCount: number): SkinGeometry {
    const vertexCount = primitives.reduce((sum, { positions }) => sum + positions.length / 3, 0);
    const positions = new Float32Array(vertexCount * 3);
    const starts = new Int32Array(vertexCount + 1);
    const capacity = primitives.reduce((sum, primitive) => sum + primitive.joints.length, vertexCount);
    const joints = new Int32Array(capacity);
    const weights = new Float64Array(capacity);
    let vertex = 0;
    let end = 0;
    for (const primitive of primitives) {
        positions.set(primitive.positions, vertex * 3);
        const count = primitive.positions.length / 3;
        for (let v = 0; v < count; v++) {
            const first = v * primitive.influences;
            let sum = 0;
            for (let i = first; i < first + primitive.influences; i++) {
                const weight = primitive.weights[i]!;
                if (weight > 0) sum += weight;
            }
            for (let i = first; sum > 0 && i < first + primitive.influences; i++) {
                const weight = primitive.weights[i]!;
                if (!(weight > 0)) continue;
                joints[end] = primitive.joints[i]!;
                weights[end++] = weight / sum;
            }
            if (!(sum > 0)) {
                const joint = primitive.influences > 0 ? primitive.joints[first]! : 0;
                joints[end] = joint < jointCount ? joint : 0;
                weights[end++] = 1;
            }
            starts[++vertex] = end;
        }
    }
    return { vertexCount, positions, starts, joints: joints.slice(0, end), weights: weights.slice(0, end) };
}

/** Grows `box` by all vertices as the file has them. */
export function addVertices(box: Box, { positions }: SkinGeometry): void {
    for (let p = 0; p < positions.length; p += 3) addPoint(box, positions[p]!, positions[p + 1]!, positions[p + 2]!);
}
