// SPDX-License-Identifier: MIT

/**
 * The tolerance for the sum of a vertex's weights, for each weight that is not 0: two ulp of 1. Normalised floats
 * are nearer, and so are decoded integers that add up to 255 or 65,535, as they must (glTF 2.0, section 3.7.3.3).
 */
const TOLERANCE = 2 ** -22;

/** 0 in the places of NaN and infinity; `weights` itself where nothing changes. */
export function finiteWeights(
    weights: Float32Array,
    influences: number,
    warn: (message: string) => void,
): Float32Array {
    if (weights.every(Number.isFinite)) return weights;
    const vertices = new Set<number>();
    const finite = weights.map((weight, i) => {
        if (Number.isFinite(weight)) return weight;
        vertices.add(Math.floor(i / influences));
        return 0;
    });
    const [first] = vertices;
    const which = `${vertices.size} of ${weights.length / influences} vertices (first: vertex ${first})`;
    warn(`${which} have a weight that is NaN or infinite: it counts as 0 (3.6.2.2)`);
    return finite;
}

/**
 * Makes the weights of each vertex add up to 1, as three.js does on loading. Where they do but for rounding, they keep
 * their bits. Weights that are all 0, and those that no vertex may have, stay as they are.
 *
 * @param weights `[vertex][influences]`, not changed.
 * @param warn Called where a vertex has other weights.
 * @returns `weights` itself where nothing changes.
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
        warn(`the weights of ${vertices} do not add up to 1, ${first}: they are divided by their sum (3.7.3.3)`);
    }
    return normalized;
}

/** The greatest sum of a vertex's weights without their signs, as `SkinnedPrimitive` has it; `weights` are those of the file. */
export function weightSumOf(weights: Float32Array, influences: number): { weightSum?: number } {
    let greatest = 1;
    for (let at = 0; at < weights.length; at += influences) {
        let [sum, tolerance] = [0, 0];
        for (let i = at; i < at + influences; i++) {
            sum += Math.abs(weights[i]!);
            if (weights[i] !== 0) tolerance += TOLERANCE;
        }
        if (sum > 1 + tolerance && sum > greatest) greatest = sum;
    }
    return greatest > 1 ? { weightSum: greatest } : {};
}

/** The sum of the weights; 1 where only rounding keeps it from 1, and where a weight is negative or not finite. */
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
