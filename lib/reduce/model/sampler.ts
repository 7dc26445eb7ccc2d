// SPDX-License-Identifier: MIT

/**
 * Samples channels between keys in double precision (glTF 2.0, 3.11, appendix C).
 */

import type { SceneChannel } from '../../gltf/scene';
import { between, prepareBetween } from '../../strict/between';

/** A channel as it is sampled. */
export interface SampledChannel extends Pick<SceneChannel, 'interpolation'> {
    readonly times: ArrayLike<number>;
    readonly values: ArrayLike<number>;
}

/** The last key at or before a time; -1 if there is none. Keys up to `k` are known to be. */
export function keyUpTo(times: ArrayLike<number>, time: number, k: number): number {
    while (k + 1 < times.length && times[k + 1]! <= time) k++;
    return k;
}

/**
 * Writes a channel's value at a time from key k on. Outside the keys it is clamped.
 *
 * @param k Result of `keyUpTo`. At the time of key k + 1, key k gives the value just before it.
 */
export function sampleFrom(
    { times: keys, values, interpolation }: SampledChannel,
    width: number,
    k: number,
    time: number,
    result: Float64Array,
    o: number,
): void {
    const cubic = interpolation === 'CUBICSPLINE';
    const part = cubic ? 3 * width : width;
    if (k < 0 || k === keys.length - 1 || keys[k] === time || interpolation === 'STEP') {
        const from = Math.max(k, 0) * part + (cubic ? width : 0);
        for (let c = 0; c < width; c++) result[o + c] = values[from + c]!;
    } else {
        const span = keys[k + 1]! - keys[k]!;
        const t = (time - keys[k]!) / span;
        if (cubic) hermite(result, o, width, values, k * part, span, t);
        else {
            prepareBetween(width, values, k * part, k * part + part);
            between(result, o, t);
        }
    }
    if (cubic && width === 4) normalise(result, o);
}

/**
 * Writes a channel's values at ascending times. Outside the keys they are clamped. If several keys have one time, the
 * last one wins.
 *
 * @param result Value i at `i * stride + at`.
 */
export function sampleChannel(
    channel: SampledChannel,
    width: number,
    times: ArrayLike<number>,
    result: Float64Array,
    at: number,
    stride: number,
): void {
    let k = -1;
    for (let i = 0; i < times.length; i++) {
        k = keyUpTo(channel.times, times[i]!, k);
        sampleFrom(channel, width, k, times[i]!, result, i * stride + at);
    }
}

/** Appendix C.5: both tangents are multiplied by the interval between the keys. */
function hermite(
    result: Float64Array,
    o: number,
    width: number,
    values: ArrayLike<number>,
    from: number,
    span: number,
    t: number,
): void {
    const t2 = t * t;
    const t3 = t * t * t;
    for (let c = 0; c < width; c++) {
        const v = from + width + c;
        result[o + c] =
            (2 * t3 - 3 * t2 + 1) * values[v]! +
            span * (t3 - 2 * t2 + t) * values[v + width]! +
            (-2 * t3 + 3 * t2) * values[v + 3 * width]! +
            span * (t3 - t2) * values[v + 2 * width]!;
    }
}

/** "The resulting quaternion MUST be normalized". One of zeros has no direction and stays. */
export function normalise(q: Float64Array, o = 0): Float64Array {
    const squared = q[o]! * q[o]! + q[o + 1]! * q[o + 1]! + q[o + 2]! * q[o + 2]! + q[o + 3]! * q[o + 3]!;
    if (squared === 0) return q;
    const length = Math.sqrt(squared);
    for (let c = 0; c < 4; c++) q[o + c] = q[o + c]! / length;
    return q;
}
