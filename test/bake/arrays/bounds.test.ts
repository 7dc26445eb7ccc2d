// SPDX-License-Identifier: MIT

import { rowOf } from '../baked-scenes';
import { bakeOne, CREATURE, rowsIn } from './baked-creature';

// Boxes around vertices: test/bake/rows/skin-box.test.ts, and verifyBake.
describe('bounds', () => {
    test('of a clip of one row are those of the clip, and those of a clip are all of its rows', async () => {
        const output = await bakeOne({ emit: ['palette', 'bounds'] });
        expect(output.manifest.arrays.bounds).toMatchObject({ layout: 'minmax', shape: [51, 6] });
        for (const { firstRow, frameCount, bounds } of output.manifest.clips) {
            const rows = Array.from({ length: frameCount }, (_, frame) => rowOf(output, 'bounds', firstRow + frame));
            expect(bounds).toEqual([
                ...[0, 1, 2].map((axis) => Math.min(...rows.map((row) => row[axis]!))),
                ...[3, 4, 5].map((axis) => Math.max(...rows.map((row) => row[axis]!))),
            ]);
        }
    });

    test("without a mesh: of the joints' origins, a zero +0", async () => {
        const bare = { ...CREATURE, skinnedMeshes: [] };
        const output = await bakeOne({ emit: ['hit', 'bounds'] }, bare);
        for (const { row } of rowsIn(output)) {
            const hit = rowOf(output, 'hit', row);
            const origins = [3, 7, 11].map((at) => [0, 1, 2, 3].map((joint) => hit[joint * 12 + at]!));
            const expected = [...origins.map((list) => Math.min(...list)), ...origins.map((list) => Math.max(...list))];
            expect(rowOf(output, 'bounds', row)).toEqual(expected.map((value) => value + 0));
        }
    });
});
