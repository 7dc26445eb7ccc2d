// SPDX-License-Identifier: MIT

import type { SkinnedPrimitive } from '../../gltf/scene';

/** x, y, z of the minimum corner, then of the maximum. In meters. */
export type Box = Float64Array;

export function emptyBox(): Box {
    return emptyBoxes(1);
}

/** `count` empty boxes, one after another. */
export function emptyBoxes(count: number): Box {
    const boxes = new Float64Array(count * 6).fill(Infinity);
    for (let at = 3; at < boxes.length; at += 6) boxes.fill(-Infinity, at, at + 3);
    return boxes;
}

/** A side of a box for manifests and arrays: rounded to float32, with +0 for -0. */
export function roundedSide(side: number): number {
    return Math.fround(side) + 0;
}

/** Grows the box at `at` to hold a point. */
export function addPoint(box: Box, x: number, y: number, z: number, at = 0): void {
    if (x < box[at]!) box[at] = x;
    if (y < box[at + 1]!) box[at + 1] = y;
    if (z < box[at + 2]!) box[at + 2] = z;
    if (x > box[at + 3]!) box[at + 3] = x;
    if (y > box[at + 4]!) box[at + 4] = y;
    if (z > box[at + 5]!) box[at + 5] = z;
}

/** The matrix of a unit quaternion, column by column. */
export function rotationMatrix(x: number, y: number, z: number, w: number): number[] {
    return [
        1 - 2 * (y * y + z * z),
        2 * (x * y + z * w),
        2 * (x * z - y * w),
        2 * (x * y - z * w),
        1 - 2 * (x * x + z * z),
        2 * (y * z + x * w),
        2 * (x * z + y * w),
        2 * (y * z - x * w),
        1 - 2 * (x * x + y * y),
    ];
}

/** A primitive that a skin deforms or one column moves. */
export interface MovedPrimitive extends SkinnedPrimitive {
    /** Column that moves vertices without influences. */
    readonly column?: number;
}

/** The vertices of all meshes that a character moves, in one list. */
export interface SkinGeometry {
    readonly vertexCount: number;
    /** `vertexCount * 3`, mesh space. */
    readonly positions: Float32Array;
    /** Influences of vertex v: elements `starts[v]` to `starts[v + 1] - 1` of `joints` and `weights`, at least one. */
    readonly starts: Int32Array;
    readonly joints: Int32Array;
    /** Positive. The weights of a vertex add up to 1. */
    readonly weights: Float64Array;
    /** `[joint][6]`: the box of the vertices that a joint moves, in mesh space. */
    readonly jointBoxes: Box;
}

/**
 * Collects the vertices that the joints, and the attachments in the columns after theirs, move. Morph targets are
 * ignored.
 * The file's weights add up to 1 except for rounding, which is removed here. Negative weights count as 0. A vertex
 * without weights follows its first joint, or the skin's first joint if that does not exist.
 */
export function geometryOf(
    primitives: readonly MovedPrimitive[],
    jointCount: number,
    columns = jointCount,
): SkinGeometry {
    const vertexCount = primitives.reduce((sum, { positions }) => sum + positions.length / 3, 0);
    const capacity = primitives.reduce((sum, { joints }) => sum + joints.length, vertexCount);
    const positions = new Float32Array(vertexCount * 3);
    const starts = new Int32Array(vertexCount + 1);
    const joints = new Int32Array(capacity);
    const weights = new Float64Array(capacity);
    const jointBoxes = emptyBoxes(columns);
    let vertex = 0;
    let end = 0;
    for (const primitive of primitives) {
        positions.set(primitive.positions, vertex * 3);
        for (let v = 0; v < primitive.positions.length / 3; v++) {
            const first = v * primitive.influences;
            const begin = end;
            let sum = 0;
            for (let i = first; i < first + primitive.influences; i++) {
                const weight = primitive.weights[i]!;
                if (!(weight > 0)) continue;
                sum += weight;
                joints[end] = primitive.joints[i]!;
                weights[end++] = weight;
            }
            if (end === begin) {
                const joint = primitive.joints[first] ?? 0;
                joints[end] = primitive.column ?? (joint < jointCount ? joint : 0);
                weights[end++] = 1;
                sum = 1;
            }
            const at = vertex * 3;
            for (let i = begin; i < end; i++) {
                weights[i] = weights[i]! / sum;
                addPoint(jointBoxes, positions[at]!, positions[at + 1]!, positions[at + 2]!, joints[i]! * 6);
            }
            starts[++vertex] = end;
        }
    }
    return { vertexCount, positions, starts, joints: joints.slice(0, end), weights: weights.slice(0, end), jointBoxes };
}
