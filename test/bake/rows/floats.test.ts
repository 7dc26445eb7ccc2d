// SPDX-License-Identifier: MIT

import { allFinite, firstNotFinite, toLittleEndian } from '../../../lib/bake/rows/floats';

const GREATEST = 3.4028234663852886e38;

test('finite with any sum', () => {
    expect(allFinite(new Float32Array(0))).toBe(true);
    expect(allFinite(new Float32Array(100_000).fill(GREATEST))).toBe(true);
    expect(firstNotFinite(new Float32Array(32).fill(-GREATEST))).toBe(-1);
});

test.each([NaN, Infinity, -Infinity])('%p is found at any index', (value) => {
    for (let at = 0; at < 48; at++) {
        const mats = new Float32Array(48).fill(1);
        mats[at] = value;
        expect(allFinite(mats)).toBe(false);
        expect(firstNotFinite(mats)).toBe(Math.floor(at / 16));
    }
});

test('infinities of both signs do not cancel', () => {
    for (let at = 1; at < 16; at++) {
        const mats = new Float32Array(16);
        mats[0] = Infinity;
        mats[at] = -Infinity;
        expect(allFinite(mats)).toBe(false);
    }
});

test('bytes are swapped only on a big-endian machine', () => {
    expect([...toLittleEndian(Float32Array.of(1, -2), true)]).toEqual([
        ...new Uint8Array(Float32Array.of(1, -2).buffer),
    ]);
    expect([...toLittleEndian(Float32Array.of(1, -2), false)]).toEqual(
        [0, 4].flatMap((at) => [...new Uint8Array(Float32Array.of(1, -2).buffer, at, 4)].reverse()),
    );
});
