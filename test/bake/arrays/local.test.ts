// SPDX-License-Identifier: MIT

import { rowOf } from '../baked-scenes';
import { bakeOne, CREATURE, poseAt, rig, rowsIn } from './baked-creature';

test('local has translation, rotation and scale of the joints and all above them', async () => {
    const output = await bakeOne({ emit: ['local'] });
    const { slots, ...about } = output.manifest.arrays.local!;
    expect(about).toMatchObject({ layout: 'trs', shape: [51, 7, 10] });
    // By depth, then by node; neither the mesh's own node nor what is far away.
    expect(slots.map(({ node, parent }) => [node, parent])).toEqual([
        [0, -1],
        [1, 0],
        [2, 1],
        [3, 2],
        [6, 2],
        [7, 2],
        [4, 5],
    ]);
    expect(slots.map(({ name }) => name)).toEqual(slots.map(({ node }) => CREATURE.nodes[node]!.name));
    expect(slots.map(({ matrix }) => matrix)).toEqual([
        ...Array(5).fill(undefined),
        [1, 0.25, 0, 0, 0, 1, 0.5, 1, 0, 0, 2, 0],
        undefined,
    ]);
    const trs = new Float32Array(10);
    for (const { row, clip, time } of rowsIn(output)) {
        const poses = poseAt(clip, time);
        const expected = slots.flatMap(({ node, matrix }) =>
            matrix ? [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] : [...rig.getLocal(poses, 0, rig.slotOf(node), trs)],
        );
        expect(rowOf(output, 'local', row)).toEqual(expected);
    }
});
