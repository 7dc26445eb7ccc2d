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

/** The value at `time`, clamped outside the keys. If several keys have one time, the last one wins. */
export function sampleAt(sampler: Sampler, time: number): number[] {
    const { times, interpolation, rotation } = sampler;
    const cubic = interpolation === 'CUBICSPLINE';
    // "The resulting quaternion MUST be normalized": for a spline, also at its keys.
    const finished = (result: number[]): number[] => (cubic && rotation ? normalised(result) : result);
    const value = (key: number): number[] => partOf(sampler, key, cubic ? 1 : 0);

    const key = lastKeyUpTo(times, time);
    if (key < 0) return finished(value(0));
    if (key === times.length - 1 || times[key] === time || interpolation === 'STEP') return finished(value(key));

    const interval = times[key + 1]! - times[key]!;
    const t = (time - times[key]!) / interval;
    if (cubic) {
        const [leaving, arriving] = [partOf(sampler, key, 2), partOf(sampler, key + 1, 0)];
        return finished(hermite(value(key), leaving, value(key + 1), arriving, interval, t));
    }
    return (rotation ? slerp : lerp)(value(key), value(key + 1), t);
}

/**
 * For each component, the maximum absolute value of the terms that the value at `time` is interpolated from: keys, and
 * tangents times the interval. Empty at a key.
 */
export function termsAt(sampler: Sampler, time: number): number[] {
    const { times, interpolation } = sampler;
    const key = lastKeyUpTo(times, time);
    if (key < 0 || key === times.length - 1 || times[key] === time || interpolation === 'STEP') return [];
    const cubic = interpolation === 'CUBICSPLINE';
    const interval = times[key + 1]! - times[key]!;
    const [from, to] = [partOf(sampler, key, cubic ? 1 : 0), partOf(sampler, key + 1, cubic ? 1 : 0)];
    const [leaving, arriving] = cubic ? [partOf(sampler, key, 2), partOf(sampler, key + 1, 0)] : [[], []];
    return from.map((x, c) => {
        const tangent = max(abs(leaving[c] ?? 0), abs(arriving[c] ?? 0));
        return max(abs(x), abs(to[c]!), interval * tangent);
    });
}

/**
 * How much further rounding turns the rotation at `time` than one interpolated between unit quaternions: 1 for no
 * further. Normalizing a spline divides its error by its length. The matrix of a quaternion that is not of unit length
 * also has a larger error. Between quaternions that are 180 degrees apart, rounding decides the direction: infinite.
 */
export function unsureAt(sampler: Sampler, time: number): number {
    const terms = termsAt(sampler, time);
    if (terms.length === 0) return 1;
    const { times, interpolation } = sampler;
    const key = lastKeyUpTo(times, time);
    const t = (time - times[key]!) / (times[key + 1]! - times[key]!);
    const cubic = interpolation === 'CUBICSPLINE';
    const [from, to] = [partOf(sampler, key, cubic ? 1 : 0), partOf(sampler, key + 1, cubic ? 1 : 0)];
    if (cubic) {
        const [leaving, arriving] = [partOf(sampler, key, 2), partOf(sampler, key + 1, 0)];
        return hypot(...terms) / hypot(...hermite(from, leaving, to, arriving, times[key + 1]! - times[key]!, t));
    }
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
function hermite(
    v0: readonly number[],
    out0: readonly number[],
    v1: readonly number[],
    in1: readonly number[],
    interval: number,
    t: number,
): number[] {
    const t2 = t * t;
    const t3 = t2 * t;
    return v0.map(
        (_, c) =>
            (2 * t3 - 3 * t2 + 1) * v0[c]! +
            interval * (t3 - 2 * t2 + t) * out0[c]! +
            (-2 * t3 + 3 * t2) * v1[c]! +
            interval * (t3 - t2) * in1[c]!,
    );
}

/** A quaternion of zeros has no direction and stays. */
export function normalised(q: readonly number[]): number[] {
    const length = hypot(...q);
    return length === 0 ? [...q] : q.map((x) => x / length);
}
