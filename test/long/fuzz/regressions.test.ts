// SPDX-License-Identifier: MIT

/** One test for each fault that the suites of this folder and the fuzzers found. */

import {
    BakedTable,
    bakedGlb,
    loadAnimationPointer,
    paletteTexture,
    Rig,
    reciprocalSqrt,
    writeBake,
} from '../../../lib';
import { skinnedModel } from '../../gltf/support/builder';
import { describeJointImplementations } from '../../support/implementations';
import { smallBake } from '../../table/small-bake';

const refused = (code: string) => expect.objectContaining({ code });

/** A view whose own properties are false. */
function lying<T extends object>(view: T): T {
    for (const name of ['length', 'byteLength', 'byteOffset', 'buffer', 'BYTES_PER_ELEMENT']) {
        Object.defineProperty(view, name, { value: 1e9 });
    }
    return Object.setPrototypeOf(view, null);
}

const rest = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];

test('functions on lists of numbers use the real lengths, not own properties', () => {
    const result = lying(new Float32Array(2));
    reciprocalSqrt(result, lying(Float32Array.of(4, 16)));
    expect([result[0], result[1]]).toEqual([expect.closeTo(0.5, 2), expect.closeTo(0.25, 2)]);
});

test('times keep their values with any prototype', () => {
    const channels = [{ node: 0, path: 'translation', times: [0, 3], values: [0, 0, 0, 3, 0, 0] }] as const;
    const rig = Rig.create({ parents: [-1], rest, clips: [{ channels }] });
    const [plain, hidden] = [rig.createPoses(1), rig.createPoses(1)];
    const time = 1e9 + 64;
    rig.evaluate(plain, 0, Float32Array.of(time), { loop: 'wrap' });
    rig.evaluate(hidden, 0, lying(Float32Array.of(time)), { loop: 'wrap' });
    expect(hidden.data).toEqual(plain.data);
});

test('rejects lists with holes, and lists with their own iterator', () => {
    const create = (parts: object) => () => Rig.create({ parents: [-1], rest, ...parts });
    for (const name of ['skins', 'clips', 'meshes']) {
        expect(create({ [name]: new Array(2) })).toThrow(refused('ERR_ARGUMENT_TYPE'));
    }
    const list = Object.assign([-1], { [Symbol.iterator]: () => 0 });
    expect(create({ parents: list })().slots).toHaveLength(1);
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(create({ parents: proxy })).toThrow(refused('ERR_ARGUMENT_TYPE'));
    expect(create({ clips: proxy })).toThrow(refused('ERR_ARGUMENT_TYPE'));
});

describe('BakedTable', () => {
    const open = () => {
        const { manifest, bin } = smallBake([{ frameCount: 2, duration: 0.1 }], {
            palette: { layout: 'mat4', shape: [1, 16], data: new Float32Array(32).fill(1) },
        });
        const bytes = new Uint8Array(bin);
        return { manifest, bytes, table: BakedTable.open(manifest, bytes) };
    };

    test('rejects detached bytes, and does not write NaN', () => {
        const { table, bytes } = open();
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
        const out = new Float32Array(1000);
        const [name] = Object.keys(table.arrays);
        const sample = () => table.sample(name as 'palette', 0, new Float32Array(1), out);
        expect(sample).toThrow(refused('ERR_DETACHED_BUFFER'));
        expect(out).toEqual(new Float32Array(1000));
    });

    test('a detached bin, and an object that only looks like one', () => {
        const { manifest, bytes } = open();
        const gone = bytes.slice();
        structuredClone(gone.buffer, { transfer: [gone.buffer] });
        expect(() => BakedTable.open(manifest, gone)).toThrow(refused('ERR_DETACHED_BUFFER'));
        expect(() => BakedTable.open(manifest, gone.buffer)).toThrow(refused('ERR_DETACHED_BUFFER'));
        const tagged = Object.defineProperty(new DataView(bytes.buffer), Symbol.toStringTag, { value: 'Uint8Array' });
        expect(() => BakedTable.open(manifest, tagged as never)).toThrow(refused('ERR_ARGUMENT_TYPE'));
    });

    test('no more rows than bytes', () => {
        const { manifest, bytes } = open();
        const clip = { name: '', animation: 0, firstRow: 0, frameCount: 2 ** 31, duration: 2 ** 31, fps: 1 };
        const claiming = { ...(manifest as object), arrays: {}, clips: [clip] };
        expect(() => BakedTable.open(claiming, bytes)).toThrow(/rows, more than the binary has bytes/);
    });
});

