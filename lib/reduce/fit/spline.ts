// SPDX-License-Identifier: MIT

/** One track at a time: few keys of a CUBICSPLINE (glTF 2.0, appendix C), whose curve stays within a tolerance of the target. */

import { sampleChannel, sampleFrom } from '../model/sampler';
import { alignSigns, type Clip, curveOf, mayHave, type Track } from './clip';
import { farthest, ROUNDS, rounded, setKeys, stepFor } from './fit';
import { displacement, type Lever } from './levers';

/** What splines are fitted to: they bend between the times of the grid, so that its samples count, too. */
export interface Samples {
    /** Seconds, ascending; those of the grid are the even ones. */
    readonly at: Float64Array;
    /** The source's values, rotations each on the side of the one before. */
    readonly values: Float64Array;
    /** By how much the track alone may displace. */
    readonly tolerance: Float64Array;
}

/** Hermite's basis: of the first key's value and out-tangent, the second one's in-tangent and value. */
const basis = new Float64Array(4);

function setBasis(t: number, span: number): void {
    const t2 = t * t;
    const t3 = t2 * t;
    basis[0] = 2 * t3 - 3 * t2 + 1;
    basis[1] = span * (t3 - 2 * t2 + t);
    basis[2] = span * (t3 - t2);
    basis[3] = 3 * t2 - 2 * t3;
}

/** One interval's keys: in-tangent, value, out-tangent of both. */
const piece = { times: new Float64Array(2), values: new Float64Array(24), interpolation: 'CUBICSPLINE' as const };
const point = new Float64Array(4);

/** Whether a curve through the samples at two times of the grid, with tangents by least squares, keeps to `factor` times the tolerance. */
function curveFits(track: Track, lever: Lever, samples: Samples, factor: number, a: number, b: number): boolean {
    const { width } = track;
    const { at, values, tolerance } = samples;
    const [start, end] = [2 * a, 2 * b];
    const span = at[end]! - at[start]!;
    let [oo, oi, ii] = [0, 0, 0];
    const k = piece.values.fill(0);
    for (let c = 0; c < width; c++) {
        k[width + c] = values[start * width + c]!;
        k[4 * width + c] = values[end * width + c]!;
    }
    for (let s = start + 1; s < end; s++) {
        setBasis((at[s]! - at[start]!) / span, span);
        const weight = 1 / (tolerance[s]! * tolerance[s]!);
        const [o, i] = [basis[1]!, basis[2]!];
        oo += weight * o * o;
        oi += weight * o * i;
        ii += weight * i * i;
        for (let c = 0; c < width; c++) {
            const left = values[s * width + c]! - basis[0]! * k[width + c]! - basis[3]! * k[4 * width + c]!;
            k[2 * width + c] = k[2 * width + c]! + weight * o * left;
            k[3 * width + c] = k[3 * width + c]! + weight * i * left;
        }
    }
    const det = oo * ii - oi * oi;
    for (let c = 0; c < width; c++) {
        const [o, i] = [k[2 * width + c]!, k[3 * width + c]!];
        k[2 * width + c] = (ii * o - oi * i) / det;
        k[3 * width + c] = (oo * i - oi * o) / det;
    }
    piece.times[0] = at[start]!;
    piece.times[1] = at[end]!;
    const middle = (start + end) >> 1;
    for (let n = 0; n < end - start; n++) {
        const s = middle + (n % 2 === 0 ? n >> 1 : -((n + 1) >> 1));
        if (s <= start || s >= end) continue;
        sampleFrom(piece, width, 0, at[s]!, point, 0);
        if (!(displacement(track, lever, values, s * width, point, 0) <= factor * tolerance[s]!)) return false;
    }
    return true;
}

/**
 * From each key on the longest interval that fits; of a spline it ends at one of its own keys, where there is one.
 *
 * @returns Null where an interval has no time of the grid inside: at the sample between its ends alone tangents cancel out.
 */
function greedyKnots(
    track: Track,
    lever: Lever,
    samples: Samples,
    factor: number,
    own: readonly number[],
): number[] | null {
    const last = (samples.tolerance.length - 1) >> 1;
    const knots = [0];
    for (let a = 0; a < last; ) {
        const good = farthest(a, last, (next) => curveFits(track, lever, samples, factor, a, next));
        const key = own.findLast((knot) => knot <= good) ?? a;
        const end = key > a ? key : good === last - 1 ? good - 1 : good;
        if (end - a < 2) return null;
        a = end;
        knots.push(a);
    }
    return knots;
}

