// SPDX-License-Identifier: MIT
// Twin: native/rig/subtree_errors.h

import { BLOCK, type Clip, MATRIX, writeMatrices } from './clip';

/** Places the source. */
export function placeSource(clip: Clip): void {
    for (const node of clip.all) writeMatrices(clip, node, 0, clip.at.length);
    judgeAll(clip);
    clip.source.set(clip.placed);
}

/**
 * Places nodes on trial, parent x local, at samples of blocks `from` to `to - 1`. The error of a node is the maximum
 * over its points of the squared distance from the source's, times the weight; NaN if a matrix is not finite.
 *
 * @param nodes A node and nodes below it, each after its parent.
 * @param limit Stops after the first node with an error above it.
 * @returns The maximum error, a squared share of the bound; Infinity if one is NaN.
 */
export function judge(
    { model, blocks, trial, trialErrors, localMatrices, source, placed, weights }: Clip,
    nodes: Int32Array,
    from: number,
    to: number,
    limit = Infinity,
): number {
    const { parents, points, starts } = model;
    let worst = 0;
    for (let i = 0; i < nodes.length; i++) {
        const node = nodes[i]!;
        const parent = parents[node]!;
        const above = i === 0 ? placed : trial;
        for (let block = from; block < to; block++) {
            const o = (node * blocks + block) * MATRIX * BLOCK;
            if (parent < 0) trial.set(localMatrices.subarray(o, o + MATRIX * BLOCK), o);
            else multiply(trial, o, above, (parent * blocks + block) * MATRIX * BLOCK, localMatrices);
            const e = (node * blocks + block) * BLOCK;
            for (let lane = 0; lane < BLOCK; lane++) {
                const error =
                    displacement(trial, source, o + lane, points, starts[node]!, starts[node + 1]!) *
                    weights[e + lane]!;
                trialErrors[e + lane] = error;
                if (!(error <= worst)) worst = error >= 0 ? error : Infinity;
            }
        }
        if (worst > limit) return worst;
    }
    return worst;
}

/** Accepts the candidate on trial. */
export function commit(
    { blocks, placed, trial, errors, trialErrors }: Clip,
    nodes: Int32Array,
    from: number,
    to: number,
): void {
    for (const node of nodes) {
        // Loops, because most ranges are short.
        const start = (node * blocks + from) * BLOCK;
        const end = (node * blocks + to) * BLOCK;
        for (let i = start * MATRIX; i < end * MATRIX; i++) placed[i] = trial[i]!;
        for (let i = start; i < end; i++) errors[i] = trialErrors[i]!;
    }
}

/** Places, judges and accepts the whole clip. Returns the maximum squared share of the bound. */
export function judgeAll(clip: Clip): number {
    const worst = judge(clip, clip.all, 0, clip.blocks);
    [clip.placed, clip.trial] = [clip.trial, clip.placed];
    [clip.errors, clip.trialErrors] = [clip.trialErrors, clip.errors];
    return worst;
}

/** `result = above x local` at all samples of a block. `local` has the offset of `result`. */
function multiply(result: Float64Array, o: number, above: Float64Array, a: number, local: Float64Array): void {
    for (let lane = 0; lane < BLOCK; lane++) {
        const b = o + lane;
        for (let r = 0; r < MATRIX; r += 4) {
            const p = a + lane + r * BLOCK;
            const [x, y, z, w] = [above[p]!, above[p + BLOCK]!, above[p + 2 * BLOCK]!, above[p + 3 * BLOCK]!];
            for (let c = 0; c < 4; c++) {
                const sum =
                    x * local[b + c * BLOCK]! + y * local[b + (c + 4) * BLOCK]! + z * local[b + (c + 8) * BLOCK]!;
                result[b + (r + c) * BLOCK] = c === 3 ? sum + w : sum;
            }
        }
    }
}

/** Maximum squared displacement of some points; NaN if a matrix is not finite. */
function displacement(
    trial: Float64Array,
    source: Float64Array,
    at: number,
    points: Float64Array,
    first: number,
    end: number,
): number {
    const off = (e: number) => trial[at + e * BLOCK]! - source[at + e * BLOCK]!;
    const [d0, d1, d2, d3] = [off(0), off(1), off(2), off(3)];
    const [d4, d5, d6, d7] = [off(4), off(5), off(6), off(7)];
    const [d8, d9, d10, d11] = [off(8), off(9), off(10), off(11)];
    // Times 0: keeps NaN, even without points.
    let max = (d0 + d1 + d2 + d3 + (d4 + d5 + d6 + d7) + (d8 + d9 + d10 + d11)) * 0;
    for (let p = first * 3; p < end * 3; p += 3) {
        const x = points[p]!;
        const y = points[p + 1]!;
        const z = points[p + 2]!;
        const dx = d0 * x + d1 * y + d2 * z + d3;
        const dy = d4 * x + d5 * y + d6 * z + d7;
        const dz = d8 * x + d9 * y + d10 * z + d11;
        const squared = dx * dx + dy * dy + dz * dz;
        if (squared > max) max = squared;
    }
    return max;
}