describe('wrong options are named', () => {
    const named = (what: RegExp) => ({ code: 'ERR_ARGUMENT_TYPE', message: expect.stringMatching(what) });

    test.each([
        ['paletteTexture', async () => paletteTexture(undefined as never), /table must be a BakedTable, got undefined/],
        ['loadAnimationPointer', () => loadAnimationPointer({ onIgnored: 1 } as never), /onIgnored must be a function/],
        ['writeBake', () => writeBake([], '.', null as never), /options must be an object, got null/],
        ['writeBake, a hole', () => writeBake(new Array(1), '.'), /outputs\[0\] without stem, json or bin/],
        ['Rig.load', () => Rig.load(skinnedModel().toGlb(), { name: 1 } as never), /options.name must be a string/],
        ['Rig.load, resolve', () => Rig.load(skinnedModel().toGlb(), { resolve: 1 } as never), /must be a function/],
        ['bakedGlb', () => bakedGlb('a.glb', null as never), /options must be an object, got null/],
    ])('%s', async (_, call, what) => {
        await expect(call()).rejects.toMatchObject(named(what));
    });
});

test('an input that is detached during the read is not a fault of the file', async () => {
    const model = skinnedModel();
    model.json.buffers.push({ byteLength: 1, uri: 'beside.bin' });
    const bytes = new Uint8Array(model.toGlb());
    const resolve = async () => {
        structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
        return new Uint8Array(1);
    };
    await expect(Rig.load(bytes, { resolve })).rejects.toMatchObject({ code: 'ERR_BUFFER_CHANGED' });
});

/** No turn, or half of one around an axis, so that only the sign can be written in two ways, and places that tell joints apart. */
function turnedJoints(count: number) {
    const mats = new Float32Array(count * 12);
    const quats = new Float32Array(count * 8);
    for (let joint = 0; joint < count; joint++) {
        const turn = joint % 4;
        quats[joint * 8 + turn] = 1;
        for (const row of [0, 1, 2]) {
            mats[joint * 12 + row * 5] = turn === 3 || turn === row ? 1 : -1;
            mats[joint * 12 + row * 4 + 3] = quats[joint * 8 + 4 + row] = joint + row / 4;
        }
    }
    return { mats, quats };
}

// Several kernels indexed beyond one joint's matrix to reach the next, which only a sanitizer reports: test/long/sanitizers.mjs
// runs this.
describe('matrices are read and written across joints, in lists of every length', () => {
    // One implementation's reciprocal square root is off by 1.75e-3; -0 is 0.
    const rounded = (list: Float32Array, of: (x: number) => number) =>
        list.map((x) => Math.round(of(x) * 100) / 100 + 0);

    describeJointImplementations((kernels, routines) => {
        test('to quaternions, and back where it can', () => {
            for (let count = 1; count <= 40; count++) {
                const { mats, quats } = turnedJoints(count);
                const toQuats = new Float32Array(count * 8);
                kernels.convertJointMatsToJointQuats(toQuats, mats);
                expect(rounded(toQuats, Math.abs)).toEqual(quats);
                if (!routines.includes('convertJointQuatsToJointMats')) continue;
                const toMats = new Float32Array(count * 12);
                kernels.convertJointQuatsToJointMats(toMats, quats);
                expect(rounded(toMats, Number)).toEqual(mats);
            }
        });
    });
});
