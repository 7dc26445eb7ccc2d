// SPDX-License-Identifier: MIT

/** The addon's values of keys have the bits of the twin's. It refuses arguments that could make it leave its lists. */

import { nativeFittedValues, nativeGreedyKnots } from '../../../lib/reduce/fit/choose-fitted-values';
import type { Track } from '../../../lib/reduce/fit/clip';
import { fittedValuesTwin, type Goal } from '../../../lib/reduce/fit/fitted-values';
import { greedyKnotsTwin } from '../../../lib/reduce/fit/greedy-knots';
import { BYTE_STEP, SHORT_STEP } from '../../../lib/reduce/fit/rounding';
import { normalise } from '../../../lib/reduce/model/sampler';
import { compiledRigs } from '../../../lib/rig/compiled';
import { itNative, WASM } from '../../support/implementations';
import { random as randomOf } from '../../support/random';

const SPECIAL = [0, -0, NaN, Infinity, -Infinity, 1e308, -1e155, 5e-324, 2 ** -1022, 1, -1];
const STEPS = [SHORT_STEP, 8 * SHORT_STEP, 128 * SHORT_STEP, 2 ** -8, 2 ** -13, 2 ** -24];

interface Case {
    readonly goal: Goal;
    readonly knots: readonly number[];
    readonly ends: Float64Array;
    readonly rounds: number;
}

/** A curve at random times with random keys. Some keys are before and after those that are fitted. */
function randomCase(seed: number, step: number, special = 0, exact = true): Case {
    const random = randomOf(seed);
    const width = seed % 2 === 0 ? 4 : 3;
    const count = 2 + Math.floor(random() * random() * 40);
    const n = count + 2 + Math.floor(random() * 60);
    const from = Math.floor(random() * (n - count));
    const numbers = (length: number, size: number) =>
        Float64Array.from({ length }, () =>
            random() < special ? SPECIAL[Math.floor(random() * SPECIAL.length)]! : (random() * 2 - 1) * size,
        );
    const rates = numbers(width, 0.4);
    const noise = numbers(n * width, 0.02);
    const target = noise.map((x, i) => x + Math.sin(Math.floor(i / width) * rates[i % width]! + (i % width)));
    if (width === 4) for (let q = 0; q < n * 4; q += 4) normalise(target, q);
    const others = Array.from({ length: n - from - 1 }, (_, i) => from + 1 + i);
    while (others.length > count - 1) others.splice(Math.floor(random() * others.length), 1);
    const knots = [from, ...others];
    const ends = Float64Array.from(knots.flatMap((knot) => [...target.subarray(knot * width, (knot + 1) * width)]));
    const form = numbers(6, 1).map(Math.abs);
    const lever = { form, reach: [0.3, 1, 2] as const, radius: 1.5, scale: 0.75 };
    const times = Float64Array.from({ length: n }, (_, i) => (i + random() * 0.5) / 24);
    const whole = exact && width === 4;
    const track = {
        width,
        place: width === 4 ? 3 : (seed >> 1) % 2 === 0 ? 0 : 7,
        target,
        unit: whole,
        exact: whole,
        step,
    };
    const tolerance = numbers(n, 0.01).map((x) => Math.abs(x) + 0.001);
    return { goal: { track: track as Track, lever, times, tolerance }, knots, ends, rounds: seed % 4 };
}

function valuesOf(fitted: typeof fittedValuesTwin, { goal, knots, ends, rounds }: Case) {
    const into = new Float64Array(ends.length + 1).fill(7);
    const share = fitted(goal, knots, ends, rounds, into);
    return { share, into };
}

const CASES = Array.from({ length: 240 }, (_, i) =>
    randomCase(i, STEPS[Math.floor(i / 2) % STEPS.length]!, [0, 0, 0, 0.002, 0.1][i % 5]),
);

test('more rounds never use more of the tolerance, and rotations keep their length', () => {
    let better = 0;
    for (const one of CASES.filter((_, i) => i % 5 < 3)) {
        const { share, into } = valuesOf(fittedValuesTwin, one);
        const before = valuesOf(fittedValuesTwin, { ...one, rounds: 0 }).share;
        expect(share).toBeLessThanOrEqual(before);
        if (share < before) better++;
        for (let q = 0; one.goal.track.width === 4 && q < one.ends.length; q += 4) {
            expect(Math.abs(Math.hypot(...into.subarray(q, q + 4)) - 1)).toBeLessThan(0.001);
        }
        expect(into.at(-1)).toBe(7);
    }
    expect(better).toBeGreaterThan(40);
});

