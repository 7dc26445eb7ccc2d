// SPDX-License-Identifier: MIT

/**
 * Slerps as other libraries and textbooks have them: those that are installed are called, the rest is written here from
 * its formula, in float32 where it is a float library. All take (result, from, to, t), lists of quaternions and one t.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { root } from '../lib.mjs';
import { exactWeight } from './forms.mjs';

const f = Math.fround;

/** Of one pair after the other, each as `one(result, a, b, t, o)`. */
const ofEach = (one) => (result, from, to, t) => {
    for (let o = 0; o < result.length; o += 4) one(result, from, to, t, o);
};

function combine(result, a, b, s0, s1, o) {
    for (let k = o; k < o + 4; k++) result[k] = s0 * a[k] + s1 * b[k];
}

function combineInFloat(result, a, b, s0, s1, o) {
    for (let k = o; k < o + 4; k++) result[k] = f(f(s0 * a[k]) + f(s1 * b[k]));
}

function dotInDouble(a, b, o) {
    return a[o] * b[o] + a[o + 1] * b[o + 1] + a[o + 2] * b[o + 2] + a[o + 3] * b[o + 3];
}

function dotInFloat(a, b, o) {
    let sum = f(a[o] * b[o]);
    for (let k = 1; k < 4; k++) sum = f(sum + f(a[o + k] * b[o + k]));
    return sum;
}

/** The textbook's, K. Shoemake 1985, in double precision throughout: sin((1-t)θ)/sin θ and sin(tθ)/sin θ by acos and sin. */
const inDouble = ofEach((result, a, b, t, o) => {
    const c = dotInDouble(a, b, o);
    const angle = Math.acos(Math.min(Math.abs(c), 1));
    const sine = Math.sin(angle);
    const [s0, s1] = sine === 0 ? [1 - t, t] : [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine];
    combine(result, a, b, s0, c < 0 ? -s1 : s1, o);
});

/** The same with float32 functions: each is the double one rounded, so as good as an acosf or sinf can be. */
const inFloat = ofEach((result, a, b, t, o) => {
    const c = dotInFloat(a, b, o);
    const cosine = Math.abs(c);
    let [s0, s1] = [f(1 - t), t];
    if (f(1 - cosine) > f(1e-6)) {
        const angle = f(Math.acos(cosine));
        const sine = f(Math.sin(angle));
        s0 = f(f(Math.sin(f(s0 * angle))) / sine);
        s1 = f(f(Math.sin(f(s1 * angle))) / sine);
    }
    combineInFloat(result, a, b, s0, c < 0 ? -s1 : s1, o);
});

/**
 * The textbook's formula in float32 without a case for sin θ = 0, and 1 / sin θ as 1 / sqrt(1 - cos²θ): what the Realtime
 * Math library (RTM) documents for its quat_slerp.
 */
const withoutCase = ofEach((result, a, b, t, o) => {
    const c = dotInFloat(a, b, o);
    const cosine = Math.min(Math.abs(c), 1);
    const angle = f(Math.acos(cosine));
    const inverse = f(1 / f(Math.sqrt(f(1 - f(cosine * cosine)))));
    const s0 = f(f(Math.sin(f(f(1 - t) * angle))) * inverse);
    const s1 = f(f(Math.sin(f(t * angle))) * inverse);
    combineInFloat(result, a, b, s0, c < 0 ? -s1 : s1, o);
});

/** The textbook's formula in float32, and above cos θ = 1 - ε a lerp that is not normalised: glm's. */
const EPSILON = 2 ** -23;
const withEpsilon = ofEach((result, a, b, t, o) => {
    const c = dotInFloat(a, b, o);
    const cosine = Math.abs(c);
    let [s0, s1] = [f(1 - t), t];
    if (!(cosine > f(1 - EPSILON))) {
        const angle = f(Math.acos(cosine));
        const sine = f(Math.sin(angle));
        s0 = f(f(Math.sin(f(s0 * angle))) / sine);
        s1 = f(f(Math.sin(f(s1 * angle))) / sine);
    }
    combineInFloat(result, a, b, s0, c < 0 ? -s1 : s1, o);
});

/**
 * A slerp through estimates, in float32: 1 / sin θ from a reciprocal square root and the quotient in an arc tangent from
 * a reciprocal, each an estimate with one Newton step after it; arc tangent and sine by polynomials (Abramowitz and
 * Stegun 4.4.49 and 4.3.97). That is how slerp was vectorised in 2005 and 2011. An instruction set bounds the error of an
 * estimate and leaves its value to the maker of the processor.
 *
 * @param rsqrt,rcp The estimates.
 */
