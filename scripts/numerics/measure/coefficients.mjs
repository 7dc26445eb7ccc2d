// SPDX-License-Identifier: MIT

/** How good the coefficients are, and how good they could be. */

import { SETS } from '../coefficients.mjs';
import { leastGreatestError, weight } from '../fit.mjs';
import { short } from './pairs.mjs';

function polynomial(B, t, y) {
    const T = t * t;
    let sum = 0;
    for (let k = B.length - 1; k >= 0; k--) {
        let row = 0;
        for (let j = B[k].length - 1; j >= 0; j--) row = row * T + B[k][j];
        sum = (sum + row) * y;
    }
    return t + t * (1 - T) * sum;
}

/** The greatest error of each set in double precision on a grid: of the weight, and of the vector that both weights give. */
export function measureCoefficients(quick) {
    const steps = quick ? 100 : 500;
    return Object.entries(SETS).map(([name, B]) => {
        let [ofWeight, ofVector, atEnds] = [0, 0, 0];
        for (let i = 0; i <= 2 * steps; i++) {
            const y = i / (2 * steps);
            const errors = Float64Array.from({ length: steps + 1 }, (_, k) => {
                const t = k / steps;
                return polynomial(B, t, y) - weight(t, y);
            });
            errors.forEach((e1, k) => {
                const e0 = errors[steps - k];
                ofWeight = Math.max(ofWeight, Math.abs(e1));
                ofVector = Math.max(ofVector, Math.sqrt(Math.max(e0 * e0 + e1 * e1 + 2 * (1 - y) * e0 * e1, 0)));
            });
            atEnds = Math.max(atEnds, Math.abs(polynomial(B, 0, y)), Math.abs(polynomial(B, 1, y) - 1));
        }
        const numbers = B.flat().filter((value) => value !== 0).length;
        return { name, degree: B.length, numbers, weight: short(ofWeight), vector: short(ofVector), atEnds };
    });
}

/** What is possible: by the degree of y, and by that of T. */
export function measureFits() {
    const fits = [...[3, 4, 5, 6, 7, 8, 9].map((degree) => [degree, 3]), [8, 2], [8, 4], [9, 2], [9, 4], [10, 4]];
    return fits.map(([degree, degreeOfT]) => ({
        degree,
        degreeOfT,
        weight: Number(leastGreatestError(degree, Array(degree).fill(degreeOfT)).toPrecision(2)),
    }));
}