itNative('every instruction set gives the bits of the twin', () => {
    const available = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name);
    for (const natives of [nativeFittedValues, nativeGreedyKnots])
        expect([...natives.keys()]).toEqual(available.filter((name) => name !== WASM));
    const byTwin = [0, BYTE_STEP].flatMap((step) => [0, 1].map((seed) => randomCase(seed, step)));
    for (const one of [...CASES, ...byTwin, randomCase(2, SHORT_STEP, 0, false)]) {
        const expected = valuesOf(fittedValuesTwin, one);
        for (const native of nativeFittedValues.values()) expect(valuesOf(native, one)).toEqual(expected);
        for (const factor of [0.5, 1, 20]) {
            const knots = greedyKnotsTwin(one.goal, factor);
            for (const native of nativeGreedyKnots.values()) expect(native(one.goal, factor)).toEqual(knots);
        }
    }
});

itNative('the addon refuses to choose keys by lists that are too short, and writes nothing', () => {
    const { rigs } = require('../../../lib/addon/load').addon as {
        rigs: { greedyKnots?(...args: unknown[]): unknown }[];
    };
    const list = (length: number) => new Float64Array(length).fill(0.5);
    for (const width of [3, 4]) {
        const knots = new Int32Array(5).fill(7);
        const rules = list(20);
        rules[0] = width;
        const args = [knots, list(5 * width), Float64Array.of(0, 1, 2, 3, 4), list(5), rules, 1];
        for (const native of rigs.flatMap(({ greedyKnots }) => greedyKnots ?? [])) {
            for (const at of [0, 1, 3, 4]) {
                const good = args[at] as Float64Array;
                for (const bad of [good.subarray(1), new Float32Array(good), [...good], null])
                    expect([at, native(...args.with(at, bad as never))]).toEqual([at, false]);
            }
            for (const bad of ['1', undefined]) expect(native(...args.with(5, bad as never))).toBe(false);
            expect(native()).toBe(false);
            expect(knots.every((knot) => knot === 7)).toBe(true);
            expect(native(...args)).toBe(2);
            expect([...knots]).toEqual([0, 4, 7, 7, 7]);
            knots.fill(7);
        }
    }
});

itNative('the addon refuses lists that are too short and keys out of bounds, and writes nothing', () => {
    const { rigs } = require('../../../lib/addon/load').addon as {
        rigs: { fittedValues?(...args: unknown[]): unknown }[];
    };
    const natives = rigs.flatMap(({ fittedValues }) => fittedValues ?? []);
    for (const width of [3, 4]) {
        const rules = new Float64Array(20).fill(0.25);
        rules[0] = width;
        const list = (length: number) => new Float64Array(length).fill(0.5);
        const [into, knots] = [list(3 * width), Int32Array.of(1, 3, 4)];
        const [ends, target, times, tolerance] = [list(3 * width), list(5 * width), list(5), list(5)];
        const args = [into, knots, ends, target, times, tolerance, rules, 3, 2];
        const bad: [number, unknown][] = [
            ...[0, 2, 3, 4, 5, 6].flatMap((at): [number, unknown][] => {
                const good = args[at] as Float64Array;
                return [good.subarray(1), new Float32Array(good), [...good], null].map((x) => [at, x]);
            }),
            ...[
                [1, 3],
                [1, 3, 5],
                [-1, 3, 4],
                [1, 1, 4],
                [3, 1, 4],
                [1, 3, 2 ** 31 - 1],
            ].map((x): [number, unknown] => [1, Int32Array.from(x)]),
            [1, Uint32Array.of(1, 3, 4)],
            ...[1, 0, -1, 2.5, 4, NaN, 2 ** 32 + 3, undefined].map((x): [number, unknown] => [7, x]),
            ...[-1, 0.5, NaN, '2', undefined].map((x): [number, unknown] => [8, x]),
        ];
        for (const native of natives) {
            for (const [at, value] of bad) expect([at, native(...args.with(at, value as never))]).toEqual([at, false]);
            expect(native()).toBe(false);
            expect(into.every((x) => x === 0.5)).toBe(true);
        }
        for (const native of natives) expect(typeof native(...args)).toBe('number');
    }
});
