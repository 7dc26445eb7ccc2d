// SPDX-License-Identifier: MIT

import { rowOf } from '../baked-scenes';
import { bakeOne, CREATURE, rowsIn } from './baked-creature';

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

    test('hold every vertex of their row, and no more', async () => {
        const output = await bakeOne({ emit: ['palette', 'bounds'] });
        const { positions, joints, weights } = CREATURE.skinnedMeshes[0]!.primitives[0]!;
        for (const row of [0, 11, 24, 25, 26, 40]) {
            const palette = rowOf(output, 'palette', row);
            const places = [0, 1, 2].map((axis) =>
                Array.from({ length: positions.length / 3 }, (_, v) =>
                    [0, 1, 2, 3].reduce((sum, i) => {
                        const m = joints[v * 4 + i]! * 16 + axis;
                        const at = [0, 1, 2].reduce(
                            (total, c) => total + palette[m + c * 4]! * positions[v * 3 + c]!,
                            palette[m + 12]!,
                        );
                        return sum + weights[v * 4 + i]! * at;
                    }, 0),
                ),
            );
            const expected = [...places.map((list) => Math.min(...list)), ...places.map((list) => Math.max(...list))];
            for (const [side, value] of rowOf(output, 'bounds', row).entries()) {
                expect(value).toBeCloseTo(expected[side]!, 5);
            }
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
