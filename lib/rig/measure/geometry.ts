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

/** Grows the box at `at` to hold points `from` to `to - 1`. */
export function addPoints(box: Box, at: number, points: Float32Array, from: number, to: number): void {
    for (let p = from * 3; p < to * 3; p += 3) addPoint(box, points[p]!, points[p + 1]!, points[p + 2]!, at);
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
        for (const last = vertex + primitive.positions.length / 3, first = vertex; vertex < last; vertex++) {
            const begin = end;
            end = addInfluences(joints, weights, begin, primitive, vertex - first, jointCount);
            for (let i = begin; i < end; i++) addPoints(jointBoxes, joints[i]! * 6, positions, vertex, vertex + 1);
            starts[vertex + 1] = end;
        }
    }
    return { vertexCount, positions, starts, joints: joints.slice(0, end), weights: weights.slice(0, end), jointBoxes };
}

/** Appends those of vertex `v`. A function of its own, which V8 optimizes once and not for each loop around it. */
function addInfluences(
    joints: Int32Array,
    weights: Float64Array,
    begin: number,
    { joints: own, weights: ownWeights, influences, column }: MovedPrimitive,
    v: number,
    jointCount: number,
): number {
    const first = v * influences;
    let end = begin;
    let sum = 0;
    for (let i = first; i < first + influences; i++) {
        const weight = ownWeights[i]!;
        if (!(weight > 0)) continue;
        sum += weight;
        joints[end] = own[i]!;
        weights[end++] = weight;
    }
    if (end === begin) {
        const joint = own[first] ?? 0;
        joints[end] = column ?? (joint < jointCount ? joint : 0);
        weights[end++] = 1;
        sum = 1;
    }
    for (let i = begin; i < end; i++) weights[i] = weights[i]! / sum;
    return end;
}
