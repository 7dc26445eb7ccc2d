// SPDX-License-Identifier: MIT

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Rig } from '../../lib/rig/rig';
import { bytesOf } from '../support/bytes';
import { random as randomOf } from '../support/random';
import { randomScene } from './double-reference';
import { globalsOf, localAt, node, posed, scene, skin } from './scenes';

const rig = new Rig(randomScene(randomOf(1)));

describe('createPoses', () => {
    test('22 floats for a slot and pose, and blocks of 16', () => {
        for (const only of [undefined, [0], [3]]) {
            const poses = rig.createPoses(160, only ? { only } : {});
            const slots = poses.slots.length;
            expect(poses.data.length).toBe(10 * poses.blockFloats);
            expect(poses.blockFloats).toBe(16 * 22 * slots);
            expect(poses.globalsOffset).toBe(16 * 10 * slots);
            expect(poses.weightsOffset).toBe(poses.blockFloats);
        }
    });

    test('poses start at rest', () => {
        for (const shared of [false, true]) {
            const poses = rig.createPoses(33, { shared });
            for (const [slot, { hasMatrix }] of rig.slots.entries()) {
                if (hasMatrix) continue;
                const rest = [...rig.rest.locals.subarray(slot * 10, slot * 10 + 10)];
                for (const pose of [0, 16, 32]) expect(localAt(rig, poses, pose, slot)).toEqual(rest);
            }
        }
    });

    test('count can be set from 0 to the capacity; other blocks stay unchanged', () => {
        const poses = rig.createPoses(40);
        expect([poses.capacity, poses.count]).toEqual([40, 40]);
        poses.count = 0;
        const before = bytesOf(poses.data);
        rig.evaluate(poses, 0, new Float32Array(0));
        rig.toGlobal(poses);
        expect(Buffer.compare(bytesOf(poses.data), before)).toBe(0);
        poses.count = 16;
        rig.evaluate(poses, 0, new Float32Array(16).fill(0.7));
        rig.toGlobal(poses);
        const after = bytesOf(poses.data);
        const block = poses.blockFloats * 4;
        expect(Buffer.compare(after.subarray(0, block), before.subarray(0, block))).not.toBe(0);
        expect(Buffer.compare(after.subarray(block), before.subarray(block))).toBe(0);
    });

    test.each([
        [-1, 'ERR_COUNT_RANGE'],
        [41, 'ERR_COUNT_RANGE'],
        [1.5, 'ERR_COUNT_RANGE'],
        [NaN, 'ERR_COUNT_RANGE'],
        ['3', 'ERR_ARGUMENT_TYPE'],
    ])('count rejects %p', (count, code) => {
        const poses = rig.createPoses(40);
        expect(() => {
            poses.count = count as number;
        }).toThrow(expect.objectContaining({ code }));
        expect(poses.count).toBe(40);
    });

    test.each<[unknown, unknown, string]>([
        [0, {}, 'ERR_COUNT_RANGE'],
        [-1, {}, 'ERR_COUNT_RANGE'],
        [1.5, {}, 'ERR_COUNT_RANGE'],
        [2 ** 40, {}, 'ERR_COUNT_RANGE'],
        ['1', {}, 'ERR_ARGUMENT_TYPE'],
        [1, 7, 'ERR_ARGUMENT_TYPE'],
        [1, { only: 3 }, 'ERR_ARGUMENT_TYPE'],
        [1, { only: ['a'] }, 'ERR_ARGUMENT_TYPE'],
        [1, { only: [] }, 'ERR_INDEX_RANGE'],
        [1, { only: [99] }, 'ERR_INDEX_RANGE'],
        [1, { only: [-1] }, 'ERR_INDEX_RANGE'],
        [1, { shared: 1 }, 'ERR_ARGUMENT_TYPE'],
        [1, { shared: new Float32Array(16 * 22 * 10) }, 'ERR_ARGUMENT_TYPE'],
        [1, { shared: new Float32Array(new SharedArrayBuffer(64)) }, 'ERR_BUFFER_LENGTH'],
    ])('rejects capacity %p with %p', (capacity, options, code) => {
        expect(() => rig.createPoses(capacity as number, options as object)).toThrow(expect.objectContaining({ code }));
    });
});

