// SPDX-License-Identifier: MIT

import { slerpKeys } from '../../lib/rig/slerp';
import { random as randomOf, randomRotation } from '../support/random';

/** glTF 2.0, C.3, in double precision with the functions that the library must not use. */
function trigonometricSlerp(a: number[], b: number[], t: number): number[] {
    const dot = a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    const cosine = Math.min(1, Math.abs(dot));
    const angle = Math.acos(cosine);
    const sign = dot < 0 ? -1 : 1;
    const sine = Math.sin(angle);
    const [toA, toB] = sine === 0 ? [1 - t, t] : [Math.sin((1 - t) * angle) / sine, Math.sin(t * angle) / sine];
    return a.map((value, i) => toA! * value + sign * toB! * b[i]!);
}

function slerp(a: number[], b: number[], t: number): Float32Array {
    const out = new Float32Array(4);
    slerpKeys(out, 0, 4, Float32Array.from([...a, ...b]), Int32Array.of(0), Float64Array.of(t), 1);
    return out;
}

function worstDifference(cases: number, seed: number, pair: (random: () => number) => [number[], number[]]): number {
    const random = randomOf(seed);
    let worst = 0;
    for (let i = 0; i < cases; i++) {
        const [a, b] = pair(random);
        const t = random();
        const expected = trigonometricSlerp(a, b, t);
        slerp(a, b, t).forEach((value, k) => {
            worst = Math.max(worst, Math.abs(value - expected[k]!));
        });
    }
    return worst;
}

/** Half an ulp of float32 below 1, and the 1.1e-8 of the polynomial. */
const BOUND = 2 ** -25 + 1.1e-8;

const scaled = (quaternion: number[], length: number) => quaternion.map((value) => Math.fround(value * length));

describe('slerpKeys agrees with slerp by sine and arc cosine', () => {
    test('for random rotations at any angle, near and far hemisphere', () => {
        expect(
            worstDifference(100_000, 1, (random) => [randomRotation(random), randomRotation(random)]),
        ).toBeLessThanOrEqual(BOUND);
    });

    test('for nearly equal and nearly opposite rotations', () => {
        const near = (random: () => number): [number[], number[]] => {
            const a = randomRotation(random);
            const size = 10 ** (-8 * random());
            const sign = random() < 0.5 ? -1 : 1;
            return [a, a.map((value) => Math.fround(sign * (value + size * (random() - 0.5))))];
        };
        expect(worstDifference(100_000, 2, near)).toBeLessThanOrEqual(2 * BOUND); // lengths up to 2
    });

    test('for keys that are shorter than 1, which are not renormalised', () => {
        const short = (random: () => number): [number[], number[]] => [
            scaled(randomRotation(random), 0.5 + random() * 0.5),
            scaled(randomRotation(random), 0.5 + random() * 0.5),
        ];
        expect(worstDifference(100_000, 3, short)).toBeLessThanOrEqual(BOUND);
    });

    test('for keys longer than 1, whose dot product is clamped to 1', () => {
        const long = (random: () => number): [number[], number[]] => {
            const a = randomRotation(random);
            return [scaled(a, 1.5), scaled(a, 1.2)];
        };
        expect(worstDifference(10_000, 4, long)).toBeLessThanOrEqual(2 * BOUND);
    });
});

test('a fraction of 0 copies the key bit for bit, whatever its length', () => {
    const key = [0.5, -0, 3, 1e-40].map(Math.fround);
    expect(Array.from(slerp(key, [0, 0, 0, 1], 0))).toEqual(key);
});

test('a dot product of -0 does not flip the second key', () => {
    const result = slerp([0, 0, 0, 1], [1, 0, 0, -0], 0.5);
    expect(result[0]).toBeGreaterThan(0);
});

test('between equal unit keys the key is kept to an ulp', () => {
    const random = randomOf(5);
    let worst = 0;
    for (let i = 0; i < 10_000; i++) {
        const a = randomRotation(random);
        slerp(a, a, random()).forEach((value, k) => {
            worst = Math.max(worst, Math.abs(value - a[k]!) / Math.abs(a[k]!));
        });
    }
    expect(worst).toBeLessThanOrEqual(2 ** -23);
});

test('many frames in a call: each is written at its own place, and nothing beside it', () => {
    const a = [0, 0, 0, 1];
    const b = [0.6, 0, 0, 0.8].map(Math.fround);
    const c = [0, 1, 0, 0];
    const out = new Float32Array(20).fill(7);
    slerpKeys(
        out,
        2,
        6,
        Float32Array.from([...a, ...b, ...c]),
        Int32Array.of(1, 0, 2),
        Float64Array.of(0.25, 0.5, 0),
        3,
    );
    expect(out.slice(2, 6)).toEqual(slerp(b, c, 0.25));
    expect(out.slice(8, 12)).toEqual(slerp(a, b, 0.5));
    expect(Array.from(out.slice(14, 18))).toEqual(c);
    for (const outside of [0, 1, 6, 7, 12, 13, 18, 19]) expect(out[outside]).toBe(7);
});
