// SPDX-License-Identifier: MIT
// Twin: native/rig/fitted_values.h

import { greedyKnots } from '../../base/knots';
import { between, prepareBetween } from '../../strict/between';
import type { Goal } from './fitted-values';
import { deviation } from './levers';

const at = new Float64Array(4);

/** Whether interpolation between keys at two times, with the target's values, stays within the tolerance times `factor`. */
function chordFits({ track, lever, times, tolerance }: Goal, factor: number, a: number, b: number): boolean {
    const { width, target } = track;
    prepareBetween(width, target, a * width, b * width);
    const span = times[b]! - times[a]!;
    const middle = (a + b) >> 1;
    // From the middle outward, where the error is mostly largest.
    for (let k = 0; k < b - a; k++) {
        const i = middle + (k % 2 === 0 ? k >> 1 : -((k + 1) >> 1));
        if (i <= a || i >= b) continue;
        between(at, 0, (times[i]! - times[a]!) / span);
        if (!(deviation(track, lever, i, at, 0) <= tolerance[i]! * factor)) return false;
    }
    return true;
}

/** Takes the longest interval that fits from each key. The tolerance is multiplied by `factor`. */
export function fittingKnots(goal: Goal, factor: number): number[] {
    return greedyKnots(goal.times.length - 1, (from, to) => chordFits(goal, factor, from, to));
}