/** The upper band of the matrix, four numbers for each unknown; and the right sides. */
let [band, right, weight, shares] = [
    new Float64Array(0),
    new Float64Array(0),
    new Float64Array(0),
    new Float64Array(0),
];

/** Where the unknowns of an interval are: of the first key's value and out-tangent, the second one's in-tangent and value. */
const [SMOOTH, KINKED] = [
    [0, 1, 3, 2],
    [1, 2, 3, 4],
] as const;

/**
 * Values and tangents of keys by weighted least squares, as `fittedValues` those of straight keys.
 *
 * @param track Written: the keys, rounded.
 * @param smooth Whether each key has one tangent, which takes fewer bytes.
 * @param ends In-tangent, value and out-tangent of the first and the last key, which stay; by default their values are the samples'.
 * @returns The maximum share of the tolerance that they use; Infinity where the track may not have them.
 */
export function fitKeys(
    clip: Clip,
    track: Track,
    lever: Lever,
    samples: Samples,
    knots: number[],
    smooth: boolean,
    ends?: readonly [Float64Array, Float64Array],
): number {
    const { width } = track;
    const { at, values, tolerance } = samples;
    const m = knots.length;
    const each = smooth ? 2 : 3;
    const places = smooth ? SMOOTH : KINKED;
    const size = each * m;
    if (right.length < size * 4) [band, right] = [new Float64Array(size * 8), new Float64Array(size * 8)];
    if (weight.length < at.length) [weight, shares] = [new Float64Array(at.length), new Float64Array(at.length)];
    const end = at.length - 1;
    for (let s = 0; s <= end; s++) weight[s] = 1 / (tolerance[s]! * tolerance[s]!);
    let best: Float64Array | null = null;
    let least = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
        band.fill(0, 0, size * 4);
        right.fill(0, 0, size * width);
        for (let k = 0; k + 1 < m; k++) {
            const [a, b] = [2 * knots[k]!, 2 * knots[k + 1]!];
            const span = at[b]! - at[a]!;
            for (let s = a; s < b || (k === m - 2 && s === b); s++) {
                setBasis((at[s]! - at[a]!) / span, span);
                for (let i = 0; i < 4; i++) {
                    const row = k * each + places[i]!;
                    const g = weight[s]! * basis[i]!;
                    for (let j = 0; j < 4; j++) {
                        const column = k * each + places[j]!;
                        if (column >= row) band[row * 4 + column - row] = band[row * 4 + column - row]! + g * basis[j]!;
                    }
                    for (let c = 0; c < width; c++)
                        right[row * width + c] = right[row * width + c]! + g * values[s * width + c]!;
                }
            }
        }
        // Where samples are few, tangents are those of the samples beside the key.
        for (let k = 0; k < m; k++) {
            const s = 2 * knots[k]!;
            const [before, after] = [Math.max(0, s - 1), Math.min(end, s + 1)];
            for (let row = k * each; row < (k + 1) * each; row++) {
                if (row === k * each + places[0]) continue;
                const little = LITTLE * (band[row * 4]! || 1);
                band[row * 4] = band[row * 4]! + little;
                for (let c = 0; c < width; c++) {
                    const change = values[after * width + c]! - values[before * width + c]!;
                    right[row * width + c] = right[row * width + c]! + (little * change) / (at[after]! - at[before]!);
                }
            }
        }
        if (ends === undefined) {
            fix(places[0], width, values, 0, size);
            fix((m - 1) * each + places[0], width, values, end * width, size);
        } else {
            for (const [k, key] of [
                [0, ends[0]],
                [m - 1, ends[1]],
            ] as const) {
                for (let u = 0; u < each; u++) fix(k * each + u, width, key, (smooth ? u + 1 : u) * width, size);
            }
        }
        solve(size, width);
        const tried = new Float64Array(m * 3 * width);
        for (let k = 0; k < m; k++) {
            for (let c = 0; c < width; c++) {
                const o = k * 3 * width + c;
                tried[o] = right[(smooth ? 2 * k + 1 : 3 * k) * width + c]!;
                tried[o + width] = right[(k * each + places[0]) * width + c]!;
                tried[o + 2 * width] = right[(k * each + places[1]) * width + c]!;
            }
        }
        if (width === 4) for (let o = 0; o < tried.length; o += 12) toUnitLength(tried, o);
        setKeys(track, knots, tried, track.tangents);
        rounded(track, tried);
        if (ends !== undefined) {
            tried.set(ends[0]);
            tried.set(ends[1], (m - 1) * 3 * width);
        }
        const share = sharesOf(clip, track, lever, samples);
        if (share < least && mayHave(track, tried)) [best, least] = [tried, share];
        if (share > 0) for (let s = 0; s <= end; s++) weight[s] = weight[s]! * (0.3 + shares[s]! / share);
    }
    if (best !== null) track.values = best;
    return least;
}

