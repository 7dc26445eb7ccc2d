// SPDX-License-Identifier: MIT
// Twin: native/rig/fitted_values.h

import { firstShare, prepareBetween, secondShare, weighted } from '../../strict/between';
import type { Track } from './clip';
import { deviations, type Lever } from './levers';
import { mayHave, rounded } from './rounding';

/** A track to fit. */
export interface Goal {
    readonly track: Track;
    readonly lever: Lever;
    /** The grid. */
    readonly times: Float64Array;
    /** Maximum displacement at each time of the grid. */
    readonly tolerance: Float64Array;
}

/**
 * Sets `shares`, `firsts` and `seconds` at the times from the first to the last key: the share of the tolerance that
 * keys use, and the weights of the keys around. Returns the maximum share.
 */
function sharesOf({ track, lever, times, tolerance }: Goal, knots: readonly number[], values: Float64Array): number {
    const { width } = track;
    for (let k = 0; k + 1 < knots.length; k++) {
        const a = knots[k]!;
        const b = knots[k + 1]!;
        const span = times[b]! - times[a]!;
        prepareBetween(width, values, k * width, (k + 1) * width);
        // A key has the same share at the end of the interval before.
        for (let i = k === 0 ? a : a + 1; i <= b; i++) {
            const t = (times[i]! - times[a]!) / span;
            firsts[i] = firstShare(t);
            seconds[i] = secondShare(t);
            weighted(played, i * width, firsts[i]!, seconds[i]!);
        }
    }
    const first = knots[0]!;
    const last = knots[knots.length - 1]!;
    deviations(track, lever, first, last, played, shares);
    let worst = 0;
    for (let i = first; i <= last; i++) {
        shares[i] = shares[i]! / tolerance[i]!;
        if (!(shares[i]! <= worst)) worst = shares[i]!;
    }
    return worst;
}

// Kept between calls, because there are many calls with few keys each.
const none = () => new Float64Array(0);
let [diagonal, side, right, tried] = [none(), none(), none(), none()];
let [weight, shares, firsts, seconds, played] = [none(), none(), none(), none(), none()];

/**
 * Fits the values of keys by weighted least squares. The weights grow where the tolerance is used up (Lawson's
 * algorithm). Slerp's coefficients are those of the round before. The first and last key keep the values in `ends`, so
 * that adjacent parts join.
 *
 * @param ends A value for each key.
 * @param into Output: the values, rounded.
 * @returns The maximum share of the tolerance that they use.
 */
export function fittedValues(
    goal: Goal,
    knots: readonly number[],
    ends: Float64Array,
    rounds: number,
    into: Float64Array,
): number {
    const { track, times, tolerance } = goal;
    const { width, target } = track;
    const m = knots.length;
    const first = knots[0]!;
    const last = knots[m - 1]!;
    if (shares.length < times.length) {
        [weight, shares] = [new Float64Array(times.length), new Float64Array(times.length)];
        [firsts, seconds] = [new Float64Array(times.length), new Float64Array(times.length)];
        played = new Float64Array(times.length * 4);
    }
    if (right.length < m * 4) {
        [diagonal, side] = [new Float64Array(m * 2), new Float64Array(m * 2)];
        [right, tried] = [new Float64Array(m * 8), new Float64Array(m * 8)];
    }
    const length = m * width;
    for (let i = 0; i < length; i++) into[i] = ends[i]!;
    rounded(track, into, length);
    let bestShare = sharesOf(goal, knots, into);
    if (m <= 2) return bestShare;
    for (let i = first; i <= last; i++) weight[i] = 1 / (tolerance[i]! * tolerance[i]!);
    for (let round = 0; round < rounds; round++) {
        diagonal.fill(0, 0, m);
        side.fill(0, 0, m);
        right.fill(0, 0, m * width);
        for (let k = 0; k + 1 < m; k++) {
            const a = knots[k]!;
            const b = knots[k + 1]!;
            // At a key its own weight is 1 and the other 0.
            firsts[a] = weight[a]!;
            seconds[a] = 0;
            diagonal[k] = diagonal[k]! + weight[a]!;
            for (let i = a + 1; i < b; i++) {
                const u = firsts[i]!;
                const w = seconds[i]!;
                firsts[i] = weight[i]! * u;
                seconds[i] = weight[i]! * w;
                diagonal[k] = diagonal[k]! + firsts[i]! * u;
                side[k] = side[k]! + firsts[i]! * w;
                diagonal[k + 1] = diagonal[k + 1]! + seconds[i]! * w;
            }
            for (let c = 0; c < width; c++) {
                let before = right[k * width + c]!;
                let after = right[(k + 1) * width + c]!;
                for (let i = a; i < b; i++) {
                    before += firsts[i]! * target[i * width + c]!;
                    after += seconds[i]! * target[i * width + c]!;
                }
                right[k * width + c] = before;
                right[(k + 1) * width + c] = after;
            }
        }
        for (let c = 0; c < width; c++) {
            tried[c] = ends[c]!;
            tried[length - width + c] = ends[length - width + c]!;
        }
        rounded(track, solved(width, m, tried), length);
        const share = sharesOf(goal, knots, tried);
        if (share < bestShare && mayHave(track, tried, length)) {
            bestShare = share;
            for (let i = 0; i < length; i++) into[i] = tried[i]!;
        }
        if (share > 0) for (let i = first; i <= last; i++) weight[i] = weight[i]! * (0.3 + shares[i]! / share);
    }
    return bestShare;
}

/**
 * Solves the symmetric tridiagonal system above. The first and last unknowns are given in `values`; the others are
 * written there.
 */
function solved(width: number, m: number, values: Float64Array): Float64Array {
    for (let c = 0; c < width; c++) {
        right[width + c] = right[width + c]! - side[0]! * values[c]!;
        right[(m - 2) * width + c] = right[(m - 2) * width + c]! - side[m - 2]! * values[(m - 1) * width + c]!;
    }
    for (let k = 2; k < m - 1; k++) {
        const f = side[k - 1]! / diagonal[k - 1]!;
        diagonal[k] = diagonal[k]! - f * side[k - 1]!;
        for (let c = 0; c < width; c++) right[k * width + c] = right[k * width + c]! - f * right[(k - 1) * width + c]!;
    }
    for (let k = m - 2; k >= 1; k--) {
        for (let c = 0; c < width; c++) {
            const after = k === m - 2 ? 0 : side[k]! * values[(k + 1) * width + c]!;
            values[k * width + c] = (right[k * width + c]! - after) / diagonal[k]!;
        }
    }
    return values;
}
