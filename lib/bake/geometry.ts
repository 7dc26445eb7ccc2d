// SPDX-License-Identifier: MIT

import type { SkinnedPrimitive } from '../gltf/scene';

/** x, y, z of the minimum corner, then of the maximum: metres. */
export type Box = Float64Array;

export function emptyBox(): Box {
    return emptyBoxes(1);
}

/** So many boxes, one after another. */
export function emptyBoxes(count: number): Box {
    return new Float64Array(count * 6).map((_, i) => (i % 6 < 3 ? Infinity : -Infinity));
}

/** Grows a box, which begins at `at`, to hold a point. */
export function addPoint(box: Box, x: number, y: number, z: number, at = 0): void {
    if (x < box[at]!) box[at] = x;
    if (y < box[at + 1]!) box[at + 1] = y;
    if (z < box[at + 2]!) box[at + 2] = z;
    if (x > box[at + 3]!) box[at + 3] = x;
    if (y > box[at + 4]!) box[at + 4] = y;
    if (z > box[at + 5]!) box[at + 5] = z;
}

/** The vertices of all meshes that a skin deforms, in one list, as the Rig's kernels take them (`MeshTables`). */
export interface SkinGeometry {
    readonly vertexCount: number;
    /** `vertexCount * 3`, mesh space, no -0. */
    readonly positions: Float32Array;
    /** Sets of four influences that a vertex has. */
    readonly sets: number;
    /** Set s of vertex v: influences `starts[v * sets + s]` to `starts[v * sets + s + 1] - 1`; a vertex has one at least. */
    readonly starts: Uint32Array;
    readonly influenceJoints: Uint16Array;
    /** Above 0; each vertex's own add up to 1 but for rounding. */
    readonly influenceWeights: Float32Array;
    /** `[joint][6]`: the box of the vertices that a joint moves, in mesh space. */
    readonly jointBoxes: Box;
}

/** Weights of a vertex that add up to 1 within this keep the file's bits. */
const ROUNDING = 1e-6;

/** Places that are searched for an equal vertex: a file whose vertices all have one hash costs no more than that. */
const PROBES = 8;

/**
 * Gathers what a skin deforms. Morph targets are left aside, and so are vertices that repeat an earlier one, as they do along seams:
 * a box does not change by them.
 *
 * Negative weights count as 0, and those of a vertex are divided by their sum. (The reader has done so already where none is
 * negative.) A vertex without any weight follows its first joint, or the skin's first where the skin has no such joint.
 */
