// SPDX-License-Identifier: MIT
// Twin: native/rig/subtree_errors.h

/** Samples in a block. They are adjacent in memory, so that vectors of any width process whole blocks. */
export const BLOCK = 8;

/** The numbers of an affine matrix, row-major 3 x 4. */
export const MATRIX = 12;

/**
 * Places a node and all below it at samples of a clip, and measures the distance of their points from the source's. All
 * tiers use double precision and the same operations in the same order: the addon gives the same bits as
 * `subtreeErrorsTwin`.
 * Matrices are affine, row-major 3 x 4. Element e of node n at sample s is at `((n * blocks + floor(s / 8)) * 12 + e) *
 * 8 + s % 8`.
 *
 * @param trial Output: global matrices of `nodes` at the samples of blocks `from` to `to - 1`: parent x local.
 * @param errors Output, `[node][blocks * 8]`: the maximum over a node's points of squared displacement times `weights`;
 * NaN if a matrix is not finite.
 * @param locals Local matrices.
 * @param source Global matrices of the source.
 * @param placed Global matrices of the parent of `nodes[0]`. Not read if it has none.
 * @param weights `[node][blocks * 8]`, 0 or more.
 * @param parents For each node its parent, -1 for a root.
 * @param points x y z each, in the node's space.
 * @param starts Points of node n: from `starts[n]` to `starts[n + 1] - 1`.
 * @param nodes A node and nodes below it, each after its parent.
 * @param blocks Blocks of each node.
 * @param limit Stops after the first node with an error above it.
 * @returns The maximum of the written errors; Infinity if one is NaN.
 */
export type SubtreeErrors = (
    trial: Float64Array,
    errors: Float64Array,
    locals: Float64Array,
    source: Float64Array,
    placed: Float64Array,
    weights: Float64Array,
    parents: Int32Array,
    points: Float64Array,
    starts: Int32Array,
    nodes: Int32Array,
    blocks: number,
    from: number,
    to: number,
    limit: number,
) => number;

export const subtreeErrorsTwin: SubtreeErrors = (
    trial,
    errors,
    locals,
    source,
    placed,
    weights,
    parents,
    points,
    starts,
    nodes,
    blocks,
    from,
    to,
    limit,
) => {
    let worst = 0;
    for (let i = 0; i < nodes.length; i++) {
        const node = nodes[i]!;
        const parent = parents[node]!;
        const above = i === 0 ? placed : trial;
        for (let block = from; block < to; block++) {
            const o = (node * blocks + block) * MATRIX * BLOCK;
            if (parent < 0) trial.set(locals.subarray(o, o + MATRIX * BLOCK), o);
            else multiply(trial, o, above, (parent * blocks + block) * MATRIX * BLOCK, locals);
            const e = (node * blocks + block) * BLOCK;
            for (let lane = 0; lane < BLOCK; lane++) {
                const error = displacement(trial, source, o + lane, points, starts[node]!, starts[node + 1]!);
                errors[e + lane] = error * weights[e + lane]!;
                if (!(errors[e + lane]! <= worst)) worst = errors[e + lane]! >= 0 ? errors[e + lane]! : Infinity;
            }
        }
        if (worst > limit) return worst;
    }
    return worst;
};

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
