// SPDX-License-Identifier: MIT

import { copyAtEdge } from './edges';
import { lerpUniform } from './lerpUniform';

/** Normalised lerp of pairs of quaternions, 4 floats each, one t for all. `result` may start where `from` or `to` does. */
export function lerpQuats(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    time: number,
    count: number,
): void {
    const t = Math.fround(time);
    if (copyAtEdge(result, from, to, 4, t, null, count)) return;
    lerpUniform(result, from, to, 4, t, null, count);
}
