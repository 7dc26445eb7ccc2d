// SPDX-License-Identifier: MIT

/** Rig files of an attacker, with a correct hash, give an error with a code, or a usable rig. */

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { typescriptRig } from '../../../lib/rig/kernels';
import { Rig } from '../../../lib/rig/rig';
import { RigBase } from '../../../lib/rig/rig-base';
import { readRig } from '../../../lib/rig/stored/read';
import { Rig as BrowserRig } from '../../../lib/typescript/rig';
import { random } from '../../support/random';
import { rounds } from '../../support/rounds';
import { scratchFolder } from '../../support/temporary-folder';
import { describeRigs } from '../native-tiers';
import { randomSkinnedScene } from '../skinned-scenes';
import { digestOf, withHash } from './rig-bytes';

const files = [3, 5, 8].map((seed) => new Rig(randomSkinnedScene(random(seed))).serialize());

/** The rig, or null if its bytes are rejected with the proper error. */
function opened(bytes: Uint8Array, implementation = typescriptRig): RigBase | null {
    try {
        return new RigBase(readRig(bytes), undefined, implementation);
    } catch (error) {
        expect(error).toMatchObject({ name: 'RangeError', code: 'ERR_RIG_INVALID' });
        expect((error as Error).message).toMatch(/^Rig\.deserialize: (byte \d+: |\/meshes\/|the bytes |the file )/);
        return null;
    }
}

const refused = (bytes: Uint8Array, message: RegExp) =>
    expect(() => readRig(bytes)).toThrow(
        expect.objectContaining({ code: 'ERR_RIG_INVALID', message: expect.stringMatching(message) }),
    );

const changed = (word: number, value: number) => {
    const bytes = files[0]!.slice();
    new DataView(bytes.buffer).setInt32(word * 4, value, true);
    return bytes;
};

test('wrong headers, lengths and hashes', () => {
    const [bytes] = files as [Uint8Array];
    refused(new Uint8Array(0), /not a rig file/);
    refused(bytes.subarray(1), /not a rig file/);
    refused(changed(0, 0x46546c67), /not a rig file/);
    refused(changed(1, 2), /has version 2, must have 1/);
    refused(changed(2, 24), /must have 24$/);
    refused(changed(3, 5), /is damaged/);
    for (const at of [-4, 0, 16, 22, bytes.length + 4, 0x7ffffffc])
        refused(withHash(changed(4, at)), /has floats from/);
    const float = random(9);
    for (let i = 0; i < 300; i++) {
        const length = i < 30 ? i * 4 : Math.floor((float() * bytes.length) / 4) * 4;
        const part = bytes.slice(0, length);
        refused(part, /not a rig file|must have/);
        if (length < 20) continue;
        new DataView(part.buffer).setUint32(8, length, true);
        expect(opened(withHash(part))).toBeNull();
    }
});

test('a change of any word without a new hash is found', () => {
    const [bytes] = files as [Uint8Array];
    const float = random(4);
    const words = bytes.length / 4;
    for (let word = 4; word < words; word += Math.ceil(float() * 20)) {
        const bit = 1 << Math.floor(float() * 32);
        const view = new DataView(bytes.slice().buffer);
        view.setInt32(word * 4, view.getInt32(word * 4, true) ^ bit, true);
        refused(new Uint8Array(view.buffer), /is damaged/);
    }
});

const INTERESTING = [
    0, 1, -1, 2, 3, 255, 256, 65535, 65536, 0x7fffffff, -0x80000000, 0x7f800000, 0x7fc00000, -0x400000,
];

const mutation = fc.record({
    file: fc.constantFrom(...files),
    words: fc.array(
        fc.record({
            /** Less than 1: before the floats; more than 1: inside them. */
            place: fc.noBias(fc.integer({ min: 0, max: 1999 })).map((n) => n / 1000),
            value: fc.oneof(fc.constantFrom(...INTERESTING), fc.integer({ min: 0, max: 40 }), fc.integer()),
        }),
        { minLength: 1, maxLength: 3 },
    ),
    length: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
});

function mutated({ file, words, length }: typeof mutation extends fc.Arbitrary<infer T> ? T : never): Uint8Array {
    const bytes = file.slice(0, Math.max(24, Math.floor((length * file.length) / 4) * 4));
    const view = new DataView(bytes.buffer);
    const floats = view.getInt32(16, true) / 4;
    for (const { place, value } of words) {
        const last = bytes.length / 4 - 1;
        const word = place < 1 ? 4 + place * (floats - 4) : floats + (place - 1) * (last - floats);
        view.setInt32(Math.max(4, Math.min(last, Math.floor(word))) * 4, value, true);
    }
    view.setInt32(8, bytes.length, true);
    return withHash(bytes);
}

describeRigs((implementation) => {
    test('changed words are rejected, or give a rig with the bits of TypeScript', () => {
        let taken = 0;
        fc.assert(
            fc.property(mutation, (one) => {
                const bytes = mutated(one);
                const rig = opened(bytes, implementation);
                const twin = opened(bytes);
                expect(rig === null).toBe(twin === null);
                if (rig === null || rig.slots.length > 1000) return;
                taken++;
                expect(bitsOf(rig)).toEqual(bitsOf(twin!));
                expect(readRig(rig.serialize()).slots).toEqual(rig.slots);
            }),
            { numRuns: rounds(100) },
        );
        expect(taken).toBeGreaterThan(10);
    });
});

