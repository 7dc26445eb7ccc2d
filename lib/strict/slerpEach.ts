// SPDX-License-Identifier: MIT
// Twin: native/kernels/slerp_each.h

import { BLOCK, block, enterBlock, mixPairs, readPair, startBlock } from './blendPairs';
import { PQ8 } from './coefficients';

const f = Math.fround;

/** PQ8 in float32, row by row: four numbers for each power of y. */
const B = Float64Array.from(PQ8.flat(), (b) => f(b));

/** Q0(y) … Q3(y) of the pairs in the block. */
export const Q = {
    q0s: new Float64Array(BLOCK),
    q1s: new Float64Array(BLOCK),
    q2s: new Float64Array(BLOCK),
    q3s: new Float64Array(BLOCK),
};
const { q0s, q1s, q2s, q3s } = Q;

/**
 * Slerp with a t for each pair, `times` by the pair's number; the formula is that of `slerpUniform`. Coefficients that
 * depend on t would have to be worked out for each pair. So the sum is arranged the other way round, as a polynomial in
 * T = t² whose coefficients depend on y, and are the same for both weights:
 *
 *     sin(t θ) / sin θ       = t + t (1 - t) y (1 + t) (Q0(y) + T (Q1(y) + T (Q2(y) + T Q3(y))))         T = t²
 *     sin((1 - t) θ) / sin θ = 1 - t + t (1 - t) y (2 - t) (Q0(y) + D (Q1(y) + D (Q2(y) + D Q3(y))))     D = (1 - t)²
 *
 * At t <= 0 a pair's result is `from`, bit for bit, at t >= 1, or where t is NaN, it is `to`.
 */
export function slerpEach(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    stride: number,
    times: Float32Array,
    index: Int32Array | null,
    count: number,
): void {
    const { ts } = block;
    for (let i = 0; i < count; ) {
        let n = 0;
        for (startBlock(); i < count && n < BLOCK; i++) {
            const element = index === null ? i : index[i]!;
            if (index !== null && !enterBlock(element)) break;
            const o = element * stride;
            const t = times[element]!;
            if (t > 0 && t < 1) {
                ts[n] = Math.min(t, f(1 - t));
                readPair(n++, from, to, o, Number(t > 0.5));
            } else {
                const source = t <= 0 ? from : to;
                for (let k = o; k < o + 4; k++) result[k] = source[k]!;
            }
        }
        polynomialsOfY(n);
        weigh(n);
        mixPairs(result, n);
    }
}

/** Q0(y) … Q3(y), by Horner's rule, of two pairs at a time. Starting with PQ8's zeros is the same as starting later. */
export function polynomialsOfY(n: number): void {
    const { ys } = block;
    for (let i = 0; i < n; i += 2) {
        const y0 = ys[i]!;
        const y1 = ys[i + 1]!;
        let q0 = B[28]!;
        let q1 = B[29]!;
        let q2 = B[30]!;
        let q3 = B[31]!;
        let r0 = q0;
        let r1 = q1;
        let r2 = q2;
        let r3 = q3;
        for (let k = 24; k >= 0; k -= 4) {
            const b0 = B[k]!;
            const b1 = B[k + 1]!;
            const b2 = B[k + 2]!;
            const b3 = B[k + 3]!;
            q0 = f(f(q0 * y0) + b0);
            q1 = f(f(q1 * y0) + b1);
            q2 = f(f(q2 * y0) + b2);
            q3 = f(f(q3 * y0) + b3);
            r0 = f(f(r0 * y1) + b0);
            r1 = f(f(r1 * y1) + b1);
            r2 = f(f(r2 * y1) + b2);
            r3 = f(f(r3 * y1) + b3);
        }
        q0s[i] = q0;
        q1s[i] = q1;
        q2s[i] = q2;
        q3s[i] = q3;
        q0s[i + 1] = r0;
        q1s[i + 1] = r1;
        q2s[i + 1] = r2;
        q3s[i + 1] = r3;
    }
}

/** u and m of the first `n` pairs, from those. */
function weigh(n: number): void {
    const { ts, ys, signs, us, ms } = block;
    for (let i = 0; i < n; i++) {
        const t = ts[i]!;
        const q0 = q0s[i]!;
        const q1 = q1s[i]!;
        const q2 = q2s[i]!;
        const q3 = q3s[i]!;
        const d = f(1 - t);
        const T = f(t * t);
        const D = f(d * d);
        const p = f(f(t * d) * ys[i]!);
        const hU = f(f(f(f(f(f(q3 * T) + q2) * T) + q1) * T) + q0);
        const hV = f(f(f(f(f(f(q3 * D) + q2) * D) + q1) * D) + q0);
        us[i] = f(t + f(f(p * f(1 + t)) * hU)) * signs[i]!;
        ms[i] = f(t - f(f(p * f(1 + d)) * hV));
    }
}
