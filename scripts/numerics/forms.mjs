// SPDX-License-Identifier: MIT

/**
 * The slerps and lerps that were compared before one of each became `strict@1`, in float32: every operation is rounded.
 * All take (result, from, to, t), lists of quaternions and one t that lies strictly between 0 and 1.
 *
 * The two chosen ones are here a second time, beside lib/strict: scripts/numerics-doc.mjs requires that they have its
 * bits, so what the document says of them is said of what runs.
 */

const f = Math.fround;

/** One order for every dot product. */
function dot(a, b, o) {
    const even = f(f(a[o] * b[o]) + f(a[o + 2] * b[o + 2]));
    const odd = f(f(a[o + 1] * b[o + 1]) + f(a[o + 3] * b[o + 3]));
    return f(even + odd);
}

/** 1 - |c|, not below 0; a NaN passes. */
function distanceFrom1(c) {
    return Math.max(0, f(1 - Math.abs(c)));
}

/** Σ B[j] x^j in double precision, by Horner. */
function horner(B, x) {
    let sum = B[B.length - 1];
    for (let j = B.length - 2; j >= 0; j--) sum = sum * x + B[j];
    return sum;
}

/** The coefficients of the powers of y for one t, in double precision rounded once: of the weight for t and for 1 - t. */
function prepare(B, t) {
    const d = 1 - t;
    const p = t * d;
    const forT = p * (1 + t);
    const forD = p * (1 + d);
    return {
        U: Float32Array.from(B, (row) => forT * horner(row, t * t)),
        V: Float32Array.from(B, (row) => forD * horner(row, d * d)),
    };
}

function inFloat(coefficients, y) {
    let sum = coefficients[coefficients.length - 1];
    for (let k = coefficients.length - 2; k >= 0; k--) sum = f(f(sum * y) + coefficients[k]);
    return sum;
}

/** base + (u other - m base), with the sign of the whole where the roles are swapped. */
function mix(result, base, other, u, m, negative, o) {
    for (let k = o; k < o + 4; k++) {
        const r = f(base[k] + f(f(u * other[k]) - f(m * base[k])));
        result[k] = negative ? -r : r;
    }
}

/** s0 a + s1 b. */
function scales(result, a, b, s0, s1, o) {
    for (let k = o; k < o + 4; k++) result[k] = f(f(s0 * a[k]) + f(s1 * b[k]));
}

/** Coefficients once per t; the weights go into a mix. With `swapping` the base is the end that is nearer. */
export function uniformMix(B, swapping = true) {
    return (result, from, to, t) => {
        const swap = swapping && t > 0.5;
        const near = swap ? f(1 - t) : t;
        const { U, V } = prepare(B, near);
        const [base, other] = swap ? [to, from] : [from, to];
        for (let o = 0; o < result.length; o += 4) {
            const c = dot(from, to, o);
            const y = distanceFrom1(c);
            let u = f(near + f(inFloat(U, y) * y));
            const m = f(near - f(inFloat(V, y) * y));
            if (c < 0) u = -u;
            mix(result, base, other, u, m, swap && c < 0, o);
        }
    };
}

/** Coefficients once per t; two weights, which add up to 1 as nearly as two floats can. */
export function uniformScales(B) {
    return (result, from, to, t) => {
        const { U, V } = prepare(B, t);
        const d = f(1 - t);
        const rest = f(1 - t - d);
        for (let o = 0; o < result.length; o += 4) {
            const c = dot(from, to, o);
            const y = distanceFrom1(c);
            const s1 = f(t + f(y * inFloat(U, y)));
            const s0 = f(d + f(rest + f(y * inFloat(V, y))));
            scales(result, from, to, s0, c < 0 ? -s1 : s1, o);
        }
    };
}

/** By powers of t: what a Q-form has in common for t and 1 - t. Coefficients that are 0 take no operation. */
function columns(B) {
    return [0, 1, 2, 3].map((j) => {
        const column = B.map((row) => row[j]);
        while (column.at(-1) === 0) column.pop();
        return Float32Array.from(column);
    });
}

