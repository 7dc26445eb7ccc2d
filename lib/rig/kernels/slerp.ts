// SPDX-License-Identifier: MIT
// Twin: native/rig/slerp.h

import { PQ8 } from '../../strict/coefficients';
import { LANES } from './contract';

const f = Math.fround;
const B = Float64Array.from(PQ8.flat(), (b) => f(b));

/**
 * Slerp of quaternions in lanes, with one t per lane. The formula is that of `slerpJointsPerJoint`, without special
 * cases for t = 0 and t = 1.
 *
 * @param out Component c of lane l at `outAt + c * 16 + l`; the same for `from` and `to`. It may be one of them.
 * @param times t of lane l at `timesAt + l`, 0 ... 1.
 */
export function slerpLanes(
    out: Float32Array,
    outAt: number,
    from: Float32Array,
    fromAt: number,
    to: Float32Array,
    toAt: number,
    times: Float32Array,
    timesAt: number,
    lanes: Uint8Array,
    laneCount: number,
): void {
    for (let i = 0; i < laneCount; i++) {
        const lane = lanes[i]!;
        const time = times[timesAt + lane]!;
        const swap = time > 0.5;
        const t = swap ? f(1 - time) : time;
        const base = swap ? to : from;
        const other = swap ? from : to;
        const a = (swap ? toAt : fromAt) + lane;
        const b = (swap ? fromAt : toAt) + lane;
        const o = outAt + lane;
        const ax = base[a]!;
        const ay = base[a + LANES]!;
        const az = base[a + 2 * LANES]!;
        const aw = base[a + 3 * LANES]!;
        const bx = other[b]!;
        const by = other[b + LANES]!;
        const bz = other[b + 2 * LANES]!;
        const bw = other[b + 3 * LANES]!;
        const c = f(f(f(ax * bx) + f(az * bz)) + f(f(ay * by) + f(aw * bw)));
        const y = Math.max(0, f(1 - Math.abs(c)));
        let q0 = f(f(B[28]! * y) + B[24]!);
        let q1 = f(f(B[29]! * y) + B[25]!);
        let q2 = f(f(B[22]! * y) + B[18]!);
        let q3 = f(f(B[19]! * y) + B[15]!);
        q0 = f(f(q0 * y) + B[20]!);
        q1 = f(f(q1 * y) + B[21]!);
        q2 = f(f(q2 * y) + B[14]!);
        q3 = f(f(q3 * y) + B[11]!);
        q0 = f(f(q0 * y) + B[16]!);
        q1 = f(f(q1 * y) + B[17]!);
        q2 = f(f(q2 * y) + B[10]!);
        q3 = f(f(q3 * y) + B[7]!);
        q0 = f(f(q0 * y) + B[12]!);
        q1 = f(f(q1 * y) + B[13]!);
        q2 = f(f(q2 * y) + B[6]!);
        q3 = f(f(q3 * y) + B[3]!);
        q0 = f(f(q0 * y) + B[8]!);
        q1 = f(f(q1 * y) + B[9]!);
        q2 = f(f(q2 * y) + B[2]!);
        q0 = f(f(q0 * y) + B[4]!);
        q1 = f(f(q1 * y) + B[5]!);
        q0 = f(f(q0 * y) + B[0]!);
        q1 = f(f(q1 * y) + B[1]!);
        const d = f(1 - t);
        const T = f(t * t);
        const D = f(d * d);
        const p = f(f(t * d) * y);
        const hU = f(f(f(f(f(f(q3 * T) + q2) * T) + q1) * T) + q0);
        const hV = f(f(f(f(f(f(q3 * D) + q2) * D) + q1) * D) + q0);
        const sign = c < 0 ? -1 : 1;
        const u = f(t + f(f(p * f(1 + t)) * hU)) * sign;
        const m = f(t - f(f(p * f(1 + d)) * hV));
        const last = swap ? sign : 1;
        out[o] = (ax + f(f(u * bx) - f(m * ax))) * last;
        out[o + LANES] = (ay + f(f(u * by) - f(m * ay))) * last;
        out[o + 2 * LANES] = (az + f(f(u * bz) - f(m * az))) * last;
        out[o + 3 * LANES] = (aw + f(f(u * bw) - f(m * aw))) * last;
    }
}
