// SPDX-License-Identifier: MIT
// Twin: native/kernels/slerp_uniform.h

import { BLOCK, block, enterBlock, mixPairs, readPair, startBlock } from './blendPairs';
import { prepareSlerp, U, V } from './prepareSlerp';

const f = Math.fround;

/**
 * Slerp with one t for all pairs.
 *
 * The formula is q(t) = (sin((1 - t) θ) a + sin(t θ) b) / sin θ, where cos θ = a·b. It needs an arc cosine and sines,
 * which are slow, differ from machine to machine, and lose their digits where θ is small. But sin(t θ) / sin θ is a
 * smooth function of y = 1 - cos θ, from t at y = 0 on, and so a polynomial in y gives it, with no threshold and no
 * division:
 *
 *     sin(t θ) / sin θ       = t + y (U0 + U1 y + … + U8 y⁸)          =: u
 *     sin((1 - t) θ) / sin θ = 1 - t + y (V0 + V1 y + … + V8 y⁸)      =: 1 - m
 *
 * to 5.3e-9. The coefficients depend only on t: `prepareSlerp`. As b and -b are the same rotation, θ need not exceed
 * 90°: where a·b < 0, take -b for b. So 0 <= y <= 1, which is where the polynomials hold.
 *
 * @param result Where `from` is, where `to` is, or elsewhere.
 * @param stride Floats from one quaternion to the next, in all three lists.
 * @param time 0 < time < 1, a float32.
 * @param index Which quaternions, once per mention, in order; null: all, from the first.
 */
export function slerpUniform(
    result: Float32Array,
    from: Float32Array,
    to: Float32Array,
    stride: number,
    time: number,
    index: Int32Array | null,
    count: number,
): void {
    const swap = Number(time > 0.5);
    const t = Math.min(time, f(1 - time));
    prepareSlerp(t);
    for (let i = 0; i < count; ) {
        let n = 0;
        for (startBlock(); i < count && n < BLOCK; i++) {
            const element = index === null ? i : index[i]!;
            if (index !== null && !enterBlock(element)) break;
            readPair(n++, from, to, element * stride, swap);
        }
        weigh(t, n);
        mixPairs(result, n);
    }
}

/** u and m of the first `n` pairs, four at a time; the last group may include pairs of an earlier block. */
function weigh(t: number, n: number): void {
    const { ys, signs, us, ms } = block;
    const u = U;
    const v = V;
    for (let i = 0; i < n; i += 4) {
        const y0 = ys[i]!;
        const y1 = ys[i + 1]!;
        const y2 = ys[i + 2]!;
        const y3 = ys[i + 3]!;
        // Horner's rule, from the highest power down: p = p y + U[k].
        let p0 = u[8]!;
        let p1 = p0;
        let p2 = p0;
        let p3 = p0;
        let q0 = v[8]!;
        let q1 = q0;
        let q2 = q0;
        let q3 = q0;
        for (let k = 7; k >= 0; k--) {
            const uk = u[k]!;
            const vk = v[k]!;
            p0 = f(f(p0 * y0) + uk);
            p1 = f(f(p1 * y1) + uk);
            p2 = f(f(p2 * y2) + uk);
            p3 = f(f(p3 * y3) + uk);
            q0 = f(f(q0 * y0) + vk);
            q1 = f(f(q1 * y1) + vk);
            q2 = f(f(q2 * y2) + vk);
            q3 = f(f(q3 * y3) + vk);
        }
        us[i] = f(t + f(p0 * y0)) * signs[i]!;
        us[i + 1] = f(t + f(p1 * y1)) * signs[i + 1]!;
        us[i + 2] = f(t + f(p2 * y2)) * signs[i + 2]!;
        us[i + 3] = f(t + f(p3 * y3)) * signs[i + 3]!;
        ms[i] = f(t - f(q0 * y0));
        ms[i + 1] = f(t - f(q1 * y1));
        ms[i + 2] = f(t - f(q2 * y2));
        ms[i + 3] = f(t - f(q3 * y3));
    }
}