describe('shared poses', () => {
    test('two Poses over one memory are the same poses; blocks of it are poses, too', () => {
        const all = rig.createPoses(48, { shared: true });
        expect(all.data.buffer).toBeInstanceOf(SharedArrayBuffer);
        const view = rig.createPoses(48, { shared: all.data });
        const part = rig.createPoses(16, { shared: all.data.subarray(16 * 22 * 10, 2 * 16 * 22 * 10) });
        const times = Float32Array.from({ length: 48 }, (_, i) => i / 30);
        rig.evaluate(all, 0, times);
        rig.toGlobal(view);
        const alone = posed(rig, times);
        expect(Buffer.compare(bytesOf(all.data), bytesOf(alone.data))).toBe(0);
        rig.evaluate(part, 1, times.subarray(0, 16));
        rig.evaluate(alone, 1, times);
        expect(localAt(rig, all, 16 + 9, 0)).toEqual(localAt(rig, alone, 9, 0));
    });

    test('blend rejects poses that share part of their memory', () => {
        const all = rig.createPoses(48, { shared: true });
        const part = rig.createPoses(32, { shared: all.data.subarray(0, 2 * 16 * 22 * 10) });
        const later = rig.createPoses(32, { shared: all.data.subarray(16 * 22 * 10) });
        const same = rig.createPoses(32, { shared: all.data.subarray(0, 2 * 16 * 22 * 10) });
        expect(() => rig.blend(part, part, later, 1)).toThrow(expect.objectContaining({ code: 'ERR_BUFFER_OVERLAP' }));
        rig.blend(part, same, part, 0.5);
    });

    test('two threads that evaluate half each with the same rig give the bytes of one', async () => {
        const root = join(__dirname, '../..');
        const file = join(root, 'examples/character.glb');
        const loaded = await Rig.load(file);
        const half = 48;
        const shared = loaded.createPoses(2 * half, { shared: true });
        const source = `
            const { workerData, parentPort } = require('node:worker_threads');
            const { data, file, root, first, count } = workerData;
            require(root).Rig.load(file).then((rig) => {
                const poses = rig.createPoses(count, { shared: data });
                rig.evaluate(poses, 0, Float64Array.from({ length: count }, (_, i) => (first + i) * 0.037), { loop: 'wrap' });
                rig.toGlobal(poses);
                parentPort.postMessage(rig.implementation);
            });`;
        const floats = (half / 16) * shared.blockFloats;
        await Promise.all(
            [0, 1].map((k) => {
                const data = shared.data.subarray(k * floats, (k + 1) * floats);
                const workerData = { data, file, root, first: k * half, count: half };
                const worker = new Worker(source, { eval: true, workerData });
                return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
            }),
        );
        const alone = loaded.createPoses(2 * half);
        const times = Float64Array.from({ length: 2 * half }, (_, pose) => pose * 0.037);
        loaded.evaluate(alone, 0, times, { loop: 'wrap' });
        loaded.toGlobal(alone);
        expect(Buffer.compare(bytesOf(shared.data), bytesOf(alone.data))).toBe(0);
    });
});

describe('setLocal and getLocal', () => {
    const chain = new Rig(scene([node(-1), node(0, { translation: [0, 1, 0] })], [skin([0, 1])], []));

    test('a local that is set before toGlobal moves its descendants, only in that pose', () => {
        const poses = chain.createPoses(20);
        chain.setLocal(poses, 17, 0, Float32Array.of(5, 0, 0, 0, 0, 1, 0, 2, 2, 2));
        chain.toGlobal(poses);
        const globals = globalsOf(chain, poses, [1]);
        expect(globals[17]!.map((x) => x + 0)).toEqual([-2, 0, 0, 5, 0, -2, 0, -2, 0, 0, 2, 0]);
        expect(globals[16]).toEqual([1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0]);
    });

    test('getLocal returns the bits that setLocal stored, in the given list', () => {
        const poses = chain.createPoses(20, { only: [1] });
        const trs = Float32Array.of(-0, 1e-45, 3, 0.1, 0.2, 0.3, 0.4, -1, 0, 1e30);
        chain.setLocal(poses, 19, 1, trs);
        const out = new Float32Array(12).fill(9);
        expect(chain.getLocal(poses, 19, 1, out)).toBe(out);
        expect([...out]).toEqual([...trs, 9, 9]);
    });
});
