// SPDX-License-Identifier: MIT

/** Fits one track: few keys on the grid, whose interpolation stays within a tolerance of the target. */

import { FLOAT, SHORT } from '../../gltf/validate/accessors';
import { unitTolerance } from '../../gltf/validate/transforms';
import { between, firstShare, normalise, prepareBetween, secondShare, weighted } from '../model/sampler';
import { areUnit, OFF_UNIT, type Track } from './clip';
import { deviation, deviations, type Lever } from './levers';

/** Step of values stored as normalized 16-bit integers (glTF 2.0, 3.11). */
export const SHORT_STEP = 1 / 32767;
export const BYTE_STEP = 1 / 127;

const at = new Float64Array(4);

/** A track to fit. */
export interface Goal {
    readonly track: Track;
    readonly lever: Lever;
    /** The grid. */
    readonly times: Float64Array;
    /** Maximum displacement at each time of the grid. */
    readonly tolerance: Float64Array;
}

/** Whether interpolation between keys at two times, with the target's values, stays within the tolerance. */
function chordFits({ track, lever, times, tolerance }: Goal, a: number, b: number): boolean {
    const { width, target } = track;
    prepareBetween(width, target, a * width, b * width);
    const span = times[b]! - times[a]!;
    const middle = (a + b) >> 1;
    // From the middle outward, where the error is mostly largest.
    for (let k = 0; k < b - a; k++) {
        const i = middle + (k % 2 === 0 ? k >> 1 : -((k + 1) >> 1));
        if (i <= a || i >= b) continue;
        between(at, 0, (times[i]! - times[a]!) / span);
        if (!(deviation(track, lever, i, at, 0) <= tolerance[i]!)) return false;
    }
    return true;
}

/** Takes the longest interval that fits from each key. */
function greedyKnots(goal: Goal): number[] {
    const last = goal.times.length - 1;
    const knots = [0];
    for (let a = 0; a < last; knots.push(a)) a = farthest(a, last, (next) => chordFits(goal, a, next));
    return knots;
}

/**
 * Finds about the end of the longest interval from `a` that fits, by doubling steps. Returns at least the next index.
 */
function farthest(a: number, last: number, fits: (next: number) => boolean): number {
    let good = Math.min(a + 1, last);
    for (let step = 1; good < last && step > 0; ) {
        const next = Math.min(last, good + step);
        if (fits(next)) {
            good = next;
            step *= 2;
        } else {
            step = next - good <= 1 ? 0 : Math.min(step, next - good) >> 1;
        }
    }
    return good;
}

/** The target's values at the keys. */
export function targetsAt({ width, target }: Track, knots: readonly number[]): Float64Array {
    const values = new Float64Array(knots.length * width);
    for (let k = 0; k < knots.length; k++)
        for (let c = 0; c < width; c++) values[k * width + c] = target[knots[k]! * width + c]!;
    return values;
}

/** Rounds values to multiples of the track's step, or to float32 if it is 0. Changes the first `length` numbers. */
export function rounded(
    { step, width, exact }: Pick<Track, 'step' | 'width' | 'exact'>,
    values: Float64Array,
    length = values.length,
): Float64Array {
    if (width === 4 && exact && step !== BYTE_STEP) {
        roundToUnitLength(values, length, step);
    } else if (width === 4 && step >= COARSE) for (let q = 0; q < length; q += 4) roundRotation(values, q, step);
    else roundAll(values, length, step, width === 4 && step > 0 ? 1 : Infinity);
    return values;
}

/**
 * Maximum step of the largest component, as a multiple of the length's tolerance. Each of eight roundings then reaches
 * unit length in one case of three.
 */
const LARGEST = 6;

/**
 * Rounds rotations so that their length is 1 within the tolerance of its type. Three components are rounded up or down.
 * The largest one, on a finer step, then makes the length 1. The rounding with the best direction within the tolerance
 * is used.
 */
function roundToUnitLength(values: Float64Array, length: number, step: number): void {
    const finest = isInteger(step) ? SHORT_STEP : FINEST;
    const tolerance = lengthTolerance(step);
    let coarse = finest;
    while (coarse * 2 <= step && coarse * 2 <= LARGEST * tolerance) coarse *= 2;
    for (let o = 0; o < length; o += 4) {
        if (step > 0) roundRotationToUnitLength(values, o, step, tolerance, coarse, finest);
        else {
            const unit = lengthOf(values, o);
            // Keys of the source stay unchanged.
            const by = Math.abs(unit - 1) <= tolerance ? 1 : unit;
            for (let c = o; c < o + 4; c++) values[c] = Math.fround(values[c]! / by);
        }
    }
}

