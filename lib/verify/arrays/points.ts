// SPDX-License-Identifier: MIT

import { longestColumn } from '../matrix';
import { placed } from '../metric';
import type { Judged } from './check';

/** Where the vertices' box is for a joint: what its global matrix is judged by. */
export function pointsAtJoint({ subject: { evaluator, skin }, metric }: Judged, joint: number): Float64Array {
    return placed(metric.corners, evaluator.inverseBindsOf(skin), joint * 16);
}

/** The origin, and points on the axes that the matrix takes as far as `extent` away, the longest of them. */
export function pointsAround(m: Float64Array, at: number, extent: number): Float64Array {
    const longest = longestColumn(m, at);
    const reach = longest > 0 ? extent / longest : 0;
    const points = new Float64Array(21);
    for (let axis = 0; axis < 3; axis++) {
        points[3 + axis * 6 + axis] = reach;
        points[6 + axis * 6 + axis] = -reach;
    }
    return points;
}