/** The two polynomials of a Q-form: [of T, of D]. */
function shared(Q, y, T, D, out) {
    const q0 = inFloat(Q[0], y);
    const q1 = inFloat(Q[1], y);
    const q2 = inFloat(Q[2], y);
    const q3 = inFloat(Q[3], y);
    out[0] = f(f(f(f(f(f(q3 * T) + q2) * T) + q1) * T) + q0);
    out[1] = f(f(f(f(f(f(q3 * D) + q2) * D) + q1) * D) + q0);
}

/** Everything for each pair, so that each could have its own t; mix. */
export function perPairMix(B) {
    const Q = columns(B);
    const h = new Float32Array(2);
    return (result, from, to, t) => {
        const swap = t > 0.5;
        const near = swap ? f(1 - t) : t;
        const d = f(1 - near);
        const [T, D, pd] = [f(near * near), f(d * d), f(near * d)];
        const [base, other] = swap ? [to, from] : [from, to];
        for (let o = 0; o < result.length; o += 4) {
            const c = dot(from, to, o);
            const y = distanceFrom1(c);
            const p = f(pd * y);
            shared(Q, y, T, D, h);
            let u = f(near + f(f(p * f(1 + near)) * h[0]));
            const m = f(near - f(f(p * f(1 + d)) * h[1]));
            if (c < 0) u = -u;
            mix(result, base, other, u, m, swap && c < 0, o);
        }
    };
}

/** As `perPairMix`, with two weights. */
export function perPairScales(B) {
    const Q = columns(B);
    const h = new Float32Array(2);
    return (result, from, to, t) => {
        const d = f(1 - t);
        const [T, D, pd] = [f(t * t), f(d * d), f(t * d)];
        for (let o = 0; o < result.length; o += 4) {
            const c = dot(from, to, o);
            const y = distanceFrom1(c);
            const p = f(pd * y);
            shared(Q, y, T, D, h);
            const s1 = f(t + f(f(p * f(1 + t)) * h[0]));
            const s0 = f(d + f(f(p * f(1 + d)) * h[1]));
            scales(result, from, to, s0, c < 0 ? -s1 : s1, o);
        }
    };
}

/** The weight sin(t θ) / sin θ in double precision, for y = 1 - cos θ as the float32 routines have it. */
export function exactWeight(t, y) {
    if (y < 1e-13) return t;
    // θ by its half: 1 - cos θ = 2 sin²(θ/2), which loses nothing near 0.
    const angle = 2 * Math.asin(Math.sqrt(y / 2));
    return Math.sin(t * angle) / Math.sin(angle);
}

/** Weights without any error but their rounding: what is left is the rounding of the form itself. */
export function exactWeights(mixed) {
    return (result, from, to, t) => {
        const swap = mixed && t > 0.5;
        const near = swap ? f(1 - t) : t;
        const [base, other] = swap ? [to, from] : [from, to];
        for (let o = 0; o < result.length; o += 4) {
            const c = dot(from, to, o);
            const y = distanceFrom1(c);
            const [takes, keeps] = [exactWeight(near, y), exactWeight(1 - near, y)];
            const u = f(c < 0 ? -takes : takes);
            if (mixed) mix(result, base, other, u, f(1 - keeps), swap && c < 0, o);
            else scales(result, from, to, f(keeps), u, o);
        }
    };
}

/** The lerps: the sum by a mix or by two weights, the length by divisions or by one reciprocal and multiplications. */
export function lerpForm({ mixed, divided }) {
    const v = new Float32Array(4);
    return (result, from, to, t) => {
        const swap = mixed && t > 0.5;
        const near = swap ? f(1 - t) : t;
        const [base, other] = swap ? [to, from] : [from, to];
        for (let o = 0; o < result.length; o += 4) {
            const c = dot(from, to, o);
            const u = c < 0 ? -near : near;
            for (let k = 0; k < 4; k++) {
                v[k] = mixed
                    ? f(base[o + k] + f(f(u * other[o + k]) - f(near * base[o + k])))
                    : f(f(f(1 - t) * from[o + k]) + f(u * to[o + k]));
            }
            const n = dot(v, v, 0);
            const length = n === 0 ? 1 : f(Math.sqrt(n));
            const inverse = f(1 / length);
            for (let k = 0; k < 4; k++) {
                const r = divided ? f(v[k] / length) : f(v[k] * inverse);
                result[o + k] = swap && c < 0 ? -r : r;
            }
        }
    };
}
