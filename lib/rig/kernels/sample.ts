// SPDX-License-Identifier: MIT
// Twin: native/rig/sample.h

/**
 * Animation samplers (glTF 2.0, 3.11 and appendix C) for lanes whose keys `locate` has found. Component c of lane l is
 * written to `data[at + c * 16 + l]`.
 */

import { LANES } from './contract';
import type { Located } from './locate';
import { slerpLanes } from './slerp';

const f = Math.fround;
const { sqrt } = Math;

/** The lanes to sample: those that play this clip, and their places between the keys. */
export interface Sampling {
    readonly data: Float32Array;
    readonly values: Float32Array;
    readonly located: Located;
    readonly lanes: Uint8Array;
    readonly laneCount: number;
}

/** STEP (C.1): the key at or before the time. */
export function sampleStep(sampling: Sampling, at: number, group: number, first: number, width: number): void {
    const { data, values, lanes, laneCount } = sampling;
    const { rows } = sampling.located;
    for (let i = 0; i < laneCount; i++) {
        const lane = lanes[i]!;
        const row = rows[group * LANES + lane]! + first;
        for (let c = 0; c < width; c++) data[at + c * LANES + lane] = values[row + c]!;
    }
}

/** LINEAR, component by component (C.2). */
export function sampleLinear(sampling: Sampling, at: number, group: number, first: number, width: number): void {
    const { data, values, lanes, laneCount } = sampling;
    const { rows, nextRows, fractions } = sampling.located;
    for (let i = 0; i < laneCount; i++) {
        const lane = lanes[i]!;
        const row = rows[group * LANES + lane]! + first;
        const next = nextRows[group * LANES + lane]! + first;
        const s = fractions[group * LANES + lane]!;
        // Starts at the nearer end: exact at both ends and between equal values.
        const swap = s > 0.5;
        const t = swap ? f(1 - s) : s;
        const from = swap ? next : row;
        const to = swap ? row : next;
        for (let c = 0; c < width; c++) {
            const base = values[from + c]!;
            data[at + c * LANES + lane] = base + f(f(t * values[to + c]!) - f(t * base));
        }
    }
}

const keys = new Float32Array(4 * LANES);
const nextKeys = new Float32Array(4 * LANES);

/** LINEAR rotations (C.3): uses the absolute dot product and its sign. Keys are not normalized. */
export function sampleSlerp(sampling: Sampling, at: number, group: number, first: number): void {
    const { data, values, lanes, laneCount } = sampling;
    const { rows, nextRows, fractions } = sampling.located;
    for (let i = 0; i < laneCount; i++) {
        const lane = lanes[i]!;
        const row = rows[group * LANES + lane]! + first;
        const next = nextRows[group * LANES + lane]! + first;
        keys[lane] = values[row]!;
        keys[LANES + lane] = values[row + 1]!;
        keys[2 * LANES + lane] = values[row + 2]!;
        keys[3 * LANES + lane] = values[row + 3]!;
        nextKeys[lane] = values[next]!;
        nextKeys[LANES + lane] = values[next + 1]!;
        nextKeys[2 * LANES + lane] = values[next + 2]!;
        nextKeys[3 * LANES + lane] = values[next + 3]!;
    }
    slerpLanes(data, at, keys, 0, nextKeys, 0, fractions, group * LANES, lanes, laneCount);
}

/**
 * CUBICSPLINE (C.4): in-tangent, value, out-tangent for each key, tangents are per second, so they are multiplied by
 * the time between the keys. At a key the result is its value.
 */
export function sampleCubic(sampling: Sampling, at: number, group: number, first: number, width: number): void {
    const { data, values, lanes, laneCount } = sampling;
    const { rows, nextRows, fractions, intervals } = sampling.located;
    for (let i = 0; i < laneCount; i++) {
        const lane = lanes[i]!;
        const value = rows[group * LANES + lane]! + first + width;
        const s = fractions[group * LANES + lane]!;
        if (s === 0) {
            for (let c = 0; c < width; c++) data[at + c * LANES + lane] = values[value + c]!;
            continue;
        }
        const out = value + width;
        const into = nextRows[group * LANES + lane]! + first;
        const nextValue = into + width;
        const td = intervals[group * LANES + lane]!;
        const s2 = f(s * s);
        const s3 = f(s2 * s);
        const v1 = f(f(3 * s2) - f(2 * s3));
        const v0 = f(1 - v1);
        const m0 = f(f(f(s3 - f(2 * s2)) + s) * td);
        const m1 = f(f(s3 - s2) * td);
        for (let c = 0; c < width; c++) {
            data[at + c * LANES + lane] =
                f(f(v0 * values[value + c]!) + f(m0 * values[out + c]!)) +
                f(f(v1 * values[nextValue + c]!) + f(m1 * values[into + c]!));
        }
    }
}

/** Interpolates the components without changing the sign of a key, then normalizes. */
export function sampleCubicRotation(sampling: Sampling, at: number, group: number, first: number): void {
    sampleCubic(sampling, at, group, first, 4);
    normalizeLanes(sampling.data, at, sampling.lanes, sampling.laneCount);
}

/** Quaternions of length 0 do not change. */
function normalizeLanes(data: Float32Array, at: number, lanes: Uint8Array, laneCount: number): void {
    for (let i = 0; i < laneCount; i++) {
        const o = at + lanes[i]!;
        const x = data[o]!;
        const y = data[o + LANES]!;
        const z = data[o + 2 * LANES]!;
        const w = data[o + 3 * LANES]!;
        const n = f(f(f(x * x) + f(z * z)) + f(f(y * y) + f(w * w)));
        const length = n === 0 ? 1 : f(sqrt(n));
        data[o] = x / length;
        data[o + LANES] = y / length;
        data[o + 2 * LANES] = z / length;
        data[o + 3 * LANES] = w / length;
    }
}
