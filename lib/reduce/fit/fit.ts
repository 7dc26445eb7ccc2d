// SPDX-License-Identifier: MIT

/** Fits one track: few keys on the grid, whose interpolation stays within a tolerance of the target. */

import { normalise } from '../model/sampler';
import type { Track } from './clip';
import { fittedValues, type Goal } from './fitted-values';
import { fittingKnots } from './greedy-knots';
import { deviation, type Lever } from './levers';
import { rounded, SHORT_STEP } from './rounding';

/** The target's values at the keys. */
export function targetsAt({ width, target }: Track, knots: readonly number[]): Float64Array {
    const values = new Float64Array(knots.length * width);
    for (let k = 0; k < knots.length; k++)
        for (let c = 0; c < width; c++) values[k * width + c] = target[knots[k]! * width + c]!;
    return values;
}

/**
 * Multiples of the tolerance for choosing keys, tried in this order. Fitted values need fewer keys than the target's
 * own.
 */
const FACTORS = [2, 1.7, 1.45, 1.2, 1];

const ROUNDS = 2;

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
    // A factor that was too large the last time will mostly be too large again.
    for (let f = Math.max(0, track.factor - 1); f < FACTORS.length; f++) {
        const factor = FACTORS[f]!;
        track.factor = f;
        const knots = fittingKnots(goal, factor);
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
