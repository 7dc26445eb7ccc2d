// SPDX-License-Identifier: MIT

import type { SampledChannel } from './sampler';

const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'];

/** Curves of one value. */
interface ValueCurves {
    /** Index of its first number among those of all nodes, ten each. */
    readonly at: number;
    readonly channels: readonly SampledChannel[];
}

/** Curves as native/addon/bound_call.cpp reads them. */
export function curvesOf(values: readonly ValueCurves[]): {
    readonly curves: Int32Array;
    readonly numbers: Float64Array;
} {
    const curves: number[] = [];
    let length = 0;
    for (const { at, channels } of values) {
        curves.push(at);
        for (const { interpolation, times, values } of channels) {
            curves.push(INTERPOLATIONS.indexOf(interpolation), times.length, length);
            length += times.length + values.length;
        }
    }
    const numbers = new Float64Array(length);
    let next = 0;
    for (const { channels } of values) {
        for (const { times, values } of channels) {
            numbers.set(times, next);
            numbers.set(values, next + times.length);
            next += times.length + values.length;
        }
    }
    return { curves: Int32Array.from(curves), numbers };
}
