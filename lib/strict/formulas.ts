// SPDX-License-Identifier: MIT

/**
 * The formulas of the blends: one pair at a time, one operation at a time, each rounded to float32. Slow, written to be
 * read. The kernels in this folder compute the same for many pairs at once. They share only the coefficients with this
 * file, and the tests compare them bit by bit. docs/numerics.md derives the formulas.
 *
 * Every file with a kernel has its routine's `reference`: a function from one element of each list that the routine
 * reads, in the order of the arguments (an element of a list of numbers is a number), and the parameter, the convention
 * or the parent at the end, to the result.
 */

import { PQ8, PS9 } from './coefficients';

const f = Math.fround;

export type Quat = readonly [x: number, y: number, z: number, w: number];
/** Eight floats: a quaternion, then the translation x y z and `t.w`. */
export type Joint = readonly number[];

export const add = (a: number, b: number): number => f(a + b);
export const sub = (a: number, b: number): number => f(a - b);
export const mul = (a: number, b: number): number => f(a * b);
export const div = (a: number, b: number): number => f(a / b);

/** (ax bx + az bz) + (ay by + aw bw) */
const dot = ([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat) =>
    add(add(mul(ax, bx), mul(az, bz)), add(mul(ay, by), mul(aw, bw)));

/** y = 1 - |cos θ|, not below 0; a NaN stays one. */
const fromOne = (cos: number) => Math.max(0, sub(1, Math.abs(cos)));

/** The roles are swapped past the middle: `base` is the nearer end, and t′ is counted from there. */
const isSwapped = (t: number) => t > 0.5;
const smaller = (t: number) => (isSwapped(t) ? sub(1, t) : t);

/** base + (u other - m base); to the other's negative where the cosine is negative, with the sign of `from`. */
function mix(from: Quat, to: Quat, cos: number, swap: boolean, u: number, m: number): Quat {
    const [base, other] = swap ? [to, from] : [from, to];
    const towards = cos < 0 ? -u : u; // -0 is not less than 0
    const r = base.map((b, k) => add(b, sub(mul(towards, other[k]!), mul(m, b))));
    return (swap && cos < 0 ? r.map((x) => -x) : r) as unknown as Quat;
}

/** Horner's rule: coefficients from the lowest power up, evaluated from the highest down. */
function polynomial(coefficients: readonly number[], x: number): number {
    let sum = coefficients[coefficients.length - 1]!;
    for (let k = coefficients.length - 2; k >= 0; k--) sum = add(mul(sum, x), coefficients[k]!);
    return sum;
}

/** U and V of `slerpUniform`, in double; each is rounded once. */
function preparedSlerp(t: number): { U: number[]; V: number[] } {
    const d = 1 - t;
    const p = t * d;
    const inDouble = (B: readonly number[], T: number) => ((B[3]! * T + B[2]!) * T + B[1]!) * T + B[0]!;
    return {
        U: PS9.map((B) => f(p * (1 + t) * inDouble(B, t * t))),
        V: PS9.map((B) => f(p * (1 + d) * inDouble(B, d * d))),
    };
}

/**
 *     sin(t θ) / sin θ       = t + y (U0 + U1 y + … + U8 y⁸)          =: u
 *     sin((1 - t) θ) / sin θ = 1 - t + y (V0 + V1 y + … + V8 y⁸)      =: 1 - m          y = 1 - |cos θ|
 *     slerp                  = base + (u other - m base)
 *
 * with one t for a whole call, 0 < t < 1.
 */
export function slerpUniform(from: Quat, to: Quat, time: number): Quat {
    const t = smaller(time);
    const { U, V } = preparedSlerp(t);
    const cos = dot(from, to);
    const y = fromOne(cos);
    const u = add(t, mul(polynomial(U, y), y));
    const m = sub(t, mul(polynomial(V, y), y));
    return mix(from, to, cos, isSwapped(time), u, m);
}

/** The columns of PQ8 in float32, without the zeros at their ends. */
const columns = () => [0, 1, 2, 3].map((power) => PQ8.map((row) => f(row[power]!)).filter((b) => b !== 0));

/**
 *     sin(t θ) / sin θ       = t + t (1 - t) y (1 + t) (Q0(y) + T (Q1(y) + T (Q2(y) + T Q3(y))))         T = t²
 *     sin((1 - t) θ) / sin θ = 1 - t + t (1 - t) y (2 - t) (Q0(y) + D (Q1(y) + D (Q2(y) + D Q3(y))))     D = (1 - t)²
 *
 * with a t for each pair, 0 < t < 1.
 */
export function slerpEach(from: Quat, to: Quat, time: number): Quat {
    const t = smaller(time);
    const cos = dot(from, to);
    const y = fromOne(cos);
    const q = columns().map((column) => polynomial(column, y));
    const d = sub(1, t);
    const p = mul(mul(t, d), y);
    const u = add(t, mul(mul(p, add(1, t)), polynomial(q, mul(t, t))));
    const m = sub(t, mul(mul(p, add(1, d)), polynomial(q, mul(d, d))));
    return mix(from, to, cos, isSwapped(time), u, m);
}

/** v / |v|; a zero quaternion does not change. */
export function normalized(v: Quat): Quat {
    const square = dot(v, v);
    const length = square === 0 ? 1 : f(Math.sqrt(square));
    return v.map((x) => div(x, length)) as unknown as Quat;
}

/** base + (±t other - t base), normalized; 0 < t < 1. */
export function lerpUniform(from: Quat, to: Quat, time: number): Quat {
    const t = smaller(time);
    return normalized(mix(from, to, dot(from, to), isSwapped(time), t, t));
}

/** base + (t other - t base), all four floats; 0 < t < 1. */
function mixTranslation(from: Quat, to: Quat, time: number): Quat {
    const t = smaller(time);
    return mix(from, to, 0, isSwapped(time), t, t);
}

type Blend = (from: Quat, to: Quat, t: number) => Quat;

/** The edges of all blends: at t <= 0 the result is `from`, at t >= 1, or where t is NaN, it is `to`. */
export function blended(blend: Blend, from: Quat, to: Quat, time: number): Quat {
    const t = f(time);
    return t <= 0 ? from : t < 1 ? blend(from, to, t) : to;
}

/** The same for joints. */
export function blendedJoint(blend: Blend, from: Joint, to: Joint, t: number): Joint {
    const quat = (joint: Joint) => joint.slice(0, 4) as unknown as Quat;
    const translation = (joint: Joint) => joint.slice(4) as unknown as Quat;
    return [
        ...blended(blend, quat(from), quat(to), t),
        ...blended(mixTranslation, translation(from), translation(to), t),
    ];
}
