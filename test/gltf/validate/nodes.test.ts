// SPDX-License-Identifier: MIT

import { type GltfBuilder, lift, skinnedModel } from '../support/builder';
import { type Break, read, testFaults, warningsAfter } from '../support/faults';

const node = (index: number, change: object) => (model: GltfBuilder) => {
    Object.assign(model.json.nodes[index], change);
};

const faults: Break[] = [
    ['/nodes', /must be an array, is an object/, ({ json }) => (json.nodes = {})],
    ['/nodes/2', /must be an object, is 7/, ({ json }) => (json.nodes[2] = 7)],
    ['/nodes/0/children', /must be an array/, node(0, { children: 1 })],
    ['/nodes/0/children/1', /index into nodes, which has 4/, node(0, { children: [1, 4] })],
    ['/nodes/0/children/0', /index into nodes/, node(0, { children: [-1] })],
    ['/nodes/0/children/0', /is 1\.5/, node(0, { children: [1.5] })],
    ['/nodes/0/children/0', /is "1"/, node(0, { children: ['1'] })],
    ['/nodes/3/children/0', /already a child of node 1: one parent at most/, node(3, { children: [2] })],
    ['/nodes/0/children/2', /already a child of node 0/, node(0, { children: [1, 3, 3] })],
    ['/nodes/2/children/0', /must not have cycles \(3\.5\.2\)/, node(2, { children: [0] })],
    ['/nodes/0/children/0', /its own ancestor/, node(0, { children: [0] })],
    [
        '/nodes/6/children/0',
        /node 4 is its own ancestor/,
        ({ json }) => json.nodes.push({ children: [5] }, { children: [6] }, { children: [5, 4].slice(1) }),
    ],
    ['/nodes/2/translation', /array of 3 numbers/, node(2, { translation: [0, 1] })],
    ['/nodes/2/rotation', /array of 4 numbers/, node(2, { rotation: [0, 0, 1] })],
    ['/nodes/2/scale', /array of 3 numbers/, node(2, { scale: [1, 1, 1, 1] })],
    ['/nodes/2/matrix', /array of 16 numbers/, node(2, { matrix: Array(12).fill(0) })],
    ['/nodes/2/translation/1', /is "1"/, node(2, { translation: [0, '1', 0] })],
    ['/nodes/2/scale/1', /must be a number/, node(2, { scale: [1, null, 1] })],
    ['/nodes/2/translation/0', /finite float32/, node(2, { translation: [1e39, 0, 0] })],
    [
        '/nodes/3/matrix',
        /fourth row must be 0 0 0 1, column 2 has -1/,
        node(3, { matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0] }),
    ],
    ['/nodes/3/mesh', /index into meshes, which has 1/, node(3, { mesh: 1 })],
    ['/nodes/3/skin', /index into skins, which has 1/, node(3, { skin: 1 })],
];

describe('the hierarchy and the transforms', () => testFaults(faults));

test('infinity written as a number beyond double is refused', async () => {
    const text = Buffer.from(skinnedModel().toGltf())
        .toString()
        .replace('"translation":[0,1,0]', '"translation":[0,1e999,0]');
    await expect(read(new TextEncoder().encode(text))).rejects.toMatchObject({ pointer: '/nodes/2/translation/1' });
});

test('parents, names and transforms come out by index, rounded to float32', async () => {
    const model = skinnedModel();
    Object.assign(model.json.nodes[2], { rotation: [0, 0.6, 0, 0.8], scale: [0.1, -2, 0] });
    delete model.json.nodes[1].name;
    model.json.nodes[3].name = 7;
    const { nodes } = await read(model.toGlb());
    expect(nodes.map(({ parent }) => parent)).toEqual([-1, 0, 1, 0]);
    expect(nodes.map(({ name }) => name)).toEqual(['root', '', 'knee', '']);
    const [, hip, knee] = nodes;
    expect([hip!.translation, hip!.rotation, hip!.scale].map((v) => [...v])).toEqual([
        [0, 0, 0],
        [0, 0, 0, 1],
        [1, 1, 1],
    ]);
    expect([...knee!.translation]).toEqual([0, 1, 0]);
    expect([...knee!.rotation]).toEqual([0, 0.6, 0, 0.8].map(Math.fround));
    expect([...knee!.scale]).toEqual([0.1, -2, 0].map(Math.fround));
});

