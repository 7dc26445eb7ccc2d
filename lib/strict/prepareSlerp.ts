// SPDX-License-Identifier: MIT
// Twin: native/kernels/prepare_slerp.h

import { PS9 } from './coefficients';

/**
 * The weights of a slerp with one t for all pairs, as polynomials in y = 1 - |cos θ|. `prepareSlerp` fills them, and
 * the same call reads them. Float32 values in double arrays, because JavaScript computes in double.
 */
export const U = new Float64Array(9);
export const V = new Float64Array(9);

/**
 * With T = t², D = (1 - t)² and B the coefficients of PS9,
 *
 *     sin(t θ) / sin θ       = t + y (U0 + U1 y + … + U8 y⁸)          Uk = t (1 - t) (1 + t) (Bk0 + Bk1 T + Bk2 T² + Bk3 T³)
 *     sin((1 - t) θ) / sin θ = 1 - t + y (V0 + V1 y + … + V8 y⁸)      Vk = t (1 - t) (2 - t) (Bk0 + Bk1 D + Bk2 D² + Bk3 D³)
 *
 * Computed in double, because it runs only once per call. Each Uk and Vk is rounded to float32.
 *
 * @param t 0 < t <= 1/2.
 */
export function prepareSlerp(t: number): void {
    const d = 1 - t;
    const T = t * t;
    const D = d * d;
    const p = t * d;
    const gU = p * (1 + t);
    const gV = p * (1 + d);
    for (let k = 0; k < 9; k++) {
        const B = PS9[k]!;
        U[k] = Math.fround(gU * (((B[3] * T + B[2]) * T + B[1]) * T + B[0]));
        V[k] = Math.fround(gV * (((B[3] * D + B[2]) * D + B[1]) * D + B[0]));
    }
}
