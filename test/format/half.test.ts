// SPDX-License-Identifier: MIT

import { halfFloats, halfOf, MAX_HALF, valueOfHalf } from '../../lib/format/half';
import { halfToNumber, numberToHalf } from '../support/half';
import { random as randomOf } from '../support/random';

test('every half float has its value of IEEE 754, and finite ones are restored', () => {
    let compared = 0;
    for (let half = 0; half < 0x10000; half++) {
        const value = halfToNumber(half);
        if (!Object.is(valueOfHalf(half), value)) throw new Error(`${half}: ${valueOfHalf(half)}, expected ${value}`);
        if (!Object.is(halfFloats()[half], value)) throw new Error(`${half}: ${halfFloats()[half]} in the table`);
        if (!Number.isFinite(value)) continue;
        if (halfOf(value) !== half) throw new Error(`${value}: ${halfOf(value)}, expected ${half}`);
        compared++;
    }
    expect(compared).toBe(2 * 0x7c00);
});

test('rounds to nearest, ties to even', () => {
    const cases = new Set<number>();
    for (let half = 0; half + 1 < 0x7c00; half++) {
        const middle = (halfToNumber(half) + halfToNumber(half + 1)) / 2;
        const bits = new Int32Array(Float32Array.of(middle).buffer)[0]!;
        for (const near of [bits - 1, bits, bits + 1]) cases.add(new Float32Array(Int32Array.of(near).buffer)[0]!);
    }
    const random = randomOf(1);
    for (let i = 0; i < 20_000; i++) cases.add(Math.fround((random() * 2 - 1) * 2 ** (Math.floor(random() * 45) - 29)));
    for (const value of [0, -0, 2 ** -25, 2 ** -149, 65504, -65504]) cases.add(value);
    let compared = 0;
    for (const value of cases) {
        if (Number.isNaN(value) || Math.abs(value) > MAX_HALF) continue;
        const expected = numberToHalf(value);
        if (halfOf(value) !== expected) throw new Error(`${value}: ${halfOf(value)}, expected ${expected}`);
        compared++;
    }
    expect(compared).toBeGreaterThan(50_000);
});
