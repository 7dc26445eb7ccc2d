// SPDX-License-Identifier: MIT

/**
 * Proves how close the polynomials of sin(t θ) / sin θ in native/kernels/coefficients.h are to the best ones of their shape
 * (docs/numerics.md, "How the coefficients were made"). Prints a table of docs/tables/slerps.md.
 *
 *     node scripts/docs/fit.mjs
 *
 * For each set it prints the max error on a grid, and a bound below which no polynomial of this shape can get. Lawson's algorithm
 * finds the bound: it repeats a weighted least squares fit, and moves the weights to where the error is larger. The root mean square
 * of such a fit, by its own weights, is never above the max error of any polynomial of the shape.
 */

import { readFileSync } from 'node:fs';

/** sin(t θ) / sin θ for y = 1 - cos θ, in double precision. */
function weight(t, y) {
    if (y === 0) return t;
    const angle = 2 * Math.asin(Math.sqrt(y / 2));
    return Math.sin(t * angle) / Math.sin(angle);
}

/** Samples of 0 … 1, denser towards both ends. */
const chebyshevNodes = (count) =>
    Array.from({ length: count }, (_, k) => 0.5 - 0.5 * Math.cos((Math.PI * (k + 0.5)) / count));

/** T_0 … T_n at 2x - 1. */
function chebyshev(n, x) {
    const z = 2 * x - 1;
    const values = [1, z];
    while (values.length <= n) values.push(2 * z * values.at(-1) - values.at(-2));
    return values.slice(0, n + 1);
}

/** Least squares by the normal equations with Cholesky's decomposition; the basis is nearly orthogonal. */
function solve(rows, target, weights) {
    const n = rows[0].length;
    const normal = Array.from({ length: n }, () => new Float64Array(n + 1));
    rows.forEach((row, i) => {
        for (let p = 0; p < n; p++) {
            const wp = weights[i] * row[p];
            for (let q = 0; q <= p; q++) normal[p][q] += wp * row[q];
            normal[p][n] += wp * target[i];
        }
    });
    const x = new Float64Array(n);
    for (let p = 0; p < n; p++) {
        for (let q = 0; q <= p; q++) {
            let sum = normal[p][q];
            for (let k = 0; k < q; k++) sum -= normal[p][k] * normal[q][k];
            normal[p][q] = p === q ? Math.sqrt(sum) : sum / normal[q][q];
        }
    }
    for (let p = 0; p < n; p++) {
        let sum = normal[p][n];
        for (let k = 0; k < p; k++) sum -= normal[p][k] * x[k];
        x[p] = sum / normal[p][p];
    }
    for (let p = n - 1; p >= 0; p--) {
        for (let k = p + 1; k < n; k++) x[p] -= normal[k][p] * x[k];
        x[p] /= normal[p][p];
    }
    return x;
}

/**
 * How each set was fitted: the degree in T of each of its Chebyshev polynomials in y, and the scale of its error. PS7 and PQ7 have the
 * min error of the vector, which is √(2 - y) times that of a weight where both weights have it.
 */
const ofWeight = () => 1;
const ofVector = (y) => Math.sqrt(2 - y);
const FITS = {
    PS7: [[3, 3, 3, 3, 3, 3, 3], ofVector],
    PQ7: [[2, 3, 3, 3, 2, 1, 1], ofVector],
    PS9: [[3, 3, 3, 3, 3, 3, 3, 3, 3], ofWeight],
    PQ8: [[2, 3, 3, 3, 3, 2, 1, 1], ofWeight],
};

/** A bound below the scaled max error of every polynomial of this shape. */
function lowerBound(degreesOfT, scale, rounds = 60) {
    const degree = degreesOfT.length;
    const [rows, target] = [[], []];
    for (const y of [...chebyshevNodes(6 * degree), 1]) {
        const powersOfY = chebyshev(degree - 1, y);
        for (const t of chebyshevNodes(40)) {
            const ends = t * (1 - t * t) * y * scale(y);
            const powersOfT = chebyshev(3, t * t);
            const row = (highest, k) => powersOfT.slice(0, highest + 1).map((T) => ends * powersOfY[k] * T);
            rows.push(degreesOfT.flatMap(row));
            target.push((weight(t, y) - t) * scale(y));
        }
    }
    let weights = new Float64Array(rows.length).fill(1 / rows.length);
    let bound = 0;
    for (let round = 0; round < rounds; round++) {
        let x = solve(rows, target, weights);
        const residual = () =>
            Float64Array.from(rows, (row, i) => row.reduce((sum, value, k) => sum - value * x[k], target[i]));
        // Again on the residual: this restores the digits that the normal equations lost.
        const correction = solve(rows, residual(), weights);
        x = x.map((value, k) => value + correction[k]);
        const errors = residual().map(Math.abs);
        bound = Math.max(bound, Math.sqrt(errors.reduce((sum, e, i) => sum + weights[i] * e * e, 0)));
        const sum = errors.reduce((total, e, i) => total + e * weights[i], 0);
        weights = weights.map((w, i) => (w * errors[i]) / sum + 1e-16);
    }
    return bound;
}

/** The sets by name: a comment `/// PS9: …` precedes each array. Row k is for the power k of y, column j for T^j. */
function setsInUse() {
    const file = new URL('../../native/kernels/coefficients.h', import.meta.url);
    const found = readFileSync(file, 'utf8').matchAll(
        /\/\/\/ (P[SQ]\d):[\s\S]*?constexpr double [^=]*= \{\n([^;]*)\n\};/g,
    );
    return [...found].map(([, name, rows]) => [
        name,
        rows.split('\n').map((line) => line.match(/-?\d[\d.e-]*/g).map(Number)),
    ]);
}

function polynomial(set, t, y) {
    const T = t * t;
    const rows = set.map((row) => row.reduceRight((sum, b) => sum * T + b, 0));
    return t + t * (1 - T) * rows.reduceRight((sum, row) => (sum + row) * y, 0);
}

/** On a grid: the max error of the weight, of the vector that both weights give, and the scaled one. */
function errorsOf(set, scale, steps = 500) {
    let [weights, vector, scaled] = [0, 0, 0];
    for (let i = 0; i <= 2 * steps; i++) {
        const y = i / (2 * steps);
        const times = Array.from({ length: steps + 1 }, (_, k) => k / steps);
        const errors = times.map((t) => polynomial(set, t, y) - weight(t, y));
        errors.forEach((e1, k) => {
            const e0 = errors[steps - k];
            weights = Math.max(weights, Math.abs(e1));
            vector = Math.max(vector, Math.sqrt(Math.max(e0 * e0 + e1 * e1 + 2 * (1 - y) * e0 * e1, 0)));
            scaled = Math.max(scaled, Math.abs(e1) * scale(y));
        });
    }
    return [weights, vector, scaled];
}

console.log(
    '| set | degree in y | numbers | max error of a weight | of the vector | lower bound | error / bound |\n' +
        '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
);
for (const [name, set] of setsInUse()) {
    const [degreesOfT, scale] = FITS[name];
    const numbers = set.flat().filter((value) => value !== 0).length;
    const [weights, vector, scaled] = errorsOf(set, scale);
    const bound = lowerBound(degreesOfT, scale);
    const cells = [weights, vector, bound].map((error) => error.toExponential(2));
    console.log(`| ${[name, set.length, numbers, ...cells, (scaled / bound).toFixed(2)].join(' | ')} |`);
}
