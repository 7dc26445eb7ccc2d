// SPDX-License-Identifier: MIT

/** Animation samplers in double precision (glTF 2.0, section 3.11 and Appendix C). */

export interface Sampler {
    readonly times: Float64Array;
    /** `width` numbers for each key. CUBICSPLINE has three such parts: in-tangent, value, out-tangent. */
    readonly values: Float64Array;
    readonly interpolation: string;
    readonly width: number;
    readonly rotation: boolean;
}

// Local names, because jest's sandbox makes globals slow.
const { abs, acos, hypot, max, sin } = Math;

/** Two keys, with the tangents of a spline, and a time between them. */
interface Interval {
    readonly from: readonly number[];
    readonly to: readonly number[];
    /** Tangents. Empty unless it is a spline. */
    readonly leaving: readonly number[];
    readonly arriving: readonly number[];
    /** Seconds. */
    readonly length: number;
    /** The time as a share of the interval. */
    readonly t: number;
}

/** The interval that a value is interpolated in, after key `key`; null at a key, outside the keys, and for STEP. */
function intervalAt(sampler: Sampler, key: number, time: number): Interval | null {
    const { times, interpolation } = sampler;
    if (key < 0 || key === times.length - 1 || times[key] === time || interpolation === 'STEP') return null;
    const cubic = interpolation === 'CUBICSPLINE';
    const length = times[key + 1]! - times[key]!;
    return {
        from: partOf(sampler, key, cubic ? 1 : 0),
        to: partOf(sampler, key + 1, cubic ? 1 : 0),
        leaving: cubic ? partOf(sampler, key, 2) : [],
        arriving: cubic ? partOf(sampler, key + 1, 0) : [],
        length,
        t: (time - times[key]!) / length,
    };
}

/** The value at `time`, clamped outside the keys. If several keys have one time, the last one wins. */
export function sampleAt(sampler: Sampler, time: number): number[] {
    const { times, interpolation, rotation } = sampler;
    const cubic = interpolation === 'CUBICSPLINE';
    const key = lastKeyUpTo(times, time);
    const interval = intervalAt(sampler, key, time);
    if (!cubic && interval !== null) return (rotation ? slerp : lerp)(interval.from, interval.to, interval.t);
    const result = interval === null ? partOf(sampler, max(key, 0), cubic ? 1 : 0) : hermite(interval);
    // "The resulting quaternion MUST be normalized": for a spline, also at its keys.
    return cubic && rotation ? normalised(result) : result;
}

/**
 * For each component, the maximum absolute value of the terms that the value at `time` is interpolated from: keys, and
 * tangents times the interval. Empty at a key.
 */
export function termsAt(sampler: Sampler, time: number): number[] {
    const interval = intervalAt(sampler, lastKeyUpTo(sampler.times, time), time);
    return interval === null ? [] : termsOf(interval);
}

function termsOf({ from, to, leaving, arriving, length }: Interval): number[] {
    return from.map((x, c) => {
        const tangent = max(abs(leaving[c] ?? 0), abs(arriving[c] ?? 0));
        return max(abs(x), abs(to[c]!), length * tangent);
    });
}

/**
 * How much further rounding turns the rotation at `time` than one interpolated between unit quaternions: 1 for no
 * further. Normalizing a spline divides its error by its length. The matrix of a quaternion that is not of unit length
 * also has a larger error. Between quaternions that are 180 degrees apart, rounding decides the direction: infinite.
 */
export function unsureAt(sampler: Sampler, time: number): number {
    const interval = intervalAt(sampler, lastKeyUpTo(sampler.times, time), time);
    if (interval === null) return 1;
    if (sampler.interpolation === 'CUBICSPLINE') return hypot(...termsOf(interval)) / hypot(...hermite(interval));
    const { from, to, t } = interval;
    const longest = max(hypot(...from), hypot(...to));
    const dot = from.reduce((sum, x, c) => sum + x * to[c]!, 0);
    if (abs(dot) <= DOT * 2 ** -24 * hypot(...from) * hypot(...to)) return Infinity;
    const length = hypot(...slerp(from, to, t));
    return (longest * length) / matrixSize(length);
}

/** Maximum factor by which the matrix of a quaternion of some length lengthens a vector. */
export function matrixSize(length: number): number {
    return max(1, 2 * length * length - 1);
}

/**
 * Roundings of a dot product of four terms: a product and two sums. Each is relative to at most the product of the
 * lengths.
 */
const DOT = 4;

function partOf({ values, width, interpolation }: Sampler, key: number, part: number): number[] {
    const start = (interpolation === 'CUBICSPLINE' ? key * 3 + part : key) * width;
    const result: number[] = [];
    for (let c = 0; c < width; c++) result.push(values[start + c]!);
    return result;
}

/** -1 if all keys are later. */
function lastKeyUpTo(times: Float64Array, time: number): number {
    let low = 0;
    let high = times.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (times[middle]! <= time) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}

function lerp(a: readonly number[], b: readonly number[], t: number): number[] {
    return a.map((_, c) => (1 - t) * a[c]! + t * b[c]!);
}

/** Appendix C.4: the shorter way, by the absolute dot product and its sign. Keys are not normalized. */
function slerp(a: readonly number[], b: readonly number[], t: number): number[] {
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += a[c]! * b[c]!;
    const sign = dot < 0 ? -1 : 1;
    const near = b.map((x) => sign * x);
    if (abs(dot) >= 1) return lerp(a, near, t);
    const angle = acos(abs(dot));
    const u = sin(angle * (1 - t)) / sin(angle);
    const v = sin(angle * t) / sin(angle);
    return a.map((_, c) => u * a[c]! + v * near[c]!);
}

/** Appendix C.5: both tangents are multiplied by the key interval. */
function hermite({ from, leaving, to, arriving, length, t }: Interval): number[] {
    const t2 = t * t;
    const t3 = t2 * t;
    return from.map(
        (_, c) =>
            (2 * t3 - 3 * t2 + 1) * from[c]! +
            length * (t3 - 2 * t2 + t) * leaving[c]! +
            (-2 * t3 + 3 * t2) * to[c]! +
            length * (t3 - t2) * arriving[c]!,
    );
}

/** A quaternion of zeros has no direction and stays. */
export function normalised(q: readonly number[]): number[] {
    const length = hypot(...q);
    return length === 0 ? [...q] : q.map((x) => x / length);
}