/** 1 for a rotation of zeros. */
function lengthOf(q: Float64Array, o: number): number {
    return Math.sqrt(q[o]! * q[o]! + q[o + 1]! * q[o + 1]! + q[o + 2]! * q[o + 2]! + q[o + 3]! * q[o + 3]!) || 1;
}

function roundRotationToUnitLength(
    values: Float64Array,
    o: number,
    step: number,
    tolerance: number,
    coarse: number,
    finest: number,
): void {
    const unit = lengthOf(values, o);
    let largest = 0;
    for (let c = 0; c < 4; c++) {
        if (Math.abs(values[o + c]!) > Math.abs(values[o + largest]!)) largest = c;
        sizes[c] = Math.abs(values[o + c]!) / unit;
    }
    let others = 0;
    for (let c = 0; c < 4; c++) {
        if (c === largest) continue;
        const low = Math.floor(sizes[c]! / step);
        for (let up = 0; up < 2; up++, others++) {
            roundings[others] = (low + up) * step;
            squares[others] = roundings[others]! * roundings[others]!;
            products[others] = roundings[others]! * sizes[c]!;
        }
    }
    let best = -Infinity;
    let choice = 0;
    let large = 0;
    for (let own = coarse; ; own = finest) {
        const most = Math.floor(1 / own);
        for (let way = 0; way < 8; way++) {
            const a = way & 1;
            const b = 2 + ((way >> 1) & 1);
            const c = 4 + (way >> 2);
            const squared = squares[a]! + squares[b]! + squares[c]!;
            const rest = Math.sqrt(Math.max(0, 1 - squared));
            const one = Math.min(Math.round(rest / own), most) * own;
            const length = Math.sqrt(squared + one * one);
            if (!(Math.abs(length - 1) <= tolerance)) continue;
            const direction = (products[a]! + products[b]! + products[c]! + one * sizes[largest]!) / length;
            if (!(direction > best)) continue;
            best = direction;
            choice = way;
            large = one;
        }
        if (best > -Infinity || own === finest) break;
    }
    for (let c = 0, other = 0; c < 4; c++) {
        const size = c === largest ? large : roundings[2 * other + ((choice >> other++) & 1)]!;
        values[o + c] = values[o + c]! < 0 ? -size : size;
    }
}

/** Sizes of a rotation's components, and both roundings of the three smallest. */
const [sizes, roundings] = [new Float64Array(4), new Float64Array(6)];

/** Finest step of floats whose rounding keeps a rotation's length within the tolerance. */
const FINEST = 2 ** -18;

/** At least the change of a length by rounding to float32. */
const FLOAT32_LENGTH = 1e-6;

const [OFF_FLOAT, OFF_SHORT] = [unitTolerance(FLOAT) - FLOAT32_LENGTH, unitTolerance(SHORT) - FLOAT32_LENGTH];

/** Maximum deviation from 1 that readers allow for the length of a rotation stored at this step. */
function lengthTolerance(step: number): number {
    if (step === BYTE_STEP) return OFF_UNIT;
    return isInteger(step) ? OFF_SHORT : OFF_FLOAT;
}

/** Whether a track may have these values. Reads the first `length` numbers. */
export function mayHave(
    { unit, exact, step }: Pick<Track, 'unit' | 'exact' | 'step'>,
    values: ArrayLike<number>,
    length = values.length,
): boolean {
    return !unit || areUnit(values, exact ? lengthTolerance(step) : OFF_UNIT, length);
}

function roundAll(values: Float64Array, length: number, step: number, one: number): void {
    const max = one === 1 ? Math.floor(1 / step) * step : Infinity;
    for (let i = 0; i < length; i++) {
        const value = step === 0 ? Math.fround(values[i]!) : Math.round(values[i]! / step) * step;
        values[i] = value > max ? max : Math.max(value, -max);
    }
}

/** From this step on, the direction of rounding matters, because not all players normalize rotations. */
const COARSE = 4 * SHORT_STEP;

/** Weight of an error in length relative to one in direction. */
const LENGTH = 32;

/** Rounds each component up or down: the best of the sixteen combinations for direction and length. */
function roundRotation(values: Float64Array, o: number, step: number): void {
    const max = Math.floor(1 / step);
    const length = lengthOf(values, o);
    for (let c = 0; c < 4; c++) {
        const one = values[o + c]! / length;
        const low = Math.max(-max, Math.min(max - 1, Math.floor(one / step))) * step;
        lows[c] = low;
        for (let up = 0; up < 2; up++) {
            const value = low + up * step;
            squares[c * 2 + up] = value * value;
            products[c * 2 + up] = value * one;
        }
    }
    let best = Infinity;
    let choice = 0;
    for (let way = 0; way < 16; way++) {
        let norm = 0;
        let dot = 0;
        for (let c = 0; c < 4; c++) {
            const up = (way >> (3 - c)) & 1;
            norm += squares[c * 2 + up]!;
            dot += products[c * 2 + up]!;
        }
        if (!(dot > 0)) continue;
        const cost = LENGTH * (norm - 1) * (norm - 1) - (4 * dot * dot) / norm;
        if (cost >= best) continue;
        best = cost;
        choice = way;
    }
    for (let c = 0; c < 4; c++) values[o + c] = lows[c]! + ((choice >> (3 - c)) & 1) * step;
}

