// SPDX-License-Identifier: MIT

import { lift, skinnedModel } from '../support/builder';
import { patched, read, testFaults, testWarnings } from '../support/faults';

describe('the hierarchy and the transforms', () =>
    testFaults([
        [{ '/nodes': {} }, /must be an array, is an object/],
        [{ '/nodes/2': 7 }, /must be an object, is 7/],
        [{ '/nodes/0/children': 1 }, /must be an array/],
        [{ '/nodes/0/children/1': 4 }, /index into nodes, which has 4/],
        [{ '/nodes/0/children/0': -1 }, /index into nodes/],
        [{ '/nodes/0/children/0': 1.5 }, /is 1\.5/],
        [{ '/nodes/0/children/0': '1' }, /is "1"/],
        [{ '/nodes/3/children': [2] }, /already a child of node 1: one parent at most/, '/nodes/3/children/0'],
        [{ '/nodes/0/children/2': 3 }, /already a child of node 0/],
        [{ '/nodes/2/children': [0] }, /must not have cycles \(3\.5\.2\)/, '/nodes/2/children/0'],
        [{ '/nodes/0/children/0': 0 }, /its own ancestor/],
        [
            { '/nodes/4': { children: [5] }, '/nodes/5': { children: [6] }, '/nodes/6': { children: [4] } },
            /node 4 is its own ancestor/,
            '/nodes/6/children/0',
        ],
        [{ '/nodes/2/translation': [0, 1] }, /array of 3 numbers/],
        [{ '/nodes/2/rotation': [0, 0, 1] }, /array of 4 numbers/],
        [{ '/nodes/2/scale': [1, 1, 1, 1] }, /array of 3 numbers/],
        [{ '/nodes/2/matrix': Array(12).fill(0) }, /array of 16 numbers/],
        [{ '/nodes/2/translation/1': '1' }, /is "1"/],
        [{ '/nodes/2/scale': [1, null, 1] }, /must be a number/, '/nodes/2/scale/1'],
        [{ '/nodes/2/translation/0': 1e39 }, /finite float32/],
        [
            { '/nodes/3/matrix': [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0] },
            /fourth row must be 0 0 0 1, column 2 has -1/,
        ],
        [{ '/nodes/3/mesh': 1 }, /index into meshes, which has 1/],
        [{ '/nodes/3/skin': 1 }, /index into skins, which has 1/],
    ]));

const nonUnit: [string, string] = ['NON_UNIT_ROTATION', '/nodes/2/rotation'];

testWarnings([
    ['an empty list of children is valid', { '/nodes/2/children': [] }],
    [
        'a matrix has precedence over TRS',
        { '/nodes/3/matrix': [...Array(15).fill(0), 1], '/nodes/3/scale': [1, 1, 1] },
        ['MATRIX_AND_TRS', '/nodes/3'],
    ],
    ['a rotation 2e-5 longer than 1', { '/nodes/2/rotation': [0, 0, 0, 1.00002] }, nonUnit],
    ['a rotation of length 0', { '/nodes/2/rotation': [0, 0, 0, 0] }, nonUnit],
    ['a rotation 5e-6 longer than 1 is valid', { '/nodes/2/rotation': [0, 0, 0, 1.000005] }],
    ['a skin without a mesh', { '/nodes/2/skin': 0 }, ['SKIN_WITHOUT_MESH', '/nodes/2/skin']],
]);

test('infinity written as a number beyond double is rejected', async () => {
    const text = Buffer.from(skinnedModel().toGltf())
        .toString()
        .replace('"translation":[0,1,0]', '"translation":[0,1e999,0]');
    await expect(read(new TextEncoder().encode(text))).rejects.toMatchObject({ pointer: '/nodes/2/translation/1' });
});

test('a name that is not text is empty', async () => {
    const { nodes } = await read(patched(skinnedModel(), { '/nodes/3/name': 7 }).toGlb());
    expect(nodes.map(({ name }) => name)).toEqual(['root', 'hip', 'knee', '']);
});

test('of a warning for every node the first thousand are listed, with the number of others', async () => {
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

    test('in one chain are read without recursion, in proportional time and memory', async () => {
        const bytes = chain('{}');
        const before = process.memoryUsage.rss();
        const start = process.cpuUsage();
        const { nodes } = await read(bytes);
        // About 1 s and 0.3 GB; glTF-Transform needs 18 s and 2.4 GB. The test has no time limit, because machines can be busy.
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
