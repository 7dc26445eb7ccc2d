// SPDX-License-Identifier: MIT

/** Values between keys equal those of the double evaluator, within the error of the polynomials of slerp: two sines of 5.3e-9 each. */

import { keyUpTo, type SampledChannel, sampleChannel, sampleFrom } from '../../../lib/reduce/model/sampler';
import { type Sampler, sampleAt } from '../../../lib/verify/sampler';
import { random, randomRotation, randomVector } from '../../support/random';
import { randomKeys } from '../rigs';

const PATHS = [
    ['translation', 3],
    ['rotation', 4],
    ['scale', 3],
] as const;
const WAYS = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;

/** Keys are at most 2% longer than 1 here. */
const NEAR = 2 * 5.3e-9 * 1.02;

type Path = (typeof PATHS)[number][0];

/** The same channel for the evaluator. */
function plain({ times, values, interpolation }: SampledChannel, path: Path, width: number): Sampler {
    const doubles = { times: Float64Array.from(times), values: Float64Array.from(values) };
    return { ...doubles, interpolation, width, rotation: path === 'rotation' };
}

/** Key times, times between them, and times outside. */
function timesOf({ times }: SampledChannel, next: () => number): number[] {
    const [first, last] = [times[0]!, times[times.length - 1]!];
    const between = Array.from({ length: 40 }, () => first + (last - first) * next());
    return [first - 1, ...Array.from(times), ...between, last + 1].sort((a, b) => a - b);
}

/** The max difference of any component, at all times. */
function worstOf(channel: SampledChannel, path: Path, width: number, times: readonly number[]): number {
    const result = new Float64Array(times.length * (width + 2)).fill(Number.NaN);
    sampleChannel(channel, width, times, result, 1, width + 2);
    const expected = times.map((time) => sampleAt(plain(channel, path, width), time));
    const off = expected.map((value, i) => value.map((x, c) => Math.abs(x - result[i * (width + 2) + 1 + c]!)));
    // Memory around the values is unchanged.
    expect(times.every((_, i) => Number.isNaN(result[i * (width + 2)]!))).toBe(true);
    return off.flat().reduce((max, x) => (Number.isNaN(x) ? Infinity : Math.max(max, x)), 0);
}

describe.each(WAYS)('%s', (interpolation) => {
    test.each(PATHS)('a random %s equals that of the evaluator', (path, width) => {
        const next = random(2201);
        for (let i = 0; i < 60; i++) {
            const keys = randomKeys(next, interpolation, path, width, 12, 0.02);
            const channel = {
                interpolation,
                times: Float32Array.from(keys.times),
                values: Float32Array.from(keys.values),
            };
            expect(worstOf(channel, path, width, timesOf(channel, next))).toBeLessThan(NEAR);
        }
    });

    test.each(PATHS)('of %s keys at one time the last one is used', (path, width) => {
        const next = random(2202);
        const parts = interpolation === 'CUBICSPLINE' ? 3 : 1;
        const value = () => (path === 'rotation' ? randomRotation(next) : randomVector(next, 1));
        const channel = {
            interpolation,
            times: Float32Array.of(0, 0.5, 0.5, 0.5, 1, 1),
            values: Float32Array.from(Array.from({ length: 6 * parts }, value).flat()),
        };
        expect(worstOf(channel, path, width, [-1, 0, 0.25, 0.5, 0.75, 1, 2])).toBeLessThan(NEAR);
    });
});

test('slerp is right up to half a turn, on the shorter path, and for nearly equal keys', () => {
    const next = random(2203);
    for (let i = 0; i < 400; i++) {
        const a = randomRotation(next);
        // The angle between quaternions: random, a right angle, or almost 0.
        const angle = [next() * Math.PI, Math.PI / 2, 1e-4 * next(), Math.PI - 1e-3 * next()][i % 4]!;
        const b = randomRotation(next);
        const dot = a.reduce((sum, x, c) => sum + x * b[c]!, 0);
        const off = b.map((x, c) => x - dot * a[c]!);
        const length = Math.hypot(...off);
        const to = a.map((x, c) => Math.cos(angle) * x + (Math.sin(angle) * off[c]!) / length);
        const channel = {
            interpolation: 'LINEAR',
            times: Float32Array.of(0, 1),
            values: Float64Array.of(...a, ...to),
        } as const;
        expect(worstOf(channel, 'rotation', 4, [0, 0.1, 0.25, 0.5, 0.9, 1])).toBeLessThan(NEAR);
    }
});

test('from the key before, the value at a key time is the limit from the left', () => {
    const step = { interpolation: 'STEP', times: [0, 1, 2], values: [1, 0, 0, 2, 0, 0, 3, 0, 0] } as const;
    const value = new Float64Array(3);
    sampleFrom(step, 3, keyUpTo(step.times, 0.5, -1), 1, value, 0);
    expect(value[0]).toBe(1);
    sampleFrom(step, 3, keyUpTo(step.times, 1, -1), 1, value, 0);
    expect(value[0]).toBe(2);
    // Straight and curved keys end at the next key.
    const jump = { interpolation: 'LINEAR', times: [0, 1, 1], values: [1, 0, 0, 2, 0, 0, 9, 0, 0] } as const;
    sampleFrom(jump, 3, 0, 1, value, 0);
    expect(value[0]).toBe(2);
    const tangents = Array.from({ length: 27 }, (_, i) => i);
    const spline = { interpolation: 'CUBICSPLINE', times: [0, 1, 2], values: tangents } as const;
    sampleFrom(spline, 3, 0, 1, value, 0);
    expect(Array.from(value)).toEqual([12, 13, 14]);
});

test('a rotation of zeros on a spline has no direction, and is unchanged', () => {
    const spline = { interpolation: 'CUBICSPLINE', times: [0, 1], values: new Float64Array(24) } as const;
    expect(worstOf(spline, 'rotation', 4, [0, 0.5, 1])).toBe(0);
});