export function throughEstimates({ rsqrt, rcp }) {
    const ATAN = [0.0028662257, -0.0161657367, 0.0429096138, -0.07528964, 0.1065626393, -0.1420889944, 0.1999355085];
    const [atan, sine] = [
        [...ATAN, -0.3333314528, 1],
        [-2.39e-8, 2.7526e-6, -1.98409e-4, 8.3333315e-3, -1.666666664e-1, 1],
    ].map((list) => Float32Array.from(list));
    const horner = (list, x) => {
        let sum = list[0];
        for (let k = 1; k < list.length; k++) sum = f(f(sum * x) + list[k]);
        return sum;
    };
    const sin = (x) => f(horner(sine, f(x * x)) * x);
    const inverseRoot = (x) => {
        const r = rsqrt(x);
        return f(f(f(f(x * r) * r) - 3) * f(r * -0.5));
    };
    const inverse = (x) => {
        const r = rcp(x);
        return f(f(r + r) - f(f(x * r) * r));
    };
    return ofEach((result, a, b, t, o) => {
        const c = dotInFloat(a, b, o);
        const cosine = Math.abs(c);
        // Not 0, whose inverse root is none.
        const square = Math.abs(f(1 - f(cosine * cosine))) || f(1e-10);
        const k = inverseRoot(square);
        const s = f(square * k);
        const flat = cosine > s;
        const ratio = flat ? f(s * inverse(cosine)) : -f(cosine * inverse(s));
        const angle = f(f(ratio * horner(atan, f(ratio * ratio))) + (flat ? 0 : f(Math.PI / 2)));
        const takes = f(t * angle);
        const s1 = f(sin(takes) * k);
        combineInFloat(result, a, b, f(sin(f(angle - takes)) * k), c < 0 ? -s1 : s1, o);
    });
}

/** What Intel and AMD promise of rsqrtps and rcpps: at most so great a relative error. */
export const ESTIMATE_ERROR = 1.5 * 2 ** -12;

const asFloat = new Float32Array(1);
const asBits = new Uint32Array(asFloat.buffer);

/** Some maker's estimates: relative errors within the bound, as a table would have them, by the number's first 11 bits. */
export function estimatesOf(maker) {
    const errorAt = (x) => {
        asFloat[0] = x;
        // The lowest bit of the exponent and 11 of the mantissa, hashed with the maker.
        let h = Math.imul(((asBits[0] >>> 12) & 0xfff) + 0x1000 * maker, 0x9e3779b1);
        h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
        return ESTIMATE_ERROR * (((h ^ (h >>> 13)) >>> 0) / 2 ** 31 - 1);
    };
    return {
        rsqrt: (x) => f((1 / Math.sqrt(x)) * (1 + errorAt(x))),
        rcp: (x) => f((1 / x) * (1 + errorAt(f(x + x)))),
    };
}

/** Estimates that are off by all that is allowed, always the same way. */
export function worstEstimates(rsqrtSign, rcpSign) {
    return {
        rsqrt: (x) => f((1 / Math.sqrt(x)) * (1 + rsqrtSign * ESTIMATE_ERROR)),
        rcp: (x) => f((1 / x) * (1 + rcpSign * ESTIMATE_ERROR)),
    };
}

/** The same weights in double precision, whatever the angle: what all of them approximate, rounded once at the end. */
export const exact = ofEach((result, a, b, t, o) => {
    const c = dotInDouble(a, b, o);
    const y = Math.max(1 - Math.abs(c), 0);
    const s1 = exactWeight(t, y);
    combine(result, a, b, exactWeight(1 - t, y), c < 0 ? -s1 : s1, o);
});

function installed(name) {
    const require = createRequire(import.meta.url);
    const file = path.join(root, 'node_modules', name, 'package.json');
    return { version: JSON.parse(fs.readFileSync(file, 'utf8')).version, require };
}

/** Each with its name in the document. */
export async function otherSlerps() {
    const three = installed('three').version;
    const { Quaternion } = await import('three');
    const glMatrix = installed('gl-matrix');
    const { quat } = glMatrix.require('gl-matrix');
    return {
        double: { name: 'textbook, double (`acos`, `sin`)', run: inDouble },
        float: { name: 'textbook, float (`acosf`, `sinf`)', run: inFloat },
        withoutCase: { name: "RTM's formula, float", run: withoutCase },
        glm: { name: "glm's formula, float", run: withEpsilon },
        three: {
            name: `three.js ${three}, double`,
            run: ofEach((result, a, b, t, o) => Quaternion.slerpFlat(result, o, a, o, b, o, t)),
        },
        glMatrix: {
            name: `gl-matrix ${glMatrix.version}, double`,
            run: (result, a, b, t) => {
                const out = [0, 0, 0, 0];
                for (let o = 0; o < result.length; o += 4) {
                    quat.slerp(out, a.subarray(o, o + 4), b.subarray(o, o + 4), t);
                    result.set(out, o);
                }
            },
        },
    };
}
