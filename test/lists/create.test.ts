// SPDX-License-Identifier: MIT

/** Lists that need no copy: their contents and errors, and every function of every backend takes them. */

import { createJointMats, createJoints, createQuats, slerpJoints } from '../../lib/lists';
import { expectSameBits } from '../support/bytes';
import { runNode } from '../support/processes';
import { listsOf, T } from '../support/routine-arguments';

describe.each([
    ['createJoints', createJoints, 8],
    ['createJointMats', createJointMats, 12],
    ['createQuats', createQuats, 4],
] as const)('%s', (name, create, floats) => {
    test('has this many elements, all 0', () => {
        for (const count of [0, 1, 3, 1000]) {
            const list = create(count);
            expect(list).toBeInstanceOf(Float32Array);
            expect(list.length).toBe(count * floats);
            expect(list.every((x) => x === 0)).toBe(true);
        }
    });

    test.each([
        [-1, 'ERR_COUNT_RANGE'],
        [0.5, 'ERR_COUNT_RANGE'],
        [2 ** 31, 'ERR_COUNT_RANGE'],
        [2 ** 31 - 1, 'ERR_COUNT_RANGE'],
        ['4', 'ERR_ARGUMENT_TYPE'],
        [undefined, 'ERR_ARGUMENT_TYPE'],
    ])('refuses %p', (count, code) => {
        const make = () => create(count as number);
        expect(make).toThrow(expect.objectContaining({ code }));
        expect(make).toThrow(name);
    });
});

test('the functions take them like any list', () => {
    const { joints, blendJoints } = listsOf('slerpJoints', 9) as Record<'joints' | 'blendJoints', Float32Array>;
    const [pose, other] = [createJoints(9), createJoints(9)];
    pose.set(joints);
    other.set(blendJoints);
    slerpJoints(joints, blendJoints, T);
    slerpJoints(pose, other, T);
    expectSameBits(pose, joints, 8, () => 'slerpJoints');
});

test.each(['wasm', 'ts'])('with POSELANE_BACKEND=%s, too', (backend) => {
    const dist = JSON.stringify(require.resolve('../../dist/index.js'));
    const code = `const p = require(${dist});
        const lists = [p.createJoints(3), new Float32Array(24)].map((list) => list.map((_, i) => i + 1));
        const own = p.createJoints(3);
        own.set(lists[0]);
        const other = p.createJoints(3);
        other[3] = 1;
        p.slerpJoints(own, other, 0.25);
        p.slerpJoints(lists[1], other.slice(), 0.25);
        console.log(JSON.stringify([p.backend, [...own].join() === [...lists[1]].join(), own.buffer.byteLength > 1e6]));`;
    const { stdout } = runNode(['-e', code], { env: { ...process.env, POSELANE_BACKEND: backend } });
    expect(JSON.parse(stdout)).toEqual([backend, true, backend === 'wasm']);
});
