// SPDX-License-Identifier: MIT
// Twin: native/kernels/blend_pairs.h

/**
 * The shared part of the blends: the edges, t <= 0 and t >= 1, and both slerps except for their weights. The slerps
 * work through a list in blocks of pairs of quaternions, and through a block in passes:
 *
 *     readPair    copies the two quaternions; the cosine of their angle gives y = 1 - |cos θ| and a sign
 *     (weigh)     u and m from y and t: slerpUniform.ts and slerpEach.ts
 *     mixPairs    base + (u other - m base)
 *
 * This form, rather than a sum of two weighted quaternions, because m is small when t is small: then the rounding of m
 * hardly affects the result, and a slerp between equal quaternions gives them back. To keep t small, `base` is the
 * nearer end, the one at 0 if t <= 1/2, else the one at 1, and t is counted from it.
 *
 * The passes exist because each operation waits for the rounding of the one before, and only other pairs can fill that
 * time. A short loop whose rounds do not depend on each other lets the processor work on several of them at once.
 */

const f = Math.fround;

/** Pairs in a block: a multiple of four, and few enough for all lists to fit in the first-level cache. */
export const BLOCK = 64;

/** The pairs between two passes: one element of each list per pair. All but `places` are float32 values. */
export const block = {
    /** Eight for each pair: the base and the other quaternion. */
    quats: new Float64Array(BLOCK * 8),
    /** Places of the results, in quaternions: the number of a float can need more than 32 bits. */
    places: new Uint32Array(BLOCK),
    /** 1 - |cos θ|: 0 for parallel quaternions, 1 for those at a right angle. */
    ys: new Float64Array(BLOCK),
    /** -1 where cos θ < 0, so that the shorter way is to the other quaternion's negative; else 1. */
    signs: new Float64Array(BLOCK),
    /** -1 where the base is that negative, so that the result must get the sign of `from` back; else 1. */
    resultSigns: new Float64Array(BLOCK),
    /** Measured from the base, so 0 < t <= 1/2. Unused if all pairs have the same t. */
    ts: new Float64Array(BLOCK),
    /** The weight u of the other quaternion, with its sign. */
    us: new Float64Array(BLOCK),
    /** The part m of the base that is subtracted. */
    ms: new Float64Array(BLOCK),
};

const { quats, places, ys, signs, resultSigns, us, ms } = block;

/** The number of the last block that had an element, by the low bits of the element. */
const lastBlocks = new Int32Array(1024);
let current = 0;

/** Starts the next block, with no elements. native/kernels/rounds.h does the same for whole lists. */
export function startBlock(): void {
    current = (current + 1) | 0;
}

/**
 * Puts an element into the block. False if it is there already: it is then blended again, from the result. Sometimes
 * false for another element, which only makes the block shorter.
 */
export function enterBlock(element: number): boolean {
    const slot = element & (lastBlocks.length - 1);
    if (lastBlocks[slot] === current) return false;
    lastBlocks[slot] = current;
    return true;
}

/**
 * Reads pair `i` of the block from float `o` of both lists. Signs and `swap` (1 where `to` is the base, else 0) are
 * applied by arithmetic: where they are random, a processor guesses half of its branches wrong.
 */
export function readPair(i: number, from: Float32Array, to: Float32Array, o: number, swap: number): void {
    const ax = from[o]!;
    const ay = from[o + 1]!;
    const az = from[o + 2]!;
    const aw = from[o + 3]!;
    const bx = to[o]!;
    const by = to[o + 1]!;
    const bz = to[o + 2]!;
    const bw = to[o + 3]!;

    const cos = f(f(f(ax * bx) + f(az * bz)) + f(f(ay * by) + f(aw * bw)));
    const isNegative = Number(cos < 0); // -0 is not

    // Quaternions a little longer than 1 would give y < 0, where the polynomials do not hold.
    ys[i] = Math.max(0, f(1 - Math.abs(cos)));
    signs[i] = 1 - 2 * isNegative;
    resultSigns[i] = 1 - 2 * swap * isNegative;
    places[i] = o / 4;

    const a = i * 8 + swap * 4;
    const b = i * 8 + 4 - swap * 4;
    quats[a] = ax;
    quats[a + 1] = ay;
    quats[a + 2] = az;
    quats[a + 3] = aw;
    quats[b] = bx;
    quats[b + 1] = by;
    quats[b + 2] = bz;
    quats[b + 3] = bw;
}

/** Writes the first `n` pairs' results: ±(base + (u other - m base)). The last sum is rounded by the store. */
export function mixPairs(result: Float32Array, n: number): void {
    for (let i = 0, q = 0; i < n; i++, q += 8) {
        const u = us[i]!;
        const m = ms[i]!;
        const sign = resultSigns[i]!;
        const x = quats[q]!;
        const y = quats[q + 1]!;
        const z = quats[q + 2]!;
        const w = quats[q + 3]!;
        const o = places[i]! * 4;
        result[o] = (x + f(f(u * quats[q + 4]!) - f(m * x))) * sign;
        result[o + 1] = (y + f(f(u * quats[q + 5]!) - f(m * y))) * sign;
        result[o + 2] = (z + f(f(u * quats[q + 6]!) - f(m * z))) * sign;
        result[o + 3] = (w + f(f(u * quats[q + 7]!) - f(m * w))) * sign;
    }
}

/**
 * Handles the edges before a blend calculates: at t <= 0 the result is `from`, bit for bit, at t >= 1, or where t is
 * NaN, it is `to`. Returns whether it was one of these; else 0 < t < 1.
 *
 * @param floats Floats of an element: 8 for a joint, 4 for a quaternion.
 */
export function copyAtEdge(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    floats: number,
    t: number,
    index: Int32Array | null,
    count: number,
): boolean {
    if (t > 0 && t < 1) return false;
    const source = t <= 0 ? from : to;
    if (source === result) return true;
    for (let i = 0; i < count; i++) {
        const o = (index === null ? i : index[i]!) * floats;
        for (let k = o; k < o + floats; k++) result[k] = source[k]!;
    }
    return true;
}
