// SPDX-License-Identifier: MIT

import { addPoint, emptyBox } from './box';
import { type ClipPart, extentOf } from './extent';
import { transformed } from './matrix';
import { poseAt, type Subject } from './pose';
import type { SkinVertices } from './vertices';

/** The boxes and the length that measure a bake's errors (docs/verify.md). */
export interface Metric {
    /**
     * For each column, the 8 corners of a box of vertices, x y z each, in the input space of palettes. Joints share the
     * box of all skinned vertices; an attachment has that of its mesh. Displacements are in units of the bake's space,
     * even if inverse bind matrices contain a scale, such as that of quantized positions. Without a mesh, the box of
     * the joints' origins at rest. A flat box gets some depth, because otherwise some errors of a matrix would be
     * invisible.
     */
    readonly corners: readonly Float64Array[];
    /** Size of the character over its clips: docs/format.md. */
    readonly extent: number;
}

/** @param clips The judged clips, and the part of them in seconds. */
export function metricOf(subject: Subject, vertices: readonly SkinVertices[], clips: readonly ClipPart[]): Metric {
    const rest = poseAt(subject, null, 0);
    const origins = emptyBox();
    for (const node of subject.nodes) addPoint(origins, rest.globals.subarray(node * 16 + 12, node * 16 + 15));
    const boxes = wholeBoxesOf(subject, vertices).map((own) => own ?? origins);
    const cornersByBox = new Map([...new Set(boxes)].map((own) => [own, cornersOf(own)]));
    const corners = boxes.map((own) => cornersByBox.get(own)!);
    return { corners, extent: extentOf([[{ subject, vertices }]], clips) };
}

/** For each column, the box of the vertices that judge it as a whole, as stored; null without vertices. */
export function wholeBoxesOf({ nodes, joints }: Subject, vertices: readonly SkinVertices[]): (Float64Array | null)[] {
    const skin = emptyBox();
    const boxes = nodes.map((_, column) => (column < joints ? skin : emptyBox()));
    for (const { count, positions, attachment } of vertices) {
        const box = attachment === undefined ? skin : boxes[attachment]!;
        for (let v = 0; v < count; v++) addPoint(box, positions.subarray(v * 3, v * 3 + 3));
    }
    return boxes.map((box) => (box[0]! <= box[3]! ? box : null));
}

/** Minimum side of the box that measures errors, relative to the longest. */
const MIN_SIDE = 0.1;

function cornersOf(flat: Float64Array): Float64Array {
    const box = flat.slice();
    const minSide = MIN_SIDE * Math.max(...[0, 1, 2].map((c) => flat[c + 3]! - flat[c]!));
    for (let c = 0; c < 3; c++) {
        const missing = Math.max(0, minSide - (flat[c + 3]! - flat[c]!));
        box[c]! -= missing / 2;
        box[c + 3]! += missing / 2;
    }
    return boxCorners(box);
}

/** The 8 corners of a box, x y z each. */
export function boxCorners(box: Float64Array): Float64Array {
    return Float64Array.from({ length: 24 }, (_, i) => box[(i % 3) + ((Math.floor(i / 3) >> (i % 3)) & 1) * 3]!);
}

/** Maximum displacement of points between two matrices; Infinity if a value is NaN. */
export function displacement(
    a: ArrayLike<number>,
    aAt: number,
    b: ArrayLike<number>,
    bAt: number,
    points: ArrayLike<number>,
): number {
    let max = 0;
    // Twelve variables instead of a list, because this runs for each joint at eight times of every frame.
    const [d0, d1, d2] = [a[aAt]! - b[bAt]!, a[aAt + 1]! - b[bAt + 1]!, a[aAt + 2]! - b[bAt + 2]!];
    const [d4, d5, d6] = [a[aAt + 4]! - b[bAt + 4]!, a[aAt + 5]! - b[bAt + 5]!, a[aAt + 6]! - b[bAt + 6]!];
    const [d8, d9, d10] = [a[aAt + 8]! - b[bAt + 8]!, a[aAt + 9]! - b[bAt + 9]!, a[aAt + 10]! - b[bAt + 10]!];
    const [d12, d13, d14] = [a[aAt + 12]! - b[bAt + 12]!, a[aAt + 13]! - b[bAt + 13]!, a[aAt + 14]! - b[bAt + 14]!];
    for (let at = 0; at < points.length; at += 3) {
        const x = points[at]!;
        const y = points[at + 1]!;
        const z = points[at + 2]!;
        const dx = d0 * x + d4 * y + d8 * z + d12;
        const dy = d1 * x + d5 * y + d9 * z + d13;
        const dz = d2 * x + d6 * y + d10 * z + d14;
        const squared = dx * dx + dy * dy + dz * dz;
        // This comparison treats NaN as the maximum.
        if (!(squared <= max)) max = squared >= 0 ? squared : Infinity;
    }
    return Math.sqrt(max);
}

/** Maximum distance of points from the origin. */
export function farthestOf(points: Float64Array): number {
    let farthest = 0;
    for (let at = 0; at < points.length; at += 3) {
        farthest = Math.max(farthest, Math.hypot(points[at]!, points[at + 1]!, points[at + 2]!));
    }
    return farthest;
}

/** The points, transformed by one matrix. */
export function placed(points: Float64Array, m: ArrayLike<number>, at: number): Float64Array {
    const out = new Float64Array(points.length);
    for (let p = 0; p < points.length; p += 3) {
        out.set(transformed(m, at, points[p]!, points[p + 1]!, points[p + 2]!), p);
    }
    return out;
}

/** The length that errors are relative to. For a model that is a single point, errors are absolute. */
export function scaleOf({ extent }: Metric): number {
    return extent > 0 ? extent : 1;
}
