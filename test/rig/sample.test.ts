// SPDX-License-Identifier: MIT

import { copyKeys, cubicKeys, cubicRotationKeys, lerpKeys, locateKeys } from '../../lib/rig/sample';
import { random as randomOf, randomRotation } from '../support/random';

function locate(times: number[], frameTimes: number[]): { keys: number[]; fractions: number[] } {
    const keys = new Int32Array(frameTimes.length);
    const fractions = new Float64Array(frameTimes.length);
    locateKeys(Float32Array.from(times), Float32Array.from(frameTimes), 0, frameTimes.length, 0, keys, fractions);
    return { keys: Array.from(keys), fractions: Array.from(fractions) };
}

describe('locateKeys', () => {
    test('clamps: before the first key and from the last key on, that key alone counts', () => {
        expect(locate([1, 2], [0, 0.5, 1, 2, 3])).toEqual({ keys: [0, 0, 0, 1, 1], fractions: [0, 0, 0, 0, 0] });
    });

    test('a key at the time of a frame is met exactly', () => {
        const times = [0, 0.1, 0.2, 0.3].map(Math.fround);
        expect(locate(times, times)).toEqual({ keys: [0, 1, 2, 3], fractions: [0, 0, 0, 0] });
    });

    test('a key one ulp above the frame is not there yet', () => {
        const { keys, fractions } = locate([0, 1 + 2 ** -23, 2], [1]);
        expect(keys).toEqual([0]);
        expect(fractions[0]).toBe(1 / (1 + 2 ** -23));
    });

    test('of keys at the same time the last one wins; before it, frames run towards the first of them', () => {
        expect(locate([0, 1, 1, 1, 2], [0.5, 1, 1.5])).toEqual({ keys: [0, 3, 3], fractions: [0.5, 0, 0.5] });
    });

    test('a single key holds always', () => {
        expect(locate([0.5], [0, 0.5, 1])).toEqual({ keys: [0, 0, 0], fractions: [0, 0, 0] });
    });

    test('in batches, with the cursor carried on, it finds what it finds at once', () => {
        const random = randomOf(1);
        for (let round = 0; round < 200; round++) {
            const times = Float32Array.from({ length: 1 + Math.floor(random() * 20) }, () => random() * 2).sort();
            const frameTimes = Float32Array.from(
                { length: 1 + Math.floor(random() * 50) },
                () => random() * 2.5,
            ).sort();
            const whole = locate(Array.from(times), Array.from(frameTimes));
            const keys: number[] = [];
            const fractions: number[] = [];
            let cursor = 0;
            for (let first = 0; first < frameTimes.length; first += 7) {
                const count = Math.min(7, frameTimes.length - first);
                const batchKeys = new Int32Array(7);
                const batchFractions = new Float64Array(7);
                cursor = locateKeys(times, frameTimes, first, count, cursor, batchKeys, batchFractions);
                keys.push(...batchKeys.subarray(0, count));
                fractions.push(...batchFractions.subarray(0, count));
            }
            expect({ keys, fractions }).toEqual(whole);
            frameTimes.forEach((time, i) => {
                // By definition: the last key at or before the frame, found the slow way.
                const key = Math.max(
                    0,
                    times.findLastIndex((keyTime) => keyTime <= time),
                );
                expect(keys[i]).toBe(key);
                const inside = time > times[0]! && key < times.length - 1;
                const fraction = inside ? (time - times[key]!) / (times[key + 1]! - times[key]!) : 0;
                expect(fractions[i]).toBe(fraction);
            });
        }
    });
});

const at = (key: number, fraction: number) => [Int32Array.of(key), Float64Array.of(fraction)] as const;

describe('STEP', () => {
    test.each([3, 4])('copies the key at or before the frame, width %i', (width) => {
        const values = Float32Array.from({ length: width * 2 }, (_, i) => i + 1);
        const out = new Float32Array(width + 2).fill(-1);
        copyKeys(out, 1, 8, values, width, Int32Array.of(1), 1);
        expect(Array.from(out)).toEqual([-1, ...values.subarray(width), -1]);
    });
});