export function geometryOf(primitives: readonly SkinnedPrimitive[], jointCount: number): SkinGeometry {
    const vertexCount = primitives.reduce((sum, { positions }) => sum + positions.length / 3, 0);
    const sets = primitives.reduce((max, { influences }) => Math.max(max, influences / 4), 0);
    const capacity = primitives.reduce((sum, { joints }) => sum + joints.length, 0);
    const positions = new Float32Array(vertexCount * 3);
    const starts = new Uint32Array(vertexCount * sets + 1);
    const influenceJoints = new Uint16Array(capacity);
    const influenceWeights = new Float32Array(capacity);
    const jointBoxes = emptyBoxes(jointCount);
    const bits = new Uint32Array(positions.buffer);
    /** Vertices that were kept, plus 1, by their hash. */
    const places = new Uint32Array(1 << (32 - Math.clz32(vertexCount * 2)));
    let kept = 0;
    const repeats = (a: number, b: number): boolean => {
        for (let i = 0; i < 3; i++) if (bits[a * 3 + i] !== bits[b * 3 + i]) return false;
        const [fromA, fromB] = [starts[a * sets]!, starts[b * sets]!];
        for (let set = 1; set <= sets; set++) {
            if (starts[a * sets + set]! - fromA !== starts[b * sets + set]! - fromB) return false;
        }
        for (let i = starts[(b + 1) * sets]! - fromB - 1; i >= 0; i--) {
            if (influenceJoints[fromA + i] !== influenceJoints[fromB + i]) return false;
            if (influenceWeights[fromA + i] !== influenceWeights[fromB + i]) return false;
        }
        return true;
    };
    /** Whether vertex number `kept` is a new one. */
    const isNew = (): boolean => {
        let hash = influenceJoints[starts[kept * sets]!]!;
        for (let i = 0; i < 3; i++) hash = Math.imul(hash ^ bits[kept * 3 + i]!, 0x9e3779b1) ^ (hash >>> 15);
        for (let probe = 0; ; probe++) {
            const place = (hash + probe) & (places.length - 1);
            if (places[place] === 0 || probe === PROBES) {
                places[place] = kept + 1;
                return true;
            }
            if (repeats(places[place]! - 1, kept)) return false;
        }
    };
    let at = 0;
    let row = 0;
    let end = 0;
    for (const { positions: from, influences, joints, weights } of primitives) {
        for (let v = 0; v < from.length / 3; v++) {
            const x = from[v * 3]! + 0;
            const y = from[v * 3 + 1]! + 0;
            const z = from[v * 3 + 2]! + 0;
            positions[at++] = x;
            positions[at++] = y;
            positions[at++] = z;
            const first = v * influences;
            const begin = end;
            let sum = 0;
            for (let set = first; set < first + influences; set += 4) {
                for (let i = set; i < set + 4; i++) {
                    const weight = weights[i]!;
                    if (!(weight > 0)) continue;
                    sum += weight;
                    influenceJoints[end] = joints[i]!;
                    influenceWeights[end++] = weight;
                    addPoint(jointBoxes, x, y, z, joints[i]! * 6);
                }
                starts[++row] = end;
            }
            if (end === begin) {
                const joint = joints[first]! < jointCount ? joints[first]! : 0;
                influenceJoints[end] = joint;
                influenceWeights[end++] = 1;
                addPoint(jointBoxes, x, y, z, joint * 6);
                starts[row] = end;
            } else if (Math.abs(sum - 1) > ROUNDING) {
                for (let i = begin; i < end; i++) influenceWeights[i] = influenceWeights[i]! / sum;
            }
            // Other primitives may have more sets than this one.
            for (let set = influences; set < sets * 4; set += 4) starts[++row] = end;
            if (isNew()) {
                kept++;
            } else {
                at = kept * 3;
                row = kept * sets;
                end = begin;
            }
        }
    }
    return {
        vertexCount: kept,
        positions: positions.subarray(0, kept * 3),
        sets,
        starts: starts.subarray(0, kept * sets + 1),
        influenceJoints: influenceJoints.subarray(0, end),
        influenceWeights: influenceWeights.subarray(0, end),
        jointBoxes,
    };
}

/**
 * Grows a box by every vertex in one row of a palette, in double precision: glTF 2.0, 3.7.3.3.
 *
 * @param palette `[joint]`, column-major 4x4.
 */
export function addSkinned(box: Box, geometry: SkinGeometry, palette: Float32Array): void {
    const { vertexCount, positions, sets, starts, influenceJoints, influenceWeights } = geometry;
    for (let v = 0; v < vertexCount; v++) {
        const x = positions[v * 3]!;
        const y = positions[v * 3 + 1]!;
        const z = positions[v * 3 + 2]!;
        let sum = 0;
        let px = 0;
        let py = 0;
        let pz = 0;
        const end = starts[(v + 1) * sets]!;
        for (let i = starts[v * sets]!; i < end; i++) {
            const m = influenceJoints[i]! * 16;
            const weight = influenceWeights[i]!;
            sum += weight;
            px += weight * (palette[m]! * x + palette[m + 4]! * y + palette[m + 8]! * z + palette[m + 12]!);
            py += weight * (palette[m + 1]! * x + palette[m + 5]! * y + palette[m + 9]! * z + palette[m + 13]!);
            pz += weight * (palette[m + 2]! * x + palette[m + 6]! * y + palette[m + 10]! * z + palette[m + 14]!);
        }
        addPoint(box, px / sum, py / sum, pz / sum);
    }
}
