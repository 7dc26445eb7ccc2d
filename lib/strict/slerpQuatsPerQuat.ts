// SPDX-License-Identifier: MIT

import { slerpEach } from './slerpEach';

/** Slerp of pairs of quaternions, 4 floats each, with a t for each pair. `result` may start where `from` or `to` does. */
export function slerpQuatsPerQuat(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: Float32Array,
    count: number,
): void {
    slerpEach(result, from, to, 4, t, null, count);
}
