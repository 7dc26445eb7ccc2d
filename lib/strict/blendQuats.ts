// SPDX-License-Identifier: MIT
// Twin: native/kernels/blend_quats.h

/**
 *     slerp   r = (sin((1 - t) θ) a + sin(t θ) b) / sin θ
 *     lerp    r = (a + t (b - a)) / |a + t (b - a)|
 *
 * Pairs of quaternions, blended: a of `from`, b of `to`, on the shorter arc.
 * "Slerping Clock Cycles" (2005), sections 3 and 4; one pair at many times: D. Eberly, "A Fast and Accurate Algorithm
 * for Computing SLERP" (2011), sections 5.1 and 5.2; the arithmetic is this project's.
 *
 * Lists are quaternions, 4 floats each; `result` may start where `from` or `to` does. t is any number: at 0 and below
 * the result is `from`, at 1 and above, or NaN, it is `to`.
 */

import { block, copyAtEdge, readPair } from './blendPairs';
import { lerpUniform } from './lerpUniform';
import { polynomialsOfY, Q, slerpEach } from './slerpEach';
import { slerpUniform } from './slerpUniform';

const f = Math.fround;

/** Slerp with one t for all pairs. */
export function slerpQuats(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    time: number,
    count: number,
): void {
    const t = f(time);
    if (copyAtEdge(result, from, to, 4, t, null, count)) return;
    slerpUniform(result, from, to, 4, t, null, count);
}

/** Normalized lerp with one t for all pairs. */
export function lerpQuats(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    time: number,
    count: number,
): void {
    const t = f(time);
    if (copyAtEdge(result, from, to, 4, t, null, count)) return;
    lerpUniform(result, from, to, 4, t, null, count);
}

/** Slerp with a t for each pair. */
export function slerpQuatsPerQuat(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    t: Float32Array,
    count: number,
): void {
    slerpEach(result, from, to, 4, t, null, count);
}

/**
 * Slerp of one pair at many times: `slerpEach`, with everything that does not depend on t computed once. The bits are
 * those of `slerpQuatsPerQuat` with the pair repeated.
 *
 * @param result Four floats for each of the `count` times. It may overlap the pair.
 */
export function slerpQuatTimes(
    result: Float32Array,
    q0: Float32Array,
    q1: Float32Array,
    times: Float32Array,
    count: number,
): void {
    readPair(0, q0, q1, 0, 0);
    polynomialsOfY(1);
    const fx = block.quats[0]!;
    const fy = block.quats[1]!;
    const fz = block.quats[2]!;
    const fw = block.quats[3]!;
    const tx = block.quats[4]!;
    const ty = block.quats[5]!;
    const tz = block.quats[6]!;
    const tw = block.quats[7]!;
    const y = block.ys[0]!;
    const sign = block.signs[0]!;
    const Q0 = Q.q0s[0]!;
    const Q1 = Q.q1s[0]!;
    const Q2 = Q.q2s[0]!;
    const Q3 = Q.q3s[0]!;
    for (let i = 0, o = 0; i < count; i++, o += 4) {
        const time = times[i]!;
        if (!(time > 0 && time < 1)) {
            const isFrom = time <= 0;
            result[o] = isFrom ? fx : tx;
            result[o + 1] = isFrom ? fy : ty;
            result[o + 2] = isFrom ? fz : tz;
            result[o + 3] = isFrom ? fw : tw;
            continue;
        }
        const t = Math.min(time, f(1 - time));
        const d = f(1 - t);
        const T = f(t * t);
        const D = f(d * d);
        const p = f(f(t * d) * y);
        const hU = f(f(f(f(f(f(Q3 * T) + Q2) * T) + Q1) * T) + Q0);
        const hV = f(f(f(f(f(f(Q3 * D) + Q2) * D) + Q1) * D) + Q0);
        const u = f(t + f(f(p * f(1 + t)) * hU)) * sign;
        const m = f(t - f(f(p * f(1 + d)) * hV));
        if (time > 0.5) {
            result[o] = (tx + f(f(u * fx) - f(m * tx))) * sign;
            result[o + 1] = (ty + f(f(u * fy) - f(m * ty))) * sign;
            result[o + 2] = (tz + f(f(u * fz) - f(m * tz))) * sign;
            result[o + 3] = (tw + f(f(u * fw) - f(m * tw))) * sign;
        } else {
            result[o] = fx + f(f(u * tx) - f(m * fx));
            result[o + 1] = fy + f(f(u * ty) - f(m * fy));
            result[o + 2] = fz + f(f(u * tz) - f(m * fz));
            result[o + 3] = fw + f(f(u * tw) - f(m * fw));
        }
    }
}
