// SPDX-License-Identifier: MIT

/**
 * Errors of the functions of one number, of Eberly's polynomial with every number of terms, and of the published polynomials.
 * accuracy-table.test.ts has those of all other routines.
 */

import { type ImplementationOptions, implementation } from '../../../lib/lists';
import { describeImplementation, IMPLEMENTATIONS, type ImplementationName } from '../../support/implementations';
import { random } from '../../support/joint-data';
import { once } from '../../support/once';
import { type Errors, errorsOf, nearRightAngle, sample } from '../../support/quat-errors';

/** Eberly's polynomial in float32: slerp's greatest error, and that of the rotation, for n = 1 … 16. */
const EBERLY = [
    [4.24e-2, 1.326e-2],
    [1.175e-2, 3.719e-3],
    [3.899e-3, 1.43e-3],
    [1.421e-3, 5.66e-4],
    [5.469e-4, 2.305e-4],
    [2.203e-4, 9.619e-5],
    [9.086e-5, 4.096e-5],
    [3.847e-5, 1.776e-5],
    [1.658e-5, 7.849e-6],
    [7.28e-6, 3.577e-6],
    [3.275e-6, 1.687e-6],
    [1.527e-6, 8.525e-7],
    [7.598e-7, 5.045e-7],
    [4.21e-7, 3.506e-7],
    [2.911e-7, 3.087e-7],
    [2.061e-7, 2.829e-7],
] as const;

/** The functions of one number or two: between the first and the second, where these differ from the others'. */
const FUNCTIONS: Partial<Record<ImplementationName, Partial<Record<string, readonly [number, number]>>>> = {
    // By rsqrtps and rcpps: what every CPU keeps that meets their specified error.
    'paper/sse': { reciprocalSqrt: [1e-7, 3.5e-7], atanPositive: [1.9e-7, 2.7e-7] },
};

function expectAtMost(errors: Errors, key: 'max' | 'rotation', bound: number, what: string): void {
    if (!(errors[key] <= bound)) throw new Error(`${what}: ${key} is off by ${errors[key]}, needs at most ${bound}`);
}

/** Points of the quarter plane, of any size. */
const quarterPlane = once(() => {
    const next = random(60);
    const y = new Float32Array(100_000);
    const x = new Float32Array(y.length);
    for (let i = 0; i < y.length; i++) {
        const angle = (Math.PI / 2) * next();
        const size = 10 ** (8 * next() - 4);
        y[i] = Math.sin(angle) * size;
        x[i] = Math.cos(angle) * size;
    }
    return { y, x };
});

