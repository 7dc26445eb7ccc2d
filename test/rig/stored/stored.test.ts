// SPDX-License-Identifier: MIT

/** Rig files restore what was stored. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledRigs } from '../../../lib/rig/compiled';
import { typescriptRig } from '../../../lib/rig/kernels';
import { Rig } from '../../../lib/rig/rig';
import { sourceOfParts } from '../../../lib/rig/source/from-parts';
import { readRig } from '../../../lib/rig/stored/read';
import { writeRig } from '../../../lib/rig/stored/write';
import { Rig as BrowserRig } from '../../../lib/typescript/rig';
import { CHARACTER, KNIGHT, ROBOT, testModel } from '../../support/models';
import { random } from '../../support/random';
import { describeRigs } from '../native-tiers';
import { channel, node, scene, skin } from '../scenes';
import { randomSkinnedScene } from '../skinned-scenes';
import { digestOf, withHash } from './rig-bytes';

const { RIG_METHODS, hashRigs, rigImplementations } = require('../../long/sweep/rigs.cjs');

/** The content of a rig, with lists as plain numbers. */
const shown = ({ slots, skins, meshes, rest, clips }: Rig) => ({ slots, skins, meshes, rest, clips: [...clips] });

const events = [
    { name: 'step', time: 0.25 },
    { name: 'half a pair: \ud800', time: 1 },
];

/** Two slots, one with a matrix, a constant scale, two groups of keys, and an event. */
const small = () =>
    Rig.create({
        parents: [-1, 0],
        rest: [1, 2, 3, 0, 0, 0, 1, 1, 1, 1, 0, 0.5, 0, 0, 0, 0, 1, 1, 1, 1],
        names: ['A', 'b'],
        skins: [{ name: 's', joints: [1] }],
        clips: [
            {
                name: 'Go',
                channels: [
                    { node: 0, path: 'translation', times: [0, 1], values: [0, 0, 0, 4, 8, 2] },
                    { node: 1, path: 'scale', times: [0], values: [2, 2, 2] },
                    { node: 1, path: 'translation', interpolation: 'STEP', times: [0, 2], values: [0, 0, 0, 1, 1, 1] },
                ],
                events,
            },
        ],
    });

