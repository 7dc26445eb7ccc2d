// SPDX-License-Identifier: MIT

import type { Track } from '../../../lib/reduce/fit/clip';
import { fittedValues, type Goal } from '../../../lib/reduce/fit/fitted-values';
import { SHORT_STEP } from '../../../lib/reduce/fit/rounding';
import { normalise } from '../../../lib/reduce/model/sampler';
import { random as randomOf } from '../../support/random';

const STEPS = [SHORT_STEP, 8 * SHORT_STEP, 128 * SHORT_STEP, 2 ** -8, 2 ** -13, 2 ** -24];

interface Case {
    readonly goal: Goal;
    readonly knots: readonly number[];
    readonly ends: Float64Array;
}

/** A curve at random times with random keys. Some keys are before and after the fitted ones. */
function randomCase(seed: number): Case {
    const random = randomOf(seed);
    const width = seed % 2 === 0 ? 4 : 3;
    const count = 2 + Math.floor(random() * random() * 40);
    const n = count + 2 + Math.floor(random() * 60);
    const from = Math.floor(random() * (n - count));
    const numbers = (length: number, size: number) => Float64Array.from({ length }, () => (random() * 2 - 1) * size);
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
    const track = {
        width,
        place: width === 4 ? 3 : (seed >> 1) % 2 === 0 ? 0 : 7,
        target,
        unit: width === 4,
        exact: width === 4,
        step: STEPS[(seed >> 1) % STEPS.length]!,
    };
    const tolerance = numbers(n, 0.01).map((x) => Math.abs(x) + 0.001);
    return { goal: { track: track as Track, lever, times, tolerance }, knots, ends };
}

test('more rounds never use more of the tolerance, and rotations keep their length', () => {
    let better = 0;
    for (let seed = 0; seed < 150; seed++) {
        const { goal, knots, ends } = randomCase(seed);
        const into = new Float64Array(ends.length + 1).fill(7);
        const before = fittedValues(goal, knots, ends, 0, into);
        const share = fittedValues(goal, knots, ends, 1 + (seed % 3), into);
        expect(share).toBeLessThanOrEqual(before);
        if (share < before) better++;
        for (let q = 0; goal.track.width === 4 && q < ends.length; q += 4) {
            expect(Math.abs(Math.hypot(...into.subarray(q, q + 4)) - 1)).toBeLessThan(0.001);
        }
        expect(into.at(-1)).toBe(7);
    }
    expect(better).toBeGreaterThan(40);
});
