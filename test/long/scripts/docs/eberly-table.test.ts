// SPDX-License-Identifier: MIT

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../../../support/processes';

const ROOT = join(__dirname, '../../../..');

interface Row {
    n: number;
    printed: { mu: string; e: string; t0: string; t1: string };
    mu: string;
    muDifference: number;
    e: string;
    eIs: string;
    t0: string;
    t0Is: string;
    t1: string;
    t1Is: string;
}

interface Bounds {
    n: number;
    lower: [number, number];
    ratio: [number, number];
    holds: boolean;
    average: number;
    averageError: number;
    mu: number;
    e: number;
}

interface Measured {
    n: number;
    bound: number;
    atZero: number;
    max: number;
    x: number;
    t: number;
    ratio: number;
    vectorBound: number;
    vectorMax: number;
}

describe('scripts/docs/eberly-table.mjs', () => {
    const { stdout, stderr } = runNode([join(ROOT, 'scripts/docs/eberly-table.mjs'), '--json']);
    if (stderr !== '') throw new Error(stderr);
    const { table, bounds, square, text } = JSON.parse(stdout) as {
        table: Row[];
        bounds: Bounds[];
        square: Measured[];
        text: string;
    };
    const eight = { row: table.find(({ n }) => n === 8)!, square: square.find(({ n }) => n === 8)! };

    test('recomputes Table 1 of the article', () => {
        expect(table.map(({ n }) => n)).toEqual(Array.from({ length: 16 }, (_, k) => k + 1));
        for (const { printed, mu, e, eIs, t0Is, t1Is, muDifference } of table) {
            expect(Math.abs(Number(mu) - Number(printed.mu))).toBeLessThan(2e-11);
            expect(Number(printed.mu) - Number(mu)).toBeCloseTo(muDifference, 15);
            expect(Math.abs(Number(e) / Number(printed.e) - 1)).toBeLessThan(1e-6);
            for (const kind of [eIs, t0Is, t1Is]) expect(['exact', 'cut off']).toContain(kind);
        }
    });

    test('for n = 8: mu to 1e-12, e to 1e-11', () => {
        expect(eight.row.mu).toBe('0.90110745351739949');
        expect(Math.abs(Number(eight.row.mu) - 0.9011074535173995)).toBeLessThan(1e-12);
        expect(Math.abs(Number(eight.row.e) - 1.349968e-6)).toBeLessThan(1e-11);
        expect(Number(eight.row.t0)).toBeCloseTo(0.2952, 4);
        expect(eight.row.t1).toBe('0.820688');
    });

    test('for n = 8: the true maximum is 2.5988e-5, more than 19 times the printed bound', () => {
        expect(eight.square.max / 2.5988e-5).toBeGreaterThan(0.99);
        expect(eight.square.max / 2.5988e-5).toBeLessThan(1.01);
        expect(eight.square.ratio).toBeGreaterThan(19);
        expect(eight.square.x).toBeCloseTo(0.103, 2);
        expect(eight.square.t).toBeCloseTo(0.52, 2);
    });

    test('the maximum is a value of the error, by its definition', () => {
        const { n, x, t, max } = eight.square;
        const theta = Math.acos(x);
        let term = t;
        let sum = t;
        for (let i = 1; i <= n; i++) {
            term *= ((t * t - i * i) / (i * (2 * i + 1))) * (x - 1);
            sum += term;
        }
        const approximation = sum + Number(eight.row.mu) * term;
        expect(Math.abs(approximation - Math.sin(t * theta) / Math.sin(theta)) / max).toBeCloseTo(1, 6);
    });

    test('for every n the bound holds at x = 0 and not on the whole square, nor does 2e for slerp', () => {
        for (const { atZero, bound, ratio, vectorMax, vectorBound } of square) {
            expect(atZero / bound).toBeCloseTo(1, 5);
            expect(ratio).toBeGreaterThan(4.5);
            expect(vectorMax).toBeGreaterThan(3 * vectorBound);
        }
    });

    test('equation 17: g lies between its bounds, and its average divided by p between its ends', () => {
        expect(bounds).toHaveLength(16);
        for (const { n, lower, ratio, holds, average } of bounds) {
            expect(holds).toBe(true);
            expect(lower[0]).toBeCloseTo(n / (n + 1), 12);
            expect(average).toBeLessThan(ratio[0]);
            expect(average).toBeGreaterThan(ratio[1]);
        }
    });

    test('the ratio g / p is that of its definition, and the average its mean', () => {
        // sin(pi t / 2) less the series, which leaves enough digits where n is small.
        const [n, t] = [3, 1e-3];
        let term = t;
        let sum = t;
        for (let i = 1; i <= n; i++) {
            term *= (i * i - t * t) / (i * (2 * i + 1));
            sum += term;
        }
        expect((Math.sin((Math.PI * t) / 2) - sum) / term).toBeCloseTo(bounds[n - 1]!.ratio[0], 5);
        // g / p falls ever faster, so that its mean is above that of its ends.
        for (const { ratio, average } of bounds) expect(average).toBeGreaterThan((ratio[0] + ratio[1]) / 2);
    });

    test('mu is better than the average for every n, by 15% at most', () => {
        for (const { averageError, e } of bounds) {
            expect(averageError).toBeGreaterThan(e);
            expect(averageError / e).toBeLessThan(1.15);
        }
    });

    test('docs/images/eberly-figures.svg is what --figures draws', () => {
        const drawn = runNode([join(ROOT, 'scripts/docs/eberly-table.mjs'), '--figures']);
        expect(drawn.stdout).toBe(readFileSync(join(ROOT, 'docs/images/eberly-figures.svg'), 'utf8'));
    });

    test('docs/tables/eberly.md has every row that the script prints', () => {
        const page = readFileSync(join(ROOT, 'docs/tables/eberly.md'), 'utf8');
        const rows = text.split('\n').filter((line) => line.startsWith('|'));
        expect(rows.length).toBeGreaterThan(40);
        for (const row of rows) expect(page).toContain(`\n${row}\n`);
    });
});
