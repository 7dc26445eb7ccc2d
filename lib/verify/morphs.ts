// SPDX-License-Identifier: MIT

import type { Judged } from './arrays/check';
import { addPoint, emptyBox } from './box';
import { sameKeys } from './check-manifest';
import { boxCorners } from './metric';
import type { Sampler } from './sampler';
import type { SkinVertices } from './vertices';

/** A node whose weights a clip moves, with the vertices of its mesh. */
interface Morphed {
    readonly node: number;
    readonly sampler: Sampler;
    readonly vertices: readonly SkinVertices[];
}

/** Smaller weights are rounding errors of doubles. */
const NO_WEIGHT = 1e-12;
/** Relative difference of a time just before another one. */
const BEFORE = 2 ** -40;
const EIGHTHS = 8;

/** Measures errors of a clip's morph weights by the displacement of every vertex: docs/format.md, "Error". */
export class Morphs {
    private readonly morphed: readonly Morphed[];

    constructor(
        private readonly judged: Judged,
        private readonly animation: number,
    ) {
        const { subject, vertices } = judged;
        const { evaluator, nodes, joints, skins } = subject;
        const channels = evaluator.channelsOf(animation).filter(({ path }) => path === 'weights');
        const byNode = new Map(channels.map(({ node, sampler }) => [node, sampler]));
        this.morphed = [...byNode].flatMap(([node, sampler]) => {
            const { mesh, skin } = evaluator.nodes[node]!;
            const own =
                skin === undefined
                    ? vertices.filter(({ attachment = -1 }) => attachment >= joints && nodes[attachment] === node)
                    : vertices.filter(
                          (one) =>
                              one.attachment === undefined &&
                              one.mesh === mesh &&
                              (one.rescaled === skin || (one.rescaled === undefined && skins.includes(skin))),
                      );
            return own.length === 0 ? [] : [{ node, sampler, vertices: own }];
        });
    }

    /** Maximum displacement in an interval between two frames whose weights are interpolated, with the frames' rows. */
    between(from: number, to: number, rows: readonly Float64Array[]): { distance: number; node: number } {
        let worst = { distance: 0, node: -1 };
        for (const { node, sampler, vertices } of this.morphed) {
            const { times, interpolation } = sampler;
            if (interpolation === 'STEP') continue; // each value lasts up to the next jump
            const isJump = (key: number) => times[key] === times[key - 1] && !sameKeys(sampler, key - 1, key);
            const keys = [...times.keys()].filter((key) => times[key]! > from && times[key]! <= to);
            const jumps = [...new Set(keys.filter(isJump).map((key) => times[key]!))];
            let begin = from;
            for (const end of jumps.includes(to) ? jumps : [...jumps, to]) {
                const length = end - begin;
                const first = this.weights(node, begin);
                const last = this.weights(node, jumps.includes(end) ? end - end * BEFORE : end);
                const eighths = Array.from({ length: EIGHTHS - 1 }, (_, k) => begin + (length * (k + 1)) / EIGHTHS);
                const own = keys.map((key) => times[key]!).filter((time) => time > begin && time < end);
                for (const time of [...own, ...eighths]) {
                    const share = (time - begin) / length;
                    const errors = this.weights(node, time).map(
                        (is, k) => first[k]! + (last[k]! - first[k]!) * share - is,
                    );
                    const distance = longest(vertices, errors, rows);
                    if (distance > worst.distance) worst = { distance, node };
                }
                begin = end;
            }
        }
        return worst;
    }

    /** Maximum distance of vertices between the weights at two times, with their rows. */
    apart(a: number, b: number, rows: readonly Float64Array[]): number {
        return this.morphed.reduce((max, { node, vertices }) => {
            const [first, last] = [this.weights(node, a), this.weights(node, b)];
            const changes = last.map((weight, k) => weight - first[k]!);
            return Math.max(max, longest(vertices, changes, rows));
        }, 0);
    }

    private weights(node: number, time: number): number[] {
        return this.judged.subject.evaluator.weights(node, this.animation, time);
    }
}

/** Longest displacement of a vertex, under any matrix of the rows that moves it. */
function longest(vertices: readonly SkinVertices[], errors: readonly number[], rows: readonly Float64Array[]): number {
    if (errors.every((error) => Math.abs(error) < NO_WEIGHT)) return 0;
    let max = 0;
    for (const { count, influences, joints, weights, targets, drawn } of vertices) {
        if (drawn !== undefined) {
            max = Math.max(max, longestOfPlaces(drawn, joints[0]!, errors, rows));
            continue;
        }
        for (let v = 0; v < count; v++) {
            const d = displacementOf(v, targets, errors);
            if (d.every((x) => x === 0)) continue;
            for (let i = v * influences; i < (v + 1) * influences; i++) {
                if (weights[i] === 0) continue;
                for (const row of rows) {
                    const distance = Math.hypot(...turned(row, joints[i]! * 16, d));
                    if (!(distance <= max)) max = distance >= 0 ? distance : Infinity;
                }
            }
        }
    }
    return max;
}

/**
 * As `longest`, for an instanced mesh: the corners of the box around its vertices' displacements, under each instance.
 */
function longestOfPlaces(
    { places, targets: ofPrimitives }: NonNullable<SkinVertices['drawn']>,
    column: number,
    errors: readonly number[],
    rows: readonly Float64Array[],
): number {
    const box = emptyBox();
    for (const targets of ofPrimitives) {
        const count = Math.max(0, ...targets.map((target) => (target?.length ?? 0) / 3));
        for (let v = 0; v < count; v++) {
            if (targets.some((target) => target?.subarray(v * 3, v * 3 + 3).some((x) => x !== 0)))
                addPoint(box, displacementOf(v, targets, errors));
        }
    }
    if (box[0]! > box[3]!) return 0;
    const corners = boxCorners(box);
    let max = 0;
    for (const row of rows) {
        for (const place of places) {
            for (let at = 0; at < corners.length; at += 3) {
                const distance = Math.hypot(
                    ...turned(row, column * 16, turned(place, 0, corners.subarray(at, at + 3))),
                );
                if (!(distance <= max)) max = distance >= 0 ? distance : Infinity;
            }
        }
    }
    return max;
}

/** Displacement of a vertex in its mesh by errors of weights. */
function displacementOf(v: number, targets: SkinVertices['targets'], errors: readonly number[]): number[] {
    const d = [0, 0, 0];
    for (const [k, target] of targets.entries()) {
        for (let c = 0; target !== null && c < 3; c++) d[c]! += errors[k]! * target[v * 3 + c]!;
    }
    return d;
}

/** Transforms a vector by the linear part of a matrix. */
function turned(matrix: Float64Array, m: number, d: ArrayLike<number>): number[] {
    return [0, 1, 2].map((r) => matrix[m + r]! * d[0]! + matrix[m + 4 + r]! * d[1]! + matrix[m + 8 + r]! * d[2]!);
}