for (const { name } of IMPLEMENTATIONS) {
    describeImplementation(name, (kernels, routines) => {
        const isEberly = name.startsWith('eberly/');
        if (isEberly) {
            const withTerms = (options: ImplementationOptions) => implementation(name, options).slerpQuats!;
            it('slerpQuats has 8 terms where nothing is said', () => {
                const [usual, eight] = [kernels.slerpQuats, withTerms({ terms: 8 })].map((run) =>
                    errorsOf(run, sample('a').slice(0, 3)),
                );
                expect(usual).toEqual(eight);
            });
            it('slerpQuats with 1 … 16 terms has the errors of the polynomial, 4.5 to 35 times those of Table 1', () => {
                const lists = nearRightAngle();
                const wide = [...lists, ...sample('a')];
                EBERLY.forEach(([max, rotation], index) => {
                    const errors = errorsOf(withTerms({ terms: index + 1 }), wide);
                    // From 13 terms on rounding is what is measured, and the greatest of so few pairs says little.
                    const spare = index < 11 ? 1.01 : 1.1;
                    expectAtMost(errors, 'max', max * spare, `n = ${index + 1}`);
                    expectAtMost(errors, 'rotation', rotation * spare, `n = ${index + 1}`);
                    if (index < 11) expect(errors.max / max).toBeGreaterThan(0.93);
                });
            });
        }

        if (routines.includes('reciprocalSqrt')) {
            const [least, most] = FUNCTIONS[name]?.reciprocalSqrt ?? [1.74e-3, 1.7524e-3];
            it(`reciprocalSqrt is off by more than ${least} and less than ${most}, for every size of x`, () => {
                for (const exponent of [-126, -20, 0, 2, 60, 125]) {
                    const x = Float32Array.from({ length: 60_000 }, (_, i) => (1 + i / 20_000) * 2 ** exponent);
                    const result = new Float32Array(x.length);
                    kernels.reciprocalSqrt(result, x);
                    const worst = result.reduce((max, r, i) => Math.max(max, Math.abs(r * Math.sqrt(x[i]!) - 1)), 0);
                    expect(worst).toBeGreaterThan(least);
                    expect(worst).toBeLessThan(most);
                }
            });
        }
        if (routines.includes('sinZeroHalfPI')) {
            it('sinZeroHalfPI is within 1.66e-7 from 0 to π/2', () => {
                const a = Float32Array.from({ length: 100_000 }, (_, i) => ((Math.PI / 2) * i) / 99_999);
                const result = new Float32Array(a.length);
                kernels.sinZeroHalfPI(result, a);
                const worst = result.reduce((most, r, i) => Math.max(most, Math.abs(r - Math.sin(a[i]!))), 0);
                expect(worst).toBeGreaterThan(1e-7);
                expect(worst).toBeLessThan(1.66e-7);
            });
        }
        if (routines.includes('atanPositive')) {
            const [least, most] = FUNCTIONS[name]?.atanPositive ?? [1e-7, 1.9e-7];
            it(`atanPositive is off by more than ${least} and less than ${most} in the whole quarter plane`, () => {
                const { y, x } = quarterPlane();
                const result = new Float32Array(x.length);
                kernels.atanPositive(result, y, x);
                const worst = result.reduce((max, r, i) => Math.max(max, Math.abs(r - Math.atan2(y[i]!, x[i]!))), 0);
                expect(worst).toBeGreaterThan(least);
                expect(worst).toBeLessThan(most);
            });
        }
    });
}

describe('the polynomials of "Slerping Clock Cycles", section 5, in exact arithmetic', () => {
    const horner = (coefficients: readonly number[], s: number) => coefficients.reduce((sum, c) => sum * s + c, 0);
    const greatest = (error: (a: number) => number, end: number) =>
        Array.from({ length: 100_001 }, (_, i) => Math.abs(error((end * i) / 1e5))).reduce((a, b) => Math.max(a, b), 0);

    it.each([
        ['-1.666666664e-1: 2.33e-9, claimed 2.308e-9', -1.666666664e-1, 2.32e-9, 2.34e-9],
        ['-1.6666666664e-1, as printed: 3.26e-9', -1.6666666664e-1, 3.25e-9, 3.27e-9],
    ])('sine with c4 = %s', (_, c4, least, most) => {
        const sine = [-2.39e-8, 2.7526e-6, -1.98409e-4, 8.3333315e-3, c4, 1];
        const worst = greatest((a) => horner(sine, a * a) * a - Math.sin(a), Math.PI / 2);
        expect(worst).toBeGreaterThan(least);
        expect(worst).toBeLessThan(most);
        expect(Math.fround(c4)).toBe(Math.fround(-1 / 6));
    });

    it('arc tangent: 1.3592e-8, claimed 1.359e-8', () => {
        const atan = [
            0.0028662257, -0.0161657367, 0.0429096138, -0.07528964, 0.1065626393, -0.1420889944, 0.1999355085,
            -0.3333314528, 1,
        ];
        const worst = greatest((a) => horner(atan, a * a) * a - Math.atan(a), 1);
        expect(worst).toBeGreaterThan(1.358e-8);
        expect(worst).toBeLessThan(1.36e-8);
    });
});