/** The bits of a NaN are not specified. */
const bitsOf = (rig: RigBase) =>
    digestOf(rig).map((list) => list.map((bits) => ((bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits)));

test('weights and joints of vertices', () => {
    const rig = Rig.create({
        parents: [-1, 0],
        rest: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1],
        skins: [{ joints: [0, 1] }],
        meshes: [{ node: 0, skin: 0, positions: [0, 0, 0], joints: [1, 0, 9, 0], weights: [0.75, 0.25, -0, 0] }],
    });
    const bytes = rig.serialize();
    const floats = new Int32Array(bytes.buffer)[4]!;
    const joints = bytes.findIndex((_, at) => [1, 0, 9, 0].every((joint, i) => bytes[at + i * 2] === joint));
    const weights = bytes.length - 16;
    const edited = (edit: (view: DataView) => void) => {
        const copy = bytes.slice();
        edit(new DataView(copy.buffer));
        return withHash(copy);
    };
    expect(joints).toBeLessThan(floats);
    expect(readRig(edited(() => {})).meshes[0]!.joints[2]).toBe(9); // of weight 0
    refused(
        edited((view) => view.setFloat32(weights + 4, -1, true)),
        /a weight of vertex 0 is -1, must not be negative/,
    );
    refused(
        edited((view) => view.setFloat32(weights + 8, 0.5, true)),
        /a vertex has joint 9, skin 0 has 2 joints/,
    );
    refused(
        edited((view) => view.setUint16(joints, 2, true)),
        /a vertex has joint 2/,
    );
    const follows = (view: DataView) => {
        for (const at of [0, 4]) view.setFloat32(weights + at, 0, true);
    };
    expect(readRig(edited(follows)).meshes).toHaveLength(1);
    refused(
        edited((view) => {
            follows(view);
            view.setUint16(joints, 2, true);
        }),
        /a vertex has joint 2/,
    );
});

test('a few bytes cannot request the memory of many weights', () => {
    const rig = Rig.create({
        parents: [-1],
        rest: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1],
        skins: [{ joints: [0] }],
        meshes: [
            {
                node: 0,
                skin: 0,
                positions: [0, 0, 0],
                joints: [0, 0, 0, 0],
                weights: [1, 0, 0, 0],
                targets: new Array(20000).fill({}),
            },
        ],
        clips: [{ channels: [] }],
    });
    const one = new Int32Array(rig.serialize().buffer);
    const [integers, floats] = [one.subarray(5, one[4]! / 4), one.subarray(one[4]! / 4)];
    // Name, loop, keys, cadence, events, groups, and four codes of one byte each; then the duration.
    const clip = integers.slice(-12);
    const repeated = (list: Int32Array, count: number) => Array.from({ length: count }, () => [...list]).flat();
    const many = (count: number) => {
        const own = [...integers.subarray(0, -13), count, ...repeated(clip, count)];
        const words = [...one.subarray(0, 5), ...own, ...floats, ...repeated(floats.slice(-1), count - 1)];
        words[2] = words.length * 4;
        words[4] = (5 + own.length) * 4;
        return withHash(new Uint8Array(Int32Array.from(words).buffer));
    };
    expect(readRig(many(3)).clips).toHaveLength(3);
    refused(many(2000), /more morph weights than the limit/);
});

describe('Rig.deserialize', () => {
    const folder = scratchFolder();

    test.each([
        [undefined, 'ERR_ARGUMENT_TYPE', 'input must be a path, a URL or bytes, got undefined'],
        [{}, 'ERR_ARGUMENT_TYPE', 'input must be a path, a URL or bytes, got an object'],
        ['none.rig', 'FILE_UNREADABLE', 'none.rig: '],
        ['ftp://host/hero.rig', 'USAGE', "'ftp:' URLs are not read"],
        [new Uint8Array(3), 'ERR_RIG_INVALID', 'the bytes are not a rig file'],
    ])('%p', async (input, code, message) => {
        await expect(Rig.deserialize(input as never)).rejects.toMatchObject({
            code,
            message: expect.stringContaining(message),
        });
    });

    test('detached bytes', async () => {
        const bytes = files[0]!.slice();
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
        await expect(Rig.deserialize(bytes)).rejects.toMatchObject({ code: 'ERR_DETACHED_BUFFER' });
    });

    test('by path and URL, also in browsers', async () => {
        const server = createServer((request, response) => {
            response.statusCode = request.url === '/hero.rig' ? 200 : 404;
            response.end(files[0]);
        }).listen(0, '127.0.0.1');
        await new Promise((done) => server.once('listening', done));
        const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const missing = { name: 'InputError', code: 'FILE_UNREADABLE' };
        try {
            for (const Own of [Rig, BrowserRig]) {
                expect((await Own.deserialize(`${place}/hero.rig`)).serialize()).toEqual(files[0]);
                await expect(Own.deserialize(new URL(`${place}/other.rig`))).rejects.toMatchObject(missing);
            }
        } finally {
            server.close().closeAllConnections();
        }
        await expect(BrowserRig.deserialize('hero.rig')).rejects.toMatchObject({ code: 'ERR_ARGUMENT_TYPE' });
        const path = join(folder(), 'hero.rig');
        await writeFile(path, files[1]!);
        for (const file of [path, pathToFileURL(path)]) {
            expect((await Rig.deserialize(file)).serialize()).toEqual(files[1]);
        }
    });

    test('unaligned bytes of a larger buffer, which then change', async () => {
        const buffer = new Uint8Array(files[0]!.length + 3);
        buffer.set(files[0]!, 3);
        const rig = await Rig.deserialize(buffer.subarray(3));
        const before = digestOf(rig);
        buffer.fill(255);
        expect(digestOf(rig)).toEqual(before);
    });
});
