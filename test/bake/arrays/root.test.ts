// SPDX-License-Identifier: MIT

import { rowOf } from '../baked-scenes';
import { bakeOne, rig, rowsIn } from './baked-creature';

test('root is what rootDelta gives of the first joint without one above it', async () => {
    const output = await bakeOne({ emit: ['root'] });
    expect(output.manifest.arrays.root).toMatchObject({ layout: 'tr', shape: [51, 7], joint: 1 });
    const slot = rig.slotOf(2);
    const delta = new Float32Array(7);
    for (const { row, clip, time } of rowsIn(output)) {
        expect(rowOf(output, 'root', row)).toEqual([...rig.rootDelta(delta, clip, 0, time, { slot })]);
    }
    // By the middle of the jump it is 3 up; whatever it stands in, at the first frame there is no motion yet.
    expect(rowOf(output, 'root', 0)).toEqual([0, 0, 0, 0, 0, 0, 1]);
});
