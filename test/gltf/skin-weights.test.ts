// SPDX-License-Identifier: MIT

/** Vertex weights add up to 1 after reading; sums that differ only by rounding are kept. */

import { normalizeWeights } from '../../lib/gltf/skin-weights';

const f = Math.fround;

function normalized(weights: Float32Array, influences = 4) {
    const messages: string[] = [];
    const result = normalizeWeights(weights, influences, (message) => messages.push(message));
    return { result, messages };
}

test.each([
    ['bytes with a sum of 255', Float32Array.of(100 / 255, 99 / 255, 55 / 255, 1 / 255)],
    ['shorts with a sum of 65,535', Float32Array.of(65532 / 65535, 1 / 65535, 1 / 65535, 1 / 65535)],
    ['thirds in float32', Float32Array.of(1 / 3, 1 / 3, 1 / 3, 0)],
    ['a sum one or two float32 ulp too large', Float32Array.of(0.5 + 2 ** -23, 0.5 + 2 ** -23, 0, 0)],
    ['a negative weight', Float32Array.of(3, -1, 0, 0)],
    ['an infinite weight, and a weight of NaN', Float32Array.of(Infinity, 1, 0, 0, NaN, 3, 0, 0)],
])('keeps the bits of %s', (_, weights) => {
    expect(normalized(weights)).toEqual({ result: weights, messages: [] });
    expect(normalized(weights).result).toBe(weights);
});

test.each([
    ['floats', Float32Array.of(1, 0.5, 0.5, 0), [0.5, 0.25, 0.25, 0]],
    ['bytes with a sum one step too small', Float32Array.of(127 / 255, 127 / 255, 0, 0), [0.5, 0.5, 0, 0]],
    ['shorts with a sum one step too large', Float32Array.of(32768 / 65535, 32768 / 65535, 0, 0), [0.5, 0.5, 0, 0]],
    [
        'a sum many ulp too large',
        Float32Array.of(0.5 + 2 ** -20, 0.5, 0, 0),
        [f((0.5 + 2 ** -20) / (1 + 2 ** -20)), f(0.5 / (1 + 2 ** -20)), 0, 0],
    ],
    ['the largest float', Float32Array.of(3e38, 3e38, 0, 0), [0.5, 0.5, 0, 0]],
    ['the smallest float', Float32Array.of(1e-45, 0, 0, 0), [1, 0, 0, 0]],
])('divides %s by their sum', (_, weights, expected) => {
    const before = weights.slice();
    const { result, messages } = normalized(weights);
    expect([...result]).toEqual(expected);
    expect(weights).toEqual(before);
    expect(messages).toHaveLength(1);
});

test('adds all sets of a vertex, and names the first wrong vertex', () => {
    const right = [0.5, 0, 0, 0, 0.25, 0.25, 0, 0];
    const none = [0, 0, 0, 0, 0, 0, 0, 0];
    const twice = right.map((weight) => 2 * weight);
    const { result, messages } = normalized(Float32Array.from([right, none, twice, right].flat()), 8);
    expect([...result]).toEqual([right, none, right, right].flat());
    expect(messages).toEqual([
        'the weights of 2 of 4 vertices do not add up to 1, those of vertex 1 are off by -1.0: they are divided by their sum (3.7.3.3), which not every engine does; normalize them on export',
    ]);
});
