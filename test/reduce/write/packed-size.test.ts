// SPDX-License-Identifier: MIT

/** The size estimate that chooses splines is close to zlib's size of the same bytes. */

import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { deflatedSize, deflatedSizeTwin } from '../../../lib/reduce/write/packed-size';
import { CHARACTER } from '../../support/models';
import { random } from '../../support/random';

const next = random(5);
const keys = (count: number, step: number) =>
    new Uint8Array(Float32Array.from({ length: count }, (_, i) => Math.round(Math.sin(i / 9) / step) * step).buffer);

test.each<[string, Uint8Array]>([
    ['keys on a coarse step', keys(2000, 2 ** -10)],
    ['keys on a fine step', keys(2000, 2 ** -18)],
    ['noise', Uint8Array.from({ length: 20_000 }, () => Math.floor(256 * next()))],
    ['repetition', new Uint8Array(20_000).map((_, i) => [7, 1, 9][i % 3]!)],
    ['text', new Uint8Array(readFileSync(__filename))],
    ['a file', new Uint8Array(readFileSync(CHARACTER.path))],
])('%s', (_, bytes) => {
    const zlib = deflateRawSync(bytes, { level: 9 }).length;
    const size = deflatedSize(bytes);
    expect(Math.abs(size - zlib)).toBeLessThan(0.05 * zlib + 40);
    // A limit only ends the count of larger ones.
    for (const limit of [0, size / 2, size - 1]) expect(deflatedSize(bytes, limit)).toBeGreaterThan(limit);
    for (const limit of [size, Infinity]) expect(deflatedSize(bytes, limit)).toBe(size);
    // The addon's numbers equal the twin's, for any limit.
    for (const limit of [0, size / 2, Infinity])
        expect(deflatedSize(bytes, limit)).toBe(deflatedSizeTwin(bytes, limit));
});

test.each([0, 1, 2, 3])('%d bytes', (count) => {
    expect(deflatedSize(new Uint8Array(count))).toBeLessThanOrEqual(8);
});
