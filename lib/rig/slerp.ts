// SPDX-License-Identifier: MIT

/**
 * Spherical interpolation in double precision from + - * alone, because the same input has to give the same bits on
 * every machine and `Math.sin` and `Math.acos` do not promise that.
 *
 * sin(t θ) / sin θ is, with y = 1 - cos θ and T = t², the polynomial
 *
 *     s(t, y) = t + t (1 - t) (1 + t) y (Q0(y) + T (Q1(y) + T (Q2(y) + T Q3(y)))),   0 <= y <= 1, 0 <= t <= 1
 *
 * to 5.3e-9 (a component of the result to 1.1e-8). The Qj do not depend on t, so both weights, s(t) and s(1 - t), share
 * them. At y = 0 it is lerp, with no threshold; at t = 0 and t = 1 it is exact.
 *
 * Coefficients: PS9, the minimax fit of degree 9 in y; the least error of the published sets. Row j is Qj, from y^0 up.
 */
const Q0_0 = 0.33333574930664744;
const Q0_1 = 0.13324347592192365;
const Q0_2 = 0.058286712180681412;
const Q0_3 = 0.018322737995900965;
const Q0_4 = 0.035937653042467529;
const Q0_5 = -0.04430929203209924;
const Q0_6 = 0.06227067855533238;
const Q0_7 = -0.038920391904946554;
const Q0_8 = 0.012628955780755454;

const Q1_0 = -4.9039831493427254e-6;
const Q1_1 = -0.033156851410011193;
const Q1_2 = -0.022790225338583273;
const Q1_3 = 0.0019233956729276943;
const Q1_4 = -0.046550844623219206;
const Q1_5 = 0.075465356839809761;
const Q1_6 = -0.087655170335460789;
const Q1_7 = 0.05158152944130287;
const Q1_8 = -0.013979397969644395;

const Q2_0 = 8.3011199592166737e-6;
const Q2_1 = -0.00030071853739556604;
const Q2_2 = 0.0052606297312550628;
const Q2_3 = -0.020203658840820624;
const Q2_4 = 0.069590620925444796;
const Q2_5 = -0.12691374427992266;
const Q2_6 = 0.13598063519176001;
const Q2_7 = -0.077367230775793966;
const Q2_8 = 0.018466776504360585;

const Q3_0 = -2.4259627665548324e-6;
const Q3_1 = 9.9856324860090774e-5;
const Q3_2 = -0.0013398808867669631;
const Q3_3 = 0.0083904546260897724;
const Q3_4 = -0.028638228460019836;
const Q3_5 = 0.05523504425537118;
const Q3_6 = -0.060885342381588194;
const Q3_7 = 0.035534544174875546;
const Q3_8 = -0.0085449829024026487;

/**
 * Interpolates between neighbouring rotation keys, many frames in a call (glTF 2.0, C.3: the absolute dot product and
 * its sign, keys as they are, not renormalised). Where `fractions[i]` is 0 the key is copied bit for bit.
 *
 * @param out Frame i is written to the 4 floats at `out[offset + i * stride]`, rounded once.
 * @param values Rotation keys, x y z w.
 * @param keys For each frame, the key at or before it.
 * @param fractions For each frame, how far it is from that key to the next, 0 <= fraction < 1.
 */
export function slerpKeys(
    out: Float32Array,
    offset: number,
    stride: number,
    values: Float32Array,
    keys: Int32Array,
    fractions: Float64Array,
    count: number,
): void {
    for (let i = 0, o = offset; i < count; i++, o += stride) {
        const a = keys[i]! * 4;
        const t = fractions[i]!;
        const ax = values[a]!;
        const ay = values[a + 1]!;
        const az = values[a + 2]!;
        const aw = values[a + 3]!;
        if (t === 0) {
            out[o] = ax;
            out[o + 1] = ay;
            out[o + 2] = az;
            out[o + 3] = aw;
            continue;
        }
        const bx = values[a + 4]!;
        const by = values[a + 5]!;
        const bz = values[a + 6]!;
        const bw = values[a + 7]!;
        const c = ax * bx + az * bz + (ay * by + aw * bw);
        // Keys that are a little longer than 1 would give y < 0, where the fit does not hold.
        let y = 1 - (c < 0 ? -c : c);
        if (y < 0) y = 0;

        const q0 =
            Q0_0 + y * (Q0_1 + y * (Q0_2 + y * (Q0_3 + y * (Q0_4 + y * (Q0_5 + y * (Q0_6 + y * (Q0_7 + y * Q0_8)))))));
        const q1 =
            Q1_0 + y * (Q1_1 + y * (Q1_2 + y * (Q1_3 + y * (Q1_4 + y * (Q1_5 + y * (Q1_6 + y * (Q1_7 + y * Q1_8)))))));
        const q2 =
            Q2_0 + y * (Q2_1 + y * (Q2_2 + y * (Q2_3 + y * (Q2_4 + y * (Q2_5 + y * (Q2_6 + y * (Q2_7 + y * Q2_8)))))));
        const q3 =
            Q3_0 + y * (Q3_1 + y * (Q3_2 + y * (Q3_3 + y * (Q3_4 + y * (Q3_5 + y * (Q3_6 + y * (Q3_7 + y * Q3_8)))))));

        const d = 1 - t;
        const T = t * t;
        const D = d * d;
        const p = t * d * y;
        const toA = d + p * (1 + d) * (q0 + D * (q1 + D * (q2 + D * q3)));
        const s = t + p * (1 + t) * (q0 + T * (q1 + T * (q2 + T * q3)));
        const toB = c < 0 ? -s : s; // -0 does not flip
        out[o] = toA * ax + toB * bx;
        out[o + 1] = toA * ay + toB * by;
        out[o + 2] = toA * az + toB * bz;
        out[o + 3] = toA * aw + toB * bw;
    }
}