describe('LINEAR', () => {
    test('v0 + t (v1 - v0), rounded once', () => {
        const random = randomOf(2);
        for (let i = 0; i < 1000; i++) {
            const values = Float32Array.from({ length: 6 }, () => (random() - 0.5) * 10);
            const t = random();
            const out = new Float32Array(3);
            lerpKeys(out, 0, 3, values, ...at(0, t), 1);
            const expected = [0, 1, 2].map((k) => Math.fround(values[k]! + t * (values[k + 3]! - values[k]!)));
            expect(Array.from(out)).toEqual(expected);
        }
    });

    test('the key itself at fraction 0, also the last one, which has no successor', () => {
        const out = new Float32Array(3);
        lerpKeys(out, 0, 3, Float32Array.of(1, 2, 3, 4, 5, 6), ...at(1, 0), 1);
        expect(Array.from(out)).toEqual([4, 5, 6]);
    });
});

/** glTF 2.0, C.4, one component: previous value and out-tangent, next value and in-tangent, both tangents per second. */
function hermite(v0: number, b0: number, v1: number, a1: number, t: number, seconds: number): number {
    return (
        (2 * t ** 3 - 3 * t ** 2 + 1) * v0 +
        seconds * (t ** 3 - 2 * t ** 2 + t) * b0 +
        (-2 * t ** 3 + 3 * t ** 2) * v1 +
        seconds * (t ** 3 - t ** 2) * a1
    );
}

describe('CUBICSPLINE', () => {
    test('follows the formula, tangents multiplied with the time between the keys', () => {
        const random = randomOf(3);
        for (let i = 0; i < 1000; i++) {
            const values = Float32Array.from({ length: 18 }, () => (random() - 0.5) * 10);
            const times = Float32Array.of(random(), 1 + random() * 3);
            const t = random();
            const out = new Float32Array(3);
            cubicKeys(out, 0, 3, values, times, ...at(0, t), 1);
            for (let k = 0; k < 3; k++) {
                const expected = hermite(
                    values[3 + k]!,
                    values[6 + k]!,
                    values[12 + k]!,
                    values[9 + k]!,
                    t,
                    times[1]! - times[0]!,
                );
                expect(Math.abs(out[k]! - expected)).toBeLessThanOrEqual(2 ** -24 * Math.abs(expected) + 1e-13);
            }
        }
    });

    test('rotations: the components as they are, with no change of hemisphere, then normalised', () => {
        const random = randomOf(4);
        for (let i = 0; i < 1000; i++) {
            const rotations = [randomRotation(random), randomRotation(random)];
            const tangents = Array.from({ length: 4 }, () => randomRotation(random));
            const values = Float32Array.from([
                ...tangents[0]!,
                ...rotations[0]!,
                ...tangents[1]!,
                ...tangents[2]!,
                ...rotations[1]!,
                ...tangents[3]!,
            ]);
            const times = Float32Array.of(0.25, 0.25 + random());
            const t = random();
            const out = new Float32Array(4);
            cubicRotationKeys(out, 0, 4, values, times, ...at(0, t), 1);
            const raw = [0, 1, 2, 3].map((k) =>
                hermite(
                    rotations[0]![k]!,
                    tangents[1]![k]!,
                    rotations[1]![k]!,
                    tangents[2]![k]!,
                    t,
                    times[1]! - times[0]!,
                ),
            );
            const length = Math.sqrt(raw.reduce((sum, value) => sum + value * value, 0));
            raw.forEach((value, k) => {
                expect(Math.abs(out[k]! - value / length)).toBeLessThanOrEqual(2 ** -25 + 1e-12);
            });
        }
    });

    test('at a key: its value, without its tangents, normalised where it is a rotation', () => {
        const out = new Float32Array(4);
        const key = [9, 9, 9, 9, 0, 0, 3, 4, 8, 8, 8, 8];
        cubicRotationKeys(out, 0, 4, Float32Array.from([...key, ...key]), Float32Array.of(0, 1), ...at(1, 0), 1);
        expect(Array.from(out)).toEqual([0, 0, Math.fround(0.6), Math.fround(0.8)]);
        cubicKeys(out, 0, 4, Float32Array.of(9, 9, 9, 1, 2, 3, 8, 8, 8), Float32Array.of(0), ...at(0, 0), 1);
        expect(Array.from(out.subarray(0, 3))).toEqual([1, 2, 3]);
    });
});