test('a parent may come after its child', async () => {
    const model = skinnedModel();
    model.json.nodes.push({ name: 'world', children: [0] });
    expect((await read(model.toGlb())).nodes.map(({ parent }) => parent)).toEqual([4, 0, 1, 0, -1]);
});

test('a matrix is kept as it is, shear and zero scale included', async () => {
    const sheared = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 0, 0, 3, 4, 5, 1];
    const model = skinnedModel();
    model.json.nodes[3].matrix = sheared;
    const { nodes, warnings } = await read(model.toGlb());
    expect([...nodes[3]!.matrix!]).toEqual(sheared);
    expect(nodes[2]!.matrix).toBeNull();
    expect(warnings).toEqual([]);
});

test('an empty list of children is no fault', async () => {
    expect(await warningsAfter(node(2, { children: [] }))).toEqual([]);
});

test('matrix counts where a node has TRS as well, with a warning', async () => {
    expect(await warningsAfter(node(3, { matrix: [...Array(15).fill(0), 1], scale: [1, 1, 1] }))).toEqual([
        ['MATRIX_AND_TRS', '/nodes/3'],
    ]);
});

test('a rotation that is not of unit length is a warning, from 1e-5 on', async () => {
    const turned = (w: number) => warningsAfter(node(2, { rotation: [0, 0, 0, w] }));
    expect(await turned(1.00002)).toEqual([['NON_UNIT_ROTATION', '/nodes/2/rotation']]);
    expect(await turned(1.000005)).toEqual([]);
    expect(await turned(0)).toEqual([['NON_UNIT_ROTATION', '/nodes/2/rotation']]);
});

test('a skin without a mesh is a warning', async () => {
    expect(await warningsAfter(node(2, { skin: 0 }))).toEqual([['SKIN_WITHOUT_MESH', '/nodes/2/skin']]);
});

test('of warnings that every node gives the first thousand are listed, and how many more there are', async () => {
    const model = skinnedModel();
    for (let i = 0; i < 1500; i++) model.json.nodes.push({ rotation: [0, 0, 0, 2] });
    model.json.nodes.push({ matrix: lift(1), scale: [1, 1, 1] });
    const { warnings } = await read(model.toGlb());
    const codes = warnings.map(({ code }) => code);
    expect(codes.filter((code) => code === 'MATRIX_AND_TRS')).toHaveLength(1);
    expect(codes.filter((code) => code === 'NON_UNIT_ROTATION')).toHaveLength(1001);
    expect(warnings[999]!.pointer).toBe('/nodes/1003/rotation');
    const more = { code: 'NON_UNIT_ROTATION', pointer: '', message: '500 more of these are not listed' };
    expect(warnings[warnings.length - 1]).toEqual(more);
});

describe('a million nodes', () => {
    const COUNT = 1_000_000;
    const chain = (last: string, count = COUNT) => {
        const links = Array.from({ length: count - 1 }, (_, i) => `{"children":[${i + 1}]}`);
        return new TextEncoder().encode(`{"asset":{"version":"2.0"},"nodes":[${links.join()},${last}]}`);
    };

    test('in one chain are read without recursion, in time and memory in proportion', async () => {
        const bytes = chain('{}');
        const before = process.memoryUsage.rss();
        const start = process.cpuUsage();
        const { nodes } = await read(bytes);
        // About 1 s and 0.3 GB; glTF-Transform alone needs 18 s and 2.4 GB. The clock of a busy machine says nothing.
        const { user, system } = process.cpuUsage(start);
        expect((user + system) / 1e6).toBeLessThan(10);
        expect(process.memoryUsage.rss() - before).toBeLessThan(2 ** 30);
        expect(nodes).toHaveLength(COUNT);
        expect(nodes[COUNT - 1]!.parent).toBe(COUNT - 2);
    }, 120_000);

    test('in one ring are a cycle: a tenth of them', async () => {
        await expect(read(chain('{"children":[0]}', COUNT / 10))).rejects.toMatchObject({
            code: 'GLTF_INVALID',
            pointer: `/nodes/${COUNT / 10 - 1}/children/0`,
        });
    });
});
