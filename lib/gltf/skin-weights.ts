// SPDX-License-Identifier: MIT

/** Tolerance for a vertex's sum, for each non-zero weight: two ulp of 1. Decoded integers are closer (3.7.3.3). */
const TOLERANCE = 2 ** -22;

/** Replaces NaN and infinity by 0. Returns `weights` itself if nothing changes. */
export function finiteWeights(
    weights: Float32Array,
    influences: number,
    warn: (message: string) => void,
): Float32Array {
    // A loop: `every` allocates each number.
    let first = 0;
    while (first < weights.length && Number.isFinite(weights[first])) first++;
    if (first === weights.length) return weights;
    const vertices = new Set<number>();
    const finite = weights.map((weight, i) => {
        if (Number.isFinite(weight)) return weight;
        vertices.add(Math.floor(i / influences));
        return 0;
    });
    const which = `${vertices.size} of ${weights.length / influences} vertices (first: vertex ${Math.floor(first / influences)})`;
    warn(`${which} have a weight that is NaN or infinite: it counts as 0 (3.6.2.2); export finite weights`);
    return finite;
}

/**
 * Normalizes the weights of each vertex, as three.js does on loading. Weights whose sum differs from 1 only by rounding
 * keep their bits. Weights that are all 0, and invalid ones, are unchanged.
 *
 * @param weights `[vertex][influences]`. Not changed.
 * @param warn Called for a vertex whose weights change.
 * @returns `weights` itself if nothing changes.
 */
export function normalizeWeights(
    weights: Float32Array,
    influences: number,
    warn: (message: string) => void,
): Float32Array {
    let normalized = weights;
    let count = 0;
    let first = '';
    for (let at = 0; at < weights.length; at += influences) {
        const sum = sumOf(weights, at, at + influences);
        if (sum === 1) continue;
        if (count++ === 0) first = `those of vertex ${at / influences} are off by ${(sum - 1).toPrecision(2)}`;
        if (sum === 0) continue;
        if (normalized === weights) normalized = weights.slice();
        for (let i = at; i < at + influences; i++) normalized[i] = weights[i]! / sum;
    }
    if (count > 0) {
        const vertices = `${count} of ${weights.length / influences} vertices`;
        warn(
            `the weights of ${vertices} do not add up to 1, ${first}: they are divided by their sum (3.7.3.3), which not every engine does; normalize them on export`,
        );
    }
    return normalized;
}

/** Maximum sum of a vertex's absolute weights in the file, for `SkinnedPrimitive`. */
export function weightSumOf(weights: Float32Array, influences: number): { weightSum?: number } {
    let greatest = 1;
    for (let at = 0; at < weights.length; at += influences) {
        let sum = 0;
        let tolerance = 0;
        for (let i = at; i < at + influences; i++) {
            sum += Math.abs(weights[i]!);
            if (weights[i] !== 0) tolerance += TOLERANCE;
        }
        if (sum > 1 + tolerance && sum > greatest) greatest = sum;
    }
    return greatest > 1 ? { weightSum: greatest } : {};
}

/** The sum of the weights. 1 if it differs from 1 only by rounding, or if a weight is negative or not finite. */
function sumOf(weights: Float32Array, first: number, end: number): number {
    let sum = 0;
    let tolerance = 0;
    for (let i = first; i < end; i++) {
        const weight = weights[i]!;
        if (!(weight >= 0 && weight < Infinity)) return 1;
        if (weight > 0) tolerance += TOLERANCE;
        sum += weight;
    }
    return Math.abs(sum - 1) <= tolerance ? 1 : sum;
}
