// SPDX-License-Identifier: MIT

import { block, readPair } from './pairs';
import { polynomialsOfY, Q } from './slerpEach';

const f = Math.fround;

/**
 * Slerp of one pair of quaternions at many times: `slerpEach`, but all that does not depend on t is calculated once. The
 * bits are those of `slerpQuatsPerQuat` with the pair repeated.
 *
 * @param result Four floats for each of the `count` times. The pair may lie in it.
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
