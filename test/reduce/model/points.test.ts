// SPDX-License-Identifier: MIT

/** The chosen points represent the whole cloud. */

import { addon } from '../../../lib/addon/load';
import { coveringPoints, coverTwin } from '../../../lib/reduce/model/points';
import { itNative } from '../../support/implementations';
import { random } from '../../support/random';

type Shape = (next: () => number) => number[];

const at =
    (x: number): Shape =>
    (next) => [next() - 0.5 + x, next() - 0.5 - x, next() - 0.5];

const SHAPES: readonly (readonly [string, Shape])[] = [
    ['a ball', (next) => onSphere(next).map((x) => x * Math.cbrt(next()))],
    ['a sphere', onSphere],
    ['a box', at(0)],
    ['a distant box', at(1e5)],
    ['a thin disc', (next) => [Math.cos(7 * next()) * next(), Math.sin(7 * next()) * next(), 1e-4 * next()]],
    ['a flat disc', (next) => [next() - 0.5, 3, next() - 0.5]],
    ['a line', onLine],
    ['one axis', (next) => [0, next(), 0]],
    ['a needle', (next) => [0.01 * next(), 50 * next(), 0.01 * next()]],
    ['few places', (next) => [0, 1, 2].map(() => Math.floor(next() * 2))],
    ['one place', () => [0.25, -1, 7]],
    ['outliers', (next) => onSphere(next).map((x) => (next() < 0.02 ? 30 * x : x))],
];

function onLine(next: () => number): number[] {
    const t = next();
    return [1 + t, 2 - 3 * t, 0.5 * t];
}

function onSphere(next: () => number): number[] {
    for (;;) {
        const v = [next(), next(), next()].map((x) => 2 * x - 1);
        const length = Math.hypot(...v);
        if (length > 0.1 && length <= 1) return v.map((x) => x / length);
    }
}

/** The max length of points multiplied by an affine matrix, row-major 3 x 4. */
function longest(m: readonly number[], points: readonly number[]): number {
    let max = 0;
    for (let p = 0; p < points.length; p += 3) {
        const [x, y, z] = [points[p]!, points[p + 1]!, points[p + 2]!];
        const image = [0, 4, 8].map((r) => m[r]! * x + m[r + 1]! * y + m[r + 2]! * z + m[r + 3]!);
        max = Math.max(max, Math.hypot(...image));
    }
    return max;
}

const frobenius = (m: readonly number[]) => Math.hypot(...m.filter((_, e) => e % 4 !== 3));

/** Random sizes; every third has a single direction; translations move the middle of the cloud to about 0. */
function differences(next: () => number, points: readonly number[]): number[][] {
    return Array.from({ length: 60 }, (_, i) => {
        const [a, b] = [onSphere(next), onSphere(next)];
        const entry = (e: number) => (i % 3 === 0 ? a[Math.floor(e / 4)]! * b[e % 4]! : 2 * next() - 1);
        const m = Array.from({ length: 12 }, (_, e) => (e % 4 === 3 ? next() - 0.5 : entry(e)));
        if (i % 2 === 0) {
            const middle = points.slice(3 * Math.floor(next() * (points.length / 3))).slice(0, 3);
            for (const r of [0, 4, 8]) m[r + 3]! -= middle.reduce((sum, x, c) => sum + x * m[r + c]!, 0);
        }
        return m;
    });
}

describe.each(SHAPES)('%s', (_, shape) => {
    test.each([1, 8, 9, 60, 1500])(
        'of %d points: none moves further than the worst chosen one, plus the slack',
        (count) => {
            const next = random(2204 + count);
            const points = Array.from({ length: count }, () => shape(next)).flat();
            const { points: chosen, slack } = coveringPoints({ points });
            for (const m of differences(next, points)) {
                const bound = longest(m, chosen) + slack * frobenius(m);
                expect(longest(m, points)).toBeLessThanOrEqual(bound * (1 + 1e-9));
            }
            // The proof does not choose all points, and its slack is smaller than the cloud.
            const radius = longest([1, 0, 0, -points[0]!, 0, 1, 0, -points[1]!, 0, 0, 1, -points[2]!], points);
            expect(slack).toBeLessThanOrEqual(0.017 * radius);
            expect(chosen.length).toBeLessThanOrEqual(points.length);
            expect(coveringPoints({ points }, coverTwin)).toEqual({ points: chosen, slack });
        },
    );
});

test('chosen points are points of the cloud, and few of a dense one', () => {
    const next = random(2205);
    const points = Array.from({ length: 4000 }, () => onSphere(next).map((x) => x * next())).flat();
    const { points: chosen } = coveringPoints({ points });
    const known = new Set(Array.from({ length: 4000 }, (_, i) => points.slice(i * 3, i * 3 + 3).join()));
    const own = Array.from({ length: chosen.length / 3 }, (_, i) => chosen.slice(i * 3, i * 3 + 3).join());
    expect(own.filter((point) => !known.has(point))).toEqual([]);
    expect(own.length).toBeLessThan(points.length / 3 / 8);
});

itNative('the addon refuses lists that are too short and indices out of bounds', () => {
    const { coverPoints } = addon!;
    const list = (length: number) => new Float64Array(length);
    const good = [list(9), list(1), list(6), Int32Array.of(0), Int32Array.of(3, 0), 1, 8];
    expect(coverPoints(...good)).toBe(1);
    const bad: [number, unknown][] = [
        ...good.map((_, at): [number, unknown] => [at, null]),
        [0, list(8)],
        [1, list(0)],
        [2, list(5)],
        ...[-1, 4, 2 ** 31 - 1].flatMap((index): [number, unknown][] => [
            [3, Int32Array.of(index)],
            [4, Int32Array.of(0, index)],
        ]),
    ];
    for (const [at, value] of bad) {
        expect([at, value, coverPoints(...good.with(at, value as never))]).toEqual([at, value, false]);
    }
});