/** Scales a rotation's key: not every player brings splines to unit length at their keys. */
function toUnitLength(keys: Float64Array, o: number): void {
    let squared = 0;
    for (let c = o + 4; c < o + 8; c++) squared += keys[c]! * keys[c]!;
    const length = Math.sqrt(squared);
    if (length > 0) for (let c = o; c < o + 12; c++) keys[c] = keys[c]! / length;
}

/** The share of what tangents beside samples count of what the fit counts. */
const LITTLE = 1e-6;

/** Gives an unknown its value. */
function fix(i: number, width: number, values: Float64Array, from: number, size: number): void {
    for (let d = 1; d < 4; d++) {
        if (i + d < size) {
            for (let c = 0; c < width; c++) {
                const e = (i + d) * width + c;
                right[e] = right[e]! - band[i * 4 + d]! * values[from + c]!;
            }
            band[i * 4 + d] = 0;
        }
        if (i - d >= 0) {
            for (let c = 0; c < width; c++) {
                const e = (i - d) * width + c;
                right[e] = right[e]! - band[(i - d) * 4 + d]! * values[from + c]!;
            }
            band[(i - d) * 4 + d] = 0;
        }
    }
    band[i * 4] = 1;
    for (let c = 0; c < width; c++) right[i * width + c] = values[from + c]!;
}

/** Solves the symmetric system above; the right sides become the unknowns. */
function solve(size: number, width: number): void {
    for (let i = 0; i < size; i++) {
        for (let d = 1; d < 4 && i + d < size; d++) {
            const f = band[i * 4 + d]! / band[i * 4]!;
            for (let e = d; e < 4; e++) {
                const j = (i + d) * 4 + e - d;
                band[j] = band[j]! - f * band[i * 4 + e]!;
            }
            for (let c = 0; c < width; c++) {
                const j = (i + d) * width + c;
                right[j] = right[j]! - f * right[i * width + c]!;
            }
        }
    }
    for (let i = size - 1; i >= 0; i--) {
        for (let c = 0; c < width; c++) {
            let x = right[i * width + c]!;
            for (let d = 1; d < 4 && i + d < size; d++) x -= band[i * 4 + d]! * right[(i + d) * width + c]!;
            right[i * width + c] = x / band[i * 4]!;
        }
    }
}

let played = new Float64Array(0);

/** Writes the shares of the tolerance that a track's keys use at each sample; the maximum. */
function sharesOf(clip: Clip, track: Track, lever: Lever, { at, values, tolerance }: Samples): number {
    const { width } = track;
    if (played.length < at.length * width) played = new Float64Array(at.length * 4);
    sampleChannel(curveOf(clip, track), width, at, played, 0, width);
    let worst = 0;
    for (let s = 0; s < at.length; s++) {
        const share = displacement(track, lever, values, s * width, played, s * width) / tolerance[s]!;
        shares[s] = share;
        if (!(share <= worst)) worst = share;
    }
    return worst;
}

/**
 * Gives a track the keys of a spline that keeps to the tolerance, if that takes few bytes.
 *
 * @param noise The displacement by rounding values.
 * @param most What is too much, as `costOf`.
 * @returns Whether it has them.
 */
