// SPDX-License-Identifier: MIT

/**
 * How good the polynomials of sin(t θ) / sin θ in native/kernels/coefficients.h are, and how good any can be, with
 * y = 1 - cos θ and T = t² over the square 0 ≤ y ≤ 1, 0 ≤ t ≤ 1 (docs/numerics.md). Prints two tables of
 * docs/tables/slerps.md.
 *
 *     node scripts/docs/fit.mjs           both; about a minute
 *     node scripts/docs/fit.mjs --sets    the sets in use alone
 *
 * The second table comes from Lawson's algorithm: least squares again and again, with more weight where the error was
 * greater. On the points of the fit its error is never below the least possible one, and close to it after some hundred
 * rounds.
 */

import { readFileSync } from 'node:fs';

/** sin(t θ) / sin θ for y = 1 - cos θ, in double precision. */
function weight(t, y) {
    if (y === 0) return t;
    const angle = 2 * Math.asin(Math.sqrt(y / 2));
    return Math.sin(t * angle) / Math.sin(angle);
}

/** Where a polynomial fit has to look: denser towards both ends. */
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
    for (let i = 0; i < rows.length; i++) {
        const [row, w] = [rows[i], weights[i]];
        for (let p = 0; p < n; p++) {
            const wp = w * row[p];
            for (let q = 0; q <= p; q++) normal[p][q] += wp * row[q];
            normal[p][n] += wp * target[i];
        }
    }
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
 * @param degree The highest power of y.
 * @param degreesOfT For each power of y the highest power of T = t².
 * @returns The max error of the weight, on the points of the fit.
 */
function leastError(degree, degreesOfT, rounds = 200) {
    const [rows, target] = [[], []];
    for (const y of [...chebyshevNodes(3 * degree + 6), 1]) {
        const powersOfY = chebyshev(degree - 1, y);
        for (const t of chebyshevNodes(2 * Math.max(...degreesOfT) + 20)) {
            const ends = t * (1 - t * t) * y;
            const powersOfT = chebyshev(Math.max(...degreesOfT), t * t);
            const row = [];
            degreesOfT.forEach((highest, k) => {
                for (let j = 0; j <= highest; j++) row.push(ends * powersOfY[k] * powersOfT[j]);
            });
            rows.push(row);
            target.push(weight(t, y) - t);
        }
    }
    let weights = new Float64Array(rows.length).fill(1);
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
        let x = solve(rows, target, weights);
        const residual = () =>
            Float64Array.from(rows, (row, i) => row.reduce((sum, value, k) => sum - value * x[k], target[i]));
        // Once more on what is left, which takes back what the normal equations lost.
        const correction = solve(rows, residual(), weights);
        x = x.map((value, k) => value + correction[k]);
        const errors = residual().map(Math.abs);
        least = Math.min(
            least,
            errors.reduce((a, b) => Math.max(a, b)),
        );
        const sum = errors.reduce((total, e, i) => total + e * weights[i], 0);
        weights = weights.map((w, i) => (w * errors[i] * rows.length) / sum + 1e-12);
    }
    return least;
}

/** The sets by name: a comment `/// PS9: …` stands before each array. Row k is for the power k of y, column j for T^j. */
function setsInUse() {
    const header = readFileSync(new URL('../../native/kernels/coefficients.h', import.meta.url), 'utf8');
    const found = header.matchAll(/\/\/\/ (P\w+):[\s\S]*?constexpr double [^=]*= \{\n([^;]*)\n\};/g);
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

/** On a grid: the max error of the weight, and of the vector that both weights give. */
function errorsOf(set, steps = 500) {
    let [ofWeight, ofVector] = [0, 0];
    for (let i = 0; i <= 2 * steps; i++) {
        const y = i / (2 * steps);
        const errors = Array.from(
            { length: steps + 1 },
            (_, k) => polynomial(set, k / steps, y) - weight(k / steps, y),
        );
        errors.forEach((e1, k) => {
            const e0 = errors[steps - k];
            ofWeight = Math.max(ofWeight, Math.abs(e1));
            ofVector = Math.max(ofVector, Math.sqrt(Math.max(e0 * e0 + e1 * e1 + 2 * (1 - y) * e0 * e1, 0)));
        });
    }
    return [ofWeight, ofVector];
}

console.log(
    '| set | degree in y | numbers | max error of a weight | of the vector |\n| --- | ---: | ---: | ---: | ---: |',
);
for (const [name, set] of setsInUse()) {
    const numbers = set.flat().filter((value) => value !== 0).length;
    const errors = errorsOf(set).map((error) => error.toExponential(2));
    console.log(`| ${name} | ${set.length} | ${numbers} | ${errors.join(' | ')} |`);
}

if (!process.argv.includes('--sets')) {
    const fits = [3, 4, 5, 6, 7, 8, 9].map((degree) => [degree, 3]);
    console.log('\n| degree in y | degree in T | min error of a weight |\n| ---: | ---: | ---: |');
    for (const [degree, degreeOfT] of [...fits, [8, 2], [8, 4], [9, 2], [9, 4], [10, 4]]) {
        const least = leastError(degree, Array(degree).fill(degreeOfT));
        console.log(`| ${degree} | ${degreeOfT} | ${least.toExponential(1)} |`);
    }
}
