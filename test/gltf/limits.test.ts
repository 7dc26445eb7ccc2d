// SPDX-License-Identifier: MIT

import { storedBytes } from '../../lib/gltf/buffers';
import {
    decodedLimit,
    expandedLimit,
    MAX_ADDRESSED_VALUES,
    MAX_DECODED_VALUES,
    MAX_EXPANDED_BYTES,
    MAX_STATED_BYTES,
    statedLimit,
    USUAL_EXPANSION,
} from '../../lib/gltf/limits';
import { createReport } from '../../lib/gltf/reading';
import { FileClaims } from '../../lib/gltf/validate/claims';
import { skinnedModel } from './support/builder';
import { expectFault, read } from './support/faults';

describe('limits of a file', () => {
    test("for repeated buffers: a GiB, or four times the file's bytes", () => {
        expect(statedLimit({ stored: 2 ** 28 })).toBe(2 ** 30);
        expect(statedLimit({ stored: 2 ** 29 })).toBe(2 ** 31);
    });

    test.each([0, 1, MAX_DECODED_VALUES])('with %d bytes of its own: the constants', (stored) => {
        expect(decodedLimit({ stored, expanded: 0 })).toBe(2 ** 25);
        expect(expandedLimit({ stored })).toBe(2 ** 28);
    });

    test('above these, a number for each byte, and as many bytes as streams usually expand to', () => {
        expect(decodedLimit({ stored: 400e6, expanded: 0 })).toBe(400e6);
        expect(expandedLimit({ stored: 400e6 })).toBe(1600e6);
        expect(decodedLimit({ stored: 100e6, expanded: 250e6 })).toBe(350e6);
    });

    test('a disproportionate expansion of a small file does not raise the limit of numbers', () => {
        expect(decodedLimit({ stored: 1e6, expanded: MAX_EXPANDED_BYTES })).toBe(MAX_DECODED_VALUES);
        expect(decodedLimit({ stored: 100e6, expanded: 1e12 })).toBe(100e6 * (1 + USUAL_EXPANSION));
    });

    test('at most as many numbers as 32 bits of bytes can hold', () => {
        expect(decodedLimit({ stored: 8e9, expanded: 0 })).toBe(2 ** 30);
        expect(MAX_ADDRESSED_VALUES * Float32Array.BYTES_PER_ELEMENT).toBe(2 ** 32);
    });
});

describe('the bytes of a file', () => {
    test('buffers without data have none; views of the same bytes count once', () => {
        const whole = new Uint8Array(1000);
        expect(storedBytes([])).toBe(0);
        expect(storedBytes([null, new Uint8Array(7), null])).toBe(7);
        expect(storedBytes([whole.subarray(100, 300), whole.subarray(100, 300), whole.subarray(200, 350)])).toBe(250);
        expect(storedBytes([whole, new Uint8Array(1000)])).toBe(2000);
    });

    test('a scene has the bytes of its file, whatever the JSON states for views', async () => {
        const model = skinnedModel();
        const { length } = model.bin();
        expect((await read(model.toGlb())).ownBytes).toEqual({ stored: length, expanded: 0 });
        model.json.bufferViews.push({ buffer: 0, byteLength: length }, { buffer: 0, byteLength: length });
        expect((await read(model.toGlb())).ownBytes).toEqual({ stored: length, expanded: 0 });
    });

    test('a file named by many buffers, in several ways, is read once and counts once', async () => {
        const model = skinnedModel();
        const { length } = model.bin();
        for (const uri of ['a.bin', './a.bin', '%61.bin', 'b/../a.bin']) {
            model.json.buffers.push({ uri, byteLength: length });
        }
        const asked: string[] = [];
        const scene = await read(model.toGltf('a.bin'), async (name) => {
            asked.push(name);
            return model.bin();
        });
        expect(asked).toEqual(['a.bin']);
        expect(scene.ownBytes!.stored).toBe(length);
    });
});

describe('many buffers of the same file', () => {
    const LENGTH = 2 ** 24;

    function sameFile(count: number): [Uint8Array, () => Promise<Uint8Array>] {
        const model = skinnedModel();
        model.json.buffers = Array.from({ length: count }, () => ({ uri: 'a.bin', byteLength: LENGTH }));
        const bytes = new Uint8Array(LENGTH);
        bytes.set(model.bin());
        return [new TextEncoder().encode(JSON.stringify(model.json)), async () => bytes];
    }

    test('are rejected above the limit: they would all be hashed', async () => {
        const [file, resolve] = sameFile(MAX_STATED_BYTES / LENGTH + 1);
        const pointer = `/buffers/${MAX_STATED_BYTES / LENGTH}/byteLength`;
        const rule = /all buffers have more than 1073741824 bytes, the limit here/;
        await expectFault(file, { code: 'GLTF_INVALID', pointer, rule }, resolve);
    });

    test('a few are read', async () => {
        const [file, resolve] = sameFile(5);
        expect((await read(file, resolve)).ownBytes).toEqual({ stored: LENGTH, expanded: 0 });
    });
});

/** Counts for a file of this size. Other files: validate/accessors.test.ts, validate/views.test.ts. */
const claimsOf = (stored: number) => new FileClaims(stored, createReport('large.glb'));

test('accessors of a large file can have as many numbers as it has bytes, and no more', () => {
    const stored = MAX_DECODED_VALUES + 2 ** 22;
    const claims = claimsOf(stored);
    claims.decode(stored, '/a');
    expect(() => claims.check()).not.toThrow();
    claims.decode(1, '/b');
    const rule = `all accessors need more than ${stored} values, the limit here`;
    expect(() => claims.check()).toThrow(expect.objectContaining({ code: 'GLTF_INVALID', pointer: '/b', rule }));
});

describe('compressed views of a large file', () => {
    test.each([true, false])('raise the limit of numbers, at any time of the lookup (first: %s)', (first) => {
        const stored = MAX_DECODED_VALUES - 2 ** 20;
        const check = (expanded: number) => {
            const claims = claimsOf(stored);
            const steps = [
                () => claims.expand(expanded, '/bufferViews/9'),
                () => claims.decode(2 ** 25 + 2 ** 22, '/a'),
            ];
            for (const step of first ? steps : steps.reverse()) step();
            claims.check();
        };
        expect(() => check(2 ** 23)).not.toThrow();
        const rule = `all accessors need more than ${stored + 2 ** 22} values, the limit here`;
        expect(() => check(2 ** 22)).toThrow(expect.objectContaining({ code: 'GLTF_INVALID', pointer: '/a', rule }));
    });

    test('can expand to a multiple of its bytes, and no more', () => {
        const claims = claimsOf(MAX_EXPANDED_BYTES);
        const most = MAX_EXPANDED_BYTES * USUAL_EXPANSION;
        claims.expand(most, '/a');
        expect(claims.ownBytes.expanded).toBe(most);
        const rule = `compressed buffer views expand to more than ${most} bytes, the limit here`;
        const refused = { code: 'GLTF_INVALID', pointer: '/b', rule };
        expect(() => claims.expand(1, '/b')).toThrow(expect.objectContaining(refused));
    });
});