export function fitSpline(
    clip: Clip,
    track: Track,
    lever: Lever,
    tolerance: Float64Array,
    noise: number,
    quantize: boolean,
    most: number,
): boolean {
    if (clip.times.length < 3) return false;
    const { channel, width } = track;
    const samples = samplesOf(clip, track, tolerance);
    const keys = new Set(channel.interpolation === 'CUBICSPLINE' ? channel.times : []);
    const own = Array.from(clip.times.keys()).filter((i) => keys.has(clip.times[i]!));
    track.step = stepFor(track, lever, NOISE * noise, quantize && isSlow(samples));
    track.tangents = TANGENTS;
    const least = TIME + bitsOf(samples.values, width, width, 0, track.step) + NUMBER * width;
    const kinds = own.length > 0 && !isSmooth(channel, width) ? [true, false] : [true];
    // What was too much the last time is hardly enough now.
    for (let f = Math.max(0, track.factor - 1); f < FACTORS.length; f++) {
        track.factor = f;
        const knots = greedyKnots(track, lever, samples, FACTORS[f]!, own);
        if (knots === null || knots.length * least >= most) break;
        for (const smooth of kinds) {
            if (fitKeys(clip, track, lever, samples, knots, smooth) <= 1 && costOf(track) < most) return true;
        }
    }
    track.tangents = 0;
    track.factor = 0;
    return false;
}

/** Whether a rotation's tangents can be normalised integers, which end at 1. */
function isSlow({ at, values }: Samples): boolean {
    for (let i = 4; i < values.length; i++) {
        const s = i >> 2;
        if (!(Math.abs(values[i]! - values[i - 4]!) < at[s]! - at[s - 1]!)) return false;
    }
    return true;
}

/** As those of straight keys, and some below 1: values and tangents are rounded. */
const FACTORS = [2, 1.45, 1, 0.7, 0.5, 0.35];

/** The share of what straight values may be rounded by: tangents are rounded, too. */
const NOISE = 0.35;

/** How much coarser tangents are than values at first: these act by a seventh of the interval. */
const TANGENTS = 16;

/** @param tolerance By time of the grid. */
export function samplesOf(clip: Clip, track: Track, tolerance: Float64Array): Samples {
    const at = clip.at.subarray(0, 2 * clip.times.length - 1);
    const values = new Float64Array(at.length * track.width);
    sampleChannel(track.channel, track.width, at, values, 0, track.width);
    if (track.width === 4) alignSigns(values);
    const by = Float64Array.from(at, (_, s) => Math.min(tolerance[s >> 1]!, tolerance[(s + 1) >> 1]!));
    return { at, values, tolerance: by };
}

/** Those from one time of the grid to another. */
export function partOf({ at, values, tolerance }: Samples, from: number, to: number): Samples {
    const width = values.length / at.length;
    const [start, end] = [2 * from, 2 * to + 1];
    return {
        at: at.subarray(start, end),
        values: values.subarray(start * width, end * width),
        tolerance: tolerance.subarray(start, end),
    };
}

/** Whether each key of a spline has one tangent. */
export function isSmooth({ values }: { readonly values: ArrayLike<number> }, width: number): boolean {
    for (let i = 0; i < values.length; i++)
        if (Math.floor(i / width) % 3 === 0 && values[i] !== values[i + 2 * width]) return false;
    return true;
}

/** About how many bits the time of a key takes, and a tangent's number at least. */
const [TIME, NUMBER] = [12, 4];

/** About how many bits a track's keys take, compressed. */
export function costOf(track: Track): number {
    const { knots, values, width, step, tangents } = track;
    let bits = TIME;
    if (tangents === 0) bits += bitsOf(values, width, width, 0, step);
    else {
        bits += bitsOf(values, width, 3 * width, width, step);
        bits += bitsOf(values, width, 3 * width, 2 * width, step * tangents);
        if (!isSmooth(track, width)) bits += bitsOf(values, width, 3 * width, 0, step * tangents);
    }
    return bits * knots.length;
}

/** Of `width` numbers from `first` on in each row of values at multiples of a step. */
function bitsOf(values: Float64Array, width: number, row: number, first: number, step: number): number {
    let bits = 0;
    for (let c = first; c < first + width; c++) {
        let [low, high] = [Infinity, -Infinity];
        for (let i = c; i < values.length; i += row) {
            low = Math.min(low, values[i]!);
            high = Math.max(high, values[i]!);
        }
        if (high > low) bits += 3;
        for (let range = (high - low) / (step || FINEST); range >= 1; range /= 2) bits++;
    }
    return bits;
}

/** About the step of float32. */
const FINEST = 2 ** -24;
