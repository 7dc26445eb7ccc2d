// SPDX-License-Identifier: MIT
// Twin: native/rig/clip_bound.h

/** Bounds on a channel's curve and its derivatives between two keys (glTF 2.0, appendix C). */

import type { SampledChannel } from '../model/sampler';

/** Bounds on the norms of a curve and of its first and second derivative on an interval. */
export interface Rates {
    value: number;
    first: number;
    second: number;
    /** For slerp: the squared rate of its angle (otherwise -1), and the second derivative of its squared length. */
    turn: number;
    length: number;
}

export const newRates = (): Rates => ({ value: 0, first: 0, second: 0, turn: 0, length: 0 });

/** Series of arccos²(1 - y): the sum of 2 (2y)ⁿ / (n² (2n over n)). Coefficients of yⁿ. */
const ARC = Float64Array.from({ length: 40 }, (_, i) => {
    let c = 2;
    for (let n = 1; n <= i + 1; n++) c *= (2 * n * n) / (2 * n * (2 * n - 1));
    return c / ((i + 1) * (i + 1));
});

function squaredArc(y: number): number {
    let sum = 0;
    for (let i = ARC.length - 1; i >= 0; i--) sum = (sum + ARC[i]!) * y;
    return sum;
}

/** Bounds of a channel's curve on an interval between keys. The caller sets `value`. */
export function ratesOf(
    { times, values, interpolation }: SampledChannel,
    width: number,
    k: number,
    from: number,
    to: number,
    rates: Rates,
): void {
    rates.first = rates.second = rates.turn = rates.length = 0;
    if (k < 0 || k === times.length - 1 || interpolation === 'STEP') return;
    const span = times[k + 1]! - times[k]!;
    if (interpolation === 'CUBICSPLINE') {
        const t0 = (from - times[k]!) / span;
        const t1 = (to - times[k]!) / span;
        splineRates(values, width, k * 3 * width, span, t0, t1, rates);
        return;
    }
    const a = k * width;
    const b = (k + 1) * width;
    if (width === 3) {
        let sum = 0;
        for (let c = 0; c < 3; c++) sum += (values[b + c]! - values[a + c]!) * (values[b + c]! - values[a + c]!);
        rates.first = Math.sqrt(sum) / span;
        return;
    }
    let dot = 0;
    let aa = 0;
    let bb = 0;
    for (let c = 0; c < 4; c++) {
        dot += values[a + c]! * values[b + c]!;
        aa += values[a + c]! * values[a + c]!;
        bb += values[b + c]! * values[b + c]!;
    }
    const cosine = Math.abs(dot);
    const sine = 1 - cosine * cosine;
    if (!(sine > 1e-12)) {
        // Players interpolate linearly.
        const squared = Math.max(0, aa + bb - 2 * cosine);
        rates.first = Math.sqrt(squared) / span;
        rates.length = (2 * squared) / (span * span);
        return;
    }
    // q″ = -θ² q, so |q′|² + θ² |q|² is constant, and |q|² oscillates around half of it.
    const turn = squaredArc(1 - cosine) / (span * span);
    const energy = turn * ((bb - 2 * cosine * cosine + cosine * cosine * aa) / sine + aa);
    const middle = energy / (2 * turn);
    const lean = (cosine * cosine * (1 - aa) * (1 - aa)) / sine;
    rates.turn = turn;
    rates.length = 4 * turn * Math.sqrt((aa - middle) * (aa - middle) + lean);
    const least = Math.min(aa, bb) - ((span * span) / 8) * rates.length;
    rates.first = Math.sqrt(Math.max(0, energy - turn * Math.max(0, least)));
    rates.second = turn * Math.sqrt(Math.max(aa, bb) + ((span * span) / 8) * rates.length);
}

/**
 * Bounds of a Hermite spline (appendix C.5) on a part of an interval between keys, from t0 to t1. Its second derivative
 * is linear.
 */
function splineRates(
    values: ArrayLike<number>,
    width: number,
    at: number,
    span: number,
    t0: number,
    t1: number,
    rates: Rates,
): void {
    let first0 = 0;
    let first1 = 0;
    let second0 = 0;
    let second1 = 0;
    let third = 0;
    let low0 = 0;
    let low1 = 0;
    let dot = 0;
    for (let c = at + width; c < at + 2 * width; c++) {
        const [v0, o0, v1, i1] = [
            values[c]!,
            span * values[c + width]!,
            values[c + 3 * width]!,
            span * values[c + 2 * width]!,
        ];
        const c3 = 2 * v0 + o0 - 2 * v1 + i1;
        const c2 = -3 * v0 - 2 * o0 + 3 * v1 - i1;
        const f0 = (3 * c3 * t0 + 2 * c2) * t0 + o0;
        const f1 = (3 * c3 * t1 + 2 * c2) * t1 + o0;
        const s0 = 6 * c3 * t0 + 2 * c2;
        const s1 = 6 * c3 * t1 + 2 * c2;
        const p0 = ((c3 * t0 + c2) * t0 + o0) * t0 + v0;
        const p1 = ((c3 * t1 + c2) * t1 + o0) * t1 + v0;
        first0 += f0 * f0;
        first1 += f1 * f1;
        second0 += s0 * s0;
        second1 += s1 * s1;
        third += 36 * c3 * c3;
        low0 += p0 * p0;
        low1 += p1 * p1;
        dot += p0 * p1;
    }
    const part = t1 - t0;
    const second = Math.sqrt(Math.max(second0, second1));
    const first = Math.sqrt(Math.max(first0, first1)) + ((part * part) / 8) * Math.sqrt(third);
    rates.first = first / span;
    rates.second = second / (span * span);
    rates.turn = -1;
    if (width !== 4) return;
    // n = p / |p|: |n′| <= |p′| / |p|, |n″| <= |p″| / |p| + 3 |p′|² / |p|². |p| is at least the chord's distance from 0
    // minus the curve's distance from the chord.
    const chord = low0 + low1 - 2 * dot;
    const along = chord > 0 ? Math.min(1, Math.max(0, (low0 - dot) / chord)) : 0;
    const near = Math.max(0, low0 + along * (2 * (dot - low0) + along * chord));
    const low = Math.sqrt(near) - ((part * part) / 8) * second;
    if (!(low > 0)) {
        rates.first = rates.second = Infinity;
        return;
    }
    rates.second = second / (span * span) / low + (3 * first * first) / (span * span) / (low * low);
    rates.first = first / span / low;
}
