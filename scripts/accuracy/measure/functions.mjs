// SPDX-License-Identifier: MIT

/** Errors of normalization, of the functions of one float, and of the polynomials behind them. */

import { Errors } from '../reference.mjs';
import { random, unitQuaternion } from '../sets.mjs';
import { asRow, variants } from './variants.mjs';

/** normalizeJoints of quaternions of all lengths from 0.5 to 3: errors against the exact quotients. */
export function measureNormalization(library, quick) {
    const all = variants(library, 'normalizeJoints');
    const errors = new Map(all.map((variant) => [variant, new Errors()]));
    const next = random(0x4012);
    const q = new Float64Array(4);
    const joints = 40_000;
    for (let chunk = 0; chunk < (quick ? 1 : 100); chunk++) {
        const list = new Float32Array(joints * 8);
        const right = new Float64Array(joints * 4);
        for (let i = 0; i < joints; i++) {
            unitQuaternion(next, q);
            const length = 0.5 + 2.5 * next();
            for (let k = 0; k < 4; k++) list[i * 8 + k] = q[k] * length;
            const exact = Math.hypot(...list.subarray(i * 8, i * 8 + 4));
            for (let k = 0; k < 4; k++) right[i * 4 + k] = list[i * 8 + k] / exact;
        }
        for (const variant of all) {
            if (!variant.run) continue;
            const normalized = list.slice();
            variant.run(normalized);
            errors.get(variant).add(normalized, 8, { right, other: new Map() });
        }
    }
    return all.map((variant) => asRow(variant, { errors: errors.get(variant) }));
}

/** The functions of one float, on inputs of all sizes that they are made for. */
export function measureFunctions(library, quick) {
    const count = quick ? 40_000 : 4_000_000;
    const next = random(0xf0);
    // A binade pair: the error depends on nothing else.
    const binades = Float32Array.from({ length: count }, (_, i) => 1 + (3 * i) / count);
    const angles = Float32Array.from({ length: count }, (_, i) => ((Math.PI / 2) * i) / (count - 1));
    const [y, x] = [new Float32Array(count), new Float32Array(count)];
    for (let i = 0; i < count; i++) {
        const angle = (Math.PI / 2) * next();
        const size = 10 ** (6 * next() - 3);
        [y[i], x[i]] = [Math.abs(Math.sin(angle)) * size, Math.abs(Math.cos(angle)) * size];
    }
    const functions = {
        reciprocalSqrt: { args: [binades], error: (r, i) => Math.abs(r * Math.sqrt(binades[i]) - 1) },
        sinZeroHalfPI: { args: [angles], error: (r, i) => Math.abs(r - Math.sin(angles[i])) },
        atanPositive: { args: [y, x], error: (r, i) => Math.abs(r - Math.atan2(y[i], x[i])) },
    };
    return Object.entries(functions).flatMap(([routine, { args, error }]) =>
        variants(library, routine).map((variant) => {
            if (!variant.run) return asRow(variant);
            const result = new Float32Array(count);
            variant.run(result, ...args);
            let [max, squares] = [0, 0];
            for (let i = 0; i < count; i++) {
                const off = error(result[i], i);
                if (!(off <= max)) max = off;
                squares += off * off;
            }
            return asRow(variant, { max, rms: Math.sqrt(squares / count) });
        }),
    );
}

/**
 * The polynomials of sine and arc tangent in double precision, coefficients as printed: what the paper's figures for
 * them are about. `sine` is by the fifth coefficient, which the paper prints with a 6 too many.
 */
export function measurePolynomials() {
    const horner = (coefficients, s) => coefficients.reduce((sum, c) => sum * s + c, 0);
    const sine = (c4) => (a) =>
        horner([-2.39e-8, 2.7526e-6, -1.98409e-4, 8.3333315e-3, c4, 1], a * a) * a - Math.sin(a);
    const ATAN = [
        0.0028662257, -0.0161657367, 0.0429096138, -0.07528964, 0.1065626393, -0.1420889944, 0.1999355085,
        -0.3333314528, 1,
    ];
    const atan = (a) => horner(ATAN, a * a) * a - Math.atan(a);
    const greatest = (error, end) => {
        let max = 0;
        for (let i = 0; i <= 1e5; i++) max = Math.max(max, Math.abs(error((end * i) / 1e5)));
        return max;
    };
    return {
        sine: greatest(sine(-1.666666664e-1), Math.PI / 2),
        sineAsPrinted: greatest(sine(-1.6666666664e-1), Math.PI / 2),
        atan: greatest(atan, 1),
    };
}
