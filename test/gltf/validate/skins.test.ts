// SPDX-License-Identifier: MIT

import { type GltfBuilder, lift, MODEL, skinnedModel } from '../support/builder';
import { type Break, read, testFaults } from '../support/faults';

const skin = (change: object) => (model: GltfBuilder) => {
    Object.assign(model.json.skins[0], change);
};
const matrices = (values: number[]) => (model: GltfBuilder) => {
    model.json.skins[0].inverseBindMatrices = model.accessor(new Float32Array(values), 'MAT4');
};
const at = '/skins/0/inverseBindMatrices';

const faults: Break[] = [
    ['/skins', /must be an array/, ({ json }) => (json.skins = {})],
    ['/skins/0', /must be an object/, ({ json }) => (json.skins[0] = 'legs')],
    ['/skins/0/joints', /at least one node, is missing/, skin({ joints: undefined })],
    ['/skins/0/joints', /at least one node, is an array of 0/, skin({ joints: [] })],
    ['/skins/0/joints/1', /index into nodes, which has 4, is 4/, skin({ joints: [1, 4] })],
    ['/skins/0/joints/1', /is null/, skin({ joints: [1, null] })],
    ['/skins/0/joints/2', /node 1 is already joint 0/, skin({ joints: [1, 2, 1] })],
    [at, /index into accessors/, skin({ inverseBindMatrices: 99 })],
    [at, /must be MAT4 of float; it is VEC4/, skin({ inverseBindMatrices: MODEL.rotations })],
    [
        at,
        /must be MAT4 of float; it is MAT4 of normalized short/,
        (model) => {
            model.json.skins[0].inverseBindMatrices = model.accessor(new Int16Array(32), 'MAT4', { normalized: true });
        },
    ],
    [at, /accessor 8 has 1 matrices for 2 joints \(3\.7\.3\.1\)/, matrices(lift(0))],
    [at, /accessor 8: element 1, component 13, is NaN \(3\.6\.2\.2\)/, matrices([...lift(0), ...lift(Number.NaN)])],
    [
        at,
        /matrix 1: the fourth row must be 0 0 0 1, column 0 has 0\.5/,
        matrices([...lift(0), 1, 0, 0, 0.5, ...lift(0).slice(4)]),
    ],
];

describe('skins', () => testFaults(faults));

test('joints and matrices come out in the order of the file', async () => {
    const { skins } = await read(skinnedModel().toGlb());
    expect(skins).toHaveLength(1);
    expect(skins[0]!.name).toBe('legs');
    expect(skins[0]!.joints).toEqual([1, 2]);
    expect([...skins[0]!.inverseBindMatrices]).toEqual([...lift(0), ...lift(-1)]);
});

test('without matrices they are identities', async () => {
    const model = skinnedModel();
    delete model.json.skins[0].inverseBindMatrices;
    expect([...(await read(model.toGlb())).skins[0]!.inverseBindMatrices]).toEqual([...lift(0), ...lift(0)]);
});

test('matrices beyond the joints are left out, whatever they hold', async () => {
    const model = skinnedModel();
    matrices([...lift(1), ...lift(2), ...Array(16).fill(Number.NaN)])(model);
    expect([...(await read(model.toGlb())).skins[0]!.inverseBindMatrices]).toEqual([...lift(1), ...lift(2)]);
});

test('a fourth row that is off by rounding is let through', async () => {
    const model = skinnedModel();
    matrices([...lift(0).slice(0, 15), 0.999999, ...lift(0)])(model);
    expect((await read(model.toGlb())).skins[0]!.inverseBindMatrices[15]).toBe(Math.fround(0.999999));
});

test('skeleton has no effect, even where it is nonsense', async () => {
    const model = skinnedModel();
    model.json.skins[0].skeleton = 99;
    expect((await read(model.toGlb())).warnings).toEqual([]);
});

test('several skins may share joints and matrices', async () => {
    const model = skinnedModel();
    model.json.skins.push({ joints: [2], inverseBindMatrices: MODEL.inverseBind });
    const { skins } = await read(model.toGlb());
    expect(skins[1]!.joints).toEqual([2]);
    expect([...skins[1]!.inverseBindMatrices]).toEqual(lift(0));
});