const lows = new Float64Array(4);
/** For both roundings of each component: the square, and the product with the exact value. */
const [squares, products] = [new Float64Array(8), new Float64Array(8)];

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

/**
 * Multiples of the tolerance for choosing keys, tried in this order. Fitted values need fewer keys than the target's
 * own.
 */
const FACTORS = [2, 1.7, 1.45, 1.2, 1];

const ROUNDS = 2;

/** Kept between calls. */
let wide = none();

/** Sets a track's keys so that they keep the tolerance: one key if that is enough. */
export function fitTrack(goal: Goal): void {
    const { track, lever, tolerance } = goal;
    const n = tolerance.length;
    const single = rounded(track, middleOf(track));
    let holds = true;
    for (let i = 0; holds && i < n; i++) holds = deviation(track, lever, i, single, 0) <= tolerance[i]!;
    if ((holds && !track.joined) || n === 1) {
        setKeys(track, [0], single);
        return;
    }
    if (wide.length < n) wide = new Float64Array(n);
    // A factor that was too large the last time will mostly be too large again.
    for (let f = Math.max(0, track.factor - 1); f < FACTORS.length; f++) {
        const factor = FACTORS[f]!;
        track.factor = f;
        for (let i = 0; i < n; i++) wide[i] = tolerance[i]! * factor;
        const knots = greedyKnots({ ...goal, tolerance: wide });
        const exact = track.own !== null && track.own.length <= knots.length ? track.own.slice() : knots;
        const targets = targetsAt(track, exact);
        if (exact !== knots || knots.length === n) {
            setKeys(track, exact, rounded(track, targets));
            return;
        }
        const values = new Float64Array(targets.length);
        const share = fittedValues(goal, knots, targets, ROUNDS, values);
        setKeys(track, knots, values);
        if (share <= 1) return;
    }
}

export function setKeys(track: Track, knots: number[], values: Float64Array): void {
    track.knots = knots;
    track.values = values;
}

/** The center of the box of all targets, normalized for rotations. */
function middleOf({ target, width }: Track): Float64Array {
    const value = new Float64Array(width);
    for (let c = 0; c < width; c++) {
        let min = Infinity;
        let max = -Infinity;
        for (let i = c; i < target.length; i += width) {
            if (target[i]! < min) min = target[i]!;
            if (target[i]! > max) max = target[i]!;
        }
        value[c] = (min + max) / 2;
    }
    return width === 4 ? normalise(value) : value;
}

/** Whether values at this step are stored as normalized integers of 16 or 8 bits. Only rotations can be. */
export function isInteger(step: number): boolean {
    return step === BYTE_STEP || (step > 0 && step < 1 && Number.isInteger(step / SHORT_STEP));
}

/** The next coarser step. */
export function nextStep({ width, step }: Track, quantize: boolean): number {
    const next = step * 2;
    return width === 4 && quantize && step < SHORT_STEP && next > SHORT_STEP / 2 ? SHORT_STEP : next;
}

/** The largest step whose rounding keeps within a displacement. */
export function stepFor({ width, place }: Track, lever: Lever, displacement: number, quantize: boolean): number {
    const arm = lever.scale * (width === 4 ? 2 * lever.radius : place === 7 ? lever.radius : 1);
    // The error of one component is at most half a step, that of several about 0.6 steps.
    const step = displacement / (0.6 * (arm || 1e-9));
    // For rotations at most 1 / 256, or the largest component could not come close to 1.
    if (width === 4 && quantize && step >= SHORT_STEP) return SHORT_STEP * powerOfTwo(step / SHORT_STEP, 0, 7);
    return powerOfTwo(step, -24, width === 4 ? -8 : 24);
}

/**
 * The largest power of two up to x, from 2^min to 2^max. Without a logarithm, whose last bits differ between machines.
 */
function powerOfTwo(x: number, min: number, max: number): number {
    let power = 1;
    for (let e = 0; e > min; e--) power /= 2;
    for (let e = min; e < max && power * 2 <= x; e++) power *= 2;
    return power;
}