test('a file has the words of docs/format.md', () => {
    const words: number[] = [];
    const floats: number[] = [];
    const view = new DataView(new ArrayBuffer(8));
    const double = (value: number) => {
        view.setFloat64(0, value, true);
        words.push(view.getInt32(0, true), view.getInt32(4, true));
    };
    const text = (value: string) => {
        words.push(value.length);
        for (let i = 0; i < value.length; i += 2) {
            words.push(value.charCodeAt(i) | ((value.charCodeAt(i + 1) || 0) << 16));
        }
    };
    words.push(0, 2, 0, 1, -1, 0, 0, 0); // vertices; slots: nodes, parents, no matrices
    text('A');
    text('b');
    floats.push(1, 2, 3, 0, 0, 0, 1, 1, 1, 1, 0, 0.5, 0, 0, 0, 0, 1, 1, 1, 1); // rest
    words.push(1); // a skin
    text('s');
    words.push(1, 1);
    floats.push(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
    words.push(0, 0); // geometries, meshes
    words.push(1); // a clip
    text('Go');
    floats.push(2); // duration
    words.push(0, 2); // loop, keys
    for (const value of [1, 2, 1]) double(value); // cadence
    words.push(2); // events
    for (const { name, time } of events) {
        text(name);
        double(time);
    }
    words.push(2, 2, 2); // two groups of two keys
    floats.push(0, 1, 0, 2);
    // T R S of slot 0, then of slot 1: LINEAR of group 0, STEP of group 1, a constant, the rest pose.
    words.push(3 | (0 << 8) | (0 << 16) | (5 << 24), 0 | (1 << 8));
    floats.push(2, 2, 2);
    floats.push(0, 0, 0, 4, 8, 2, 0, 0, 0, 1, 1, 1);
    const bytes = new Uint8Array((5 + words.length + floats.length) * 4);
    new Int32Array(bytes.buffer).set([0x47495250, 1, bytes.length, 0, (5 + words.length) * 4, ...words]);
    new Float32Array(bytes.buffer).set(floats, 5 + words.length);
    expect([...small().serialize()]).toEqual([...withHash(bytes)]);
});

test.each([...Array(12).keys()])('random rig %p is restored, with the same bytes', async (seed) => {
    const rig = new Rig(randomSkinnedScene(random(seed)));
    const bytes = rig.serialize();
    const again = await Rig.deserialize(bytes);
    expect(shown(again)).toEqual(shown(rig));
    expect(again.serialize()).toEqual(bytes);
    expect(digestOf(again)).toEqual(digestOf(rig));
});

test('changes to lists of `rig.meshes` do not change results', async () => {
    const rig = new Rig(randomSkinnedScene(random(3)));
    const [changed, untouched] = [await Rig.deserialize(rig.serialize()), await Rig.deserialize(rig.serialize())];
    const lists = changed.meshes.flatMap(({ positions, joints, weights, targets }) => {
        return [positions, joints, weights, ...targets.map((target) => target.positions)];
    });
    expect(lists.length).toBeGreaterThan(0);
    for (const list of lists) list?.fill(7);
    expect(digestOf(changed)).toEqual(digestOf(untouched));
});

test('matrices, morphs without a skin, names and nodes are restored', async () => {
    const nodes = [
        node(-1, { name: 'é', matrix: [2, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 7, 8, 9, 1] }),
        { ...node(-1, { name: 'face' }), weights: Float32Array.of(0.5, -0) },
        node(0, { name: '', scale: [-0, 1, 1] }),
    ];
    const keys = channel(
        1,
        'weights',
        'CUBICSPLINE',
        [0, 0.5, 0.5],
        Array.from({ length: 18 }, (_, i) => i),
    );
    const still = channel(1, 'weights', 'LINEAR', [3], [1, 2]);
    const rig = new Rig(
        scene(
            nodes,
            [skin([0, 2])],
            [keys, still].map((one) => ({ name: '', channels: [one] })),
        ),
    );
    const again = await Rig.deserialize(rig.serialize());
    expect(shown(again)).toEqual(shown(rig));
    expect(digestOf(again)).toEqual(digestOf(rig));
});

test('a restored rig without vertices still says so', async () => {
    const rig = await Rig.load(CHARACTER.path, { meshes: false });
    const again = await Rig.deserialize(rig.serialize());
    expect(() => again.jointBounds(0)).toThrow('meshes: false');
    expect(shown(again)).toEqual(shown(rig));
});

for (const model of [CHARACTER, ROBOT, KNIGHT]) {
    testModel(model, 'is restored, also in browsers; its clips take at most the bytes of the accessors', async () => {
        const rig = await Rig.load(model.path);
        const bytes = rig.serialize();
        const again = await BrowserRig.deserialize(bytes);
        expect(shown(again as unknown as Rig)).toEqual(shown(rig));
        expect(again.serialize()).toEqual(bytes);
        expect(digestOf(again)).toEqual(digestOf(rig));
        if (model === CHARACTER) return; // whose clips take 8 kB: codes and cadence are 2% of it
        const json = jsonOf(readFileSync(model.path));
        const accessors = json.animations.reduce((sum, { samplers }) => {
            const own = [...new Set(samplers.map(({ input }) => input)), ...samplers.map(({ output }) => output)];
            return own.reduce((bytes, index) => bytes + bytesOf(json.accessors[index]!), sum);
        }, 0);
        const clips = bytes.length - withoutClips(rig).length;
        expect(clips).toBeGreaterThan(accessors / 4);
        expect(clips).toBeLessThanOrEqual(accessors);
    });
}

interface Json {
    animations: { samplers: { input: number; output: number }[] }[];
    accessors: { count: number; componentType: number; type: string }[];
}

function jsonOf(bytes: Buffer): Json {
    return JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
}

function bytesOf({ count, componentType, type }: Json['accessors'][0]): number {
    const sizes: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5126: 4 };
    const widths: Record<string, number> = { SCALAR: 1, VEC3: 3, VEC4: 4 };
    return count * sizes[componentType]! * widths[type]!;
}

/** The bytes of the rig without its clips. */
function withoutClips(rig: Rig): Uint8Array {
    const { tables } = readRig(rig.serialize());
    const { slots, skins, meshes } = rig;
    return writeRig({ ...tables, clips: [] }, { slots, skins, meshes, clips: [] }, false);
}

describeRigs((implementation) => {
    test('stored rigs have the golden bits', () => {
        const stored = (one: { name: string; create(parts: object): Rig }) => ({
            name: one.name,
            create: (parts: object) => {
                const source = one.create(parts);
                return new Rig(readRig(source.serialize()), undefined, implementation);
            },
        });
        const all = rigImplementations({ Rig, sourceOfParts, compiledRigs, typescriptRig });
        const { outputs } = hashRigs(all.slice(0, 1).map(stored));
        const golden = JSON.parse(readFileSync(join(__dirname, '../../golden/strict@1.json'), 'utf8'));
        const hashes = outputs['strict/typescript'];
        for (const method of RIG_METHODS)
            expect([method, hashes[method]]).toEqual([method, golden.rig.outputs[method]]);
    });
});
