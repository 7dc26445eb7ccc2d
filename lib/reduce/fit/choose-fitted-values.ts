// SPDX-License-Identifier: MIT

import type { NativeRig } from '../../addon/addon';
import { addon } from '../../addon/load';
import { evaluationImplementation } from '../../rig/implementations';
import { fittedValuesTwin, type Goal } from './fitted-values';
import { greedyKnotsTwin } from './greedy-knots';
import { BYTE_STEP, unitSteps } from './rounding';

type FittedValues = typeof fittedValuesTwin;
type GreedyKnots = typeof greedyKnotsTwin;

/** The addon's functions, by the name of the implementation that evaluates poses. */
export const nativeFittedValues: ReadonlyMap<string, FittedValues> = new Map(
    (addon?.rigs ?? []).flatMap(({ name, fittedValues }) =>
        fittedValues === undefined ? [] : [[name, beforeTwin(fittedValues)] as const],
    ),
);

/** Uses the twin for rotations that the addon does not round: those that need not keep their length, and floats. */
function beforeTwin(native: NonNullable<NativeRig['fittedValues']>): FittedValues {
    return (goal, knots, ends, rounds, into) => {
        const { times, tolerance, track } = goal;
        const { width, exact, step, target } = track;
        if (step > 0 && (width === 3 || (exact && step !== BYTE_STEP))) {
            const { length } = knots;
            makeRoom(length);
            for (let k = 0; k < length; k++) indices[k] = knots[k]!;
            const share = native(into, indices, ends, target, times, tolerance, rulesOf(goal), length, rounds);
            if (typeof share === 'number') return share;
        }
        return fittedValuesTwin(goal, knots, ends, rounds, into);
    };
}

export const fittedValues: FittedValues = nativeFittedValues.get(evaluationImplementation) ?? fittedValuesTwin;

/** As `nativeFittedValues`. */
export const nativeGreedyKnots: ReadonlyMap<string, GreedyKnots> = new Map(
    (addon?.rigs ?? []).flatMap(({ name, greedyKnots }) =>
        greedyKnots === undefined ? [] : [[name, greedyKnotsOf(greedyKnots)] as const],
    ),
);

function greedyKnotsOf(native: NonNullable<NativeRig['greedyKnots']>): GreedyKnots {
    return (goal, factor) => {
        const { track, times, tolerance } = goal;
        makeRoom(times.length);
        const count = native(indices, track.target, times, tolerance, rulesOf(goal), factor);
        return typeof count === 'number' ? Array.from(indices.subarray(0, count)) : greedyKnotsTwin(goal, factor);
    };
}

export const greedyKnots: GreedyKnots = nativeGreedyKnots.get(evaluationImplementation) ?? greedyKnotsTwin;

function makeRoom(length: number): void {
    if (indices.length < length) indices = new Int32Array(length * 2);
}

// Kept between calls, because there are many calls with few keys each.
let indices = new Int32Array(16);
const rules = new Float64Array(20);

/** The numbers of `TrackRules` in native/rig/kernels.h. */
function rulesOf({ track: { width, place, step }, lever: { form, reach, radius, scale } }: Goal): Float64Array {
    rules[0] = width;
    rules[1] = place === 7 ? 1 : 0;
    for (let e = 0; e < 6; e++) rules[2 + e] = form[e]!;
    for (let c = 0; c < 3; c++) rules[8 + c] = reach[c]!;
    rules[11] = radius;
    rules[12] = scale;
    rules[13] = step;
    const { tolerance, coarse, finest } = unitSteps(step);
    rules[14] = tolerance;
    rules[15] = coarse;
    rules[16] = finest;
    rules[17] = width === 4 ? 0 : 3;
    rules[18] = Infinity;
    rules[19] = tolerance;
    return rules;
}
