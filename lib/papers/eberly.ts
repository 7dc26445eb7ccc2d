// SPDX-License-Identifier: MIT

/**
 * Slerp without trigonometry, after the equations and Table 1 of David Eberly, "A Fast and Accurate Algorithm for
 * Computing SLERP", JGT 15:3 (2011), in code of our own. In float32 and in one order of operations with
 * `native/papers/eberly.cpp`: the same bits as `eberly/*`. With x = cos θ,
 *
 *     sin(tθ) / sin θ ≈ t (1 + b₀ (1 + b₁ (1 + … (1 + bₙ₋₁))))          (equations 18, 20)
 *     bᵢ = (uᵢ t² - vᵢ) (x - 1)                                          (equation 21)
 *     uᵢ = 1 / ((i + 1) (2i + 3)), vᵢ = (i + 1) / (2i + 3), the last pair times 1 + μₙ
 */

import type { BlendQuatsKernel, QuatTimesKernel } from '../base/kernel';

const f = Math.fround;

export const MAX_TERMS = 16;

/** μₙ from n = 1: Table 1, recomputed with 50 decimals (docs/tables/eberly.md). */
const MU = [
    0.62943436108234548, 0.73965850021314065, 0.79701067629567248, 0.83291820510336339, 0.8577247787904209,
    0.87596835698903144, 0.88998444919713745, 0.90110745351739949, 0.91015881189935671, 0.91767344933041668,
    0.92401541194205542, 0.92944142668268624, 0.93413793373486437, 0.93824371263539795, 0.94186426367124459,
    0.94508125971469205,
];

interface Series {
    readonly u: Float32Array;
    readonly v: Float32Array;
}

/** By number of terms. */
const SERIES: readonly Series[] = Array.from({ length: MAX_TERMS + 1 }, (_, n) => {
    const factor = (i: number) => (i === n - 1 ? 1 + MU[n - 1]! : 1);
    return {
        u: Float32Array.from({ length: n }, (_, i) => factor(i) / ((i + 1) * (2 * i + 3))),
        v: Float32Array.from({ length: n }, (_, i) => (factor(i) * (i + 1)) / (2 * i + 3)),
    };
});

/** sin(tθ) / sin θ for xMinus1 = cos θ - 1. */
function coefficient(t: number, xMinus1: number, { u, v }: Series): number {
    const square = f(t * t);
    let nested = 1;
    for (let i = u.length - 1; i >= 0; i--) {
        nested = f(1 + f(f(f(f(u[i]! * square) - v[i]!) * xMinus1) * nested));
    }
    return f(t * nested);
}

function slerpAt(
    result: Float32Array,
    o: number,
    q0: Float32Array,
    i0: number,
    q1: Float32Array,
    i1: number,
    t: number,
    series: Series,
): void {
    const x0 = q0[i0]!;
    const y0 = q0[i0 + 1]!;
    const z0 = q0[i0 + 2]!;
    const w0 = q0[i0 + 3]!;
    const x1 = q1[i1]!;
    const y1 = q1[i1 + 1]!;
    const z1 = q1[i1 + 2]!;
    const w1 = q1[i1 + 3]!;
    const cosine = f(f(f(x0 * x1) + f(z0 * z1)) + f(f(y0 * y1) + f(w0 * w1)));
    const turn = cosine < 0; // -0 is not negative
    const xMinus1 = f((turn ? -cosine : cosine) - 1);
    const f0 = coefficient(f(1 - t), xMinus1, series);
    const f1 = turn ? -coefficient(t, xMinus1, series) : coefficient(t, xMinus1, series);
    result[o] = f(f0 * x0) + f(f1 * x1);
    result[o + 1] = f(f0 * y0) + f(f1 * y1);
    result[o + 2] = f(f0 * z0) + f(f1 * z1);
    result[o + 3] = f(f0 * w0) + f(f1 * w1);
}

/**
 * Slerp by arc cosine and sine (Eberly 2011, section 1), for comparison with the polynomial. If the absolute dot
 * product reaches 1, by rounding or by length, the result is `from` for every `t`.
 */
export const slerp: BlendQuatsKernel = (result, from, to, t, count) => {
    for (let o = 0; o < count * 4; o += 4) {
        const x0 = from[o]!;
        const y0 = from[o + 1]!;
        const z0 = from[o + 2]!;
        const w0 = from[o + 3]!;
        const x1 = to[o]!;
        const y1 = to[o + 1]!;
        const z1 = to[o + 2]!;
        const w1 = to[o + 3]!;
        const cosine = f(f(f(x0 * x1) + f(z0 * z1)) + f(f(y0 * y1) + f(w0 * w1)));
        const absCosine = Math.abs(cosine);
        let f0 = 1;
        let f1 = 0;
        if (absCosine < 1) {
            const angle = Math.acos(absCosine);
            const inverseSine = 1 / Math.sin(angle);
            f0 = f(Math.sin((1 - t) * angle) * inverseSine);
            f1 = f(Math.sin(t * angle) * inverseSine);
        }
        if (cosine < 0) f1 = -f1;
        result[o] = f(f0 * x0) + f(f1 * x1);
        result[o + 1] = f(f0 * y0) + f(f1 * y1);
        result[o + 2] = f(f0 * z0) + f(f1 * z1);
        result[o + 3] = f(f0 * w0) + f(f1 * w1);
    }
};

/** SlerpFPU over lists. */
export const slerpQuats: BlendQuatsKernel = (result, from, to, t, count, terms) => {
    const series = SERIES[terms]!;
    for (let o = 0; o < count * 4; o += 4) slerpAt(result, o, from, o, to, o, t, series);
};

/** SlerpFPU of one pair at several times. */
export const slerpQuatTimes: QuatTimesKernel = (result, q0, q1, t, count, terms) => {
    const series = SERIES[terms]!;
    // Copies, because the pair can be part of the result.
    const from = Float32Array.of(q0[0]!, q0[1]!, q0[2]!, q0[3]!);
    const to = Float32Array.of(q1[0]!, q1[1]!, q1[2]!, q1[3]!);
    for (let i = 0; i < count; i++) slerpAt(result, i * 4, from, 0, to, 0, t[i]!, series);
};
