// SPDX-License-Identifier: MIT

import { bakeScene } from '../../../lib/bake/bake';
import { channel, node, scene, skin } from '../../rig/scenes';
import { rowOf } from '../baked-scenes';

const bakeOne = async (...args: Parameters<typeof bakeScene>) => (await bakeScene(...args)).outputs[0]!;

// The root of every skin: `verifyBake`.
describe('skin-root', () => {
    // Root: a quarter turn about z, twice as large, at (10, 0, 0).
    const nodes = [
        node(-1, { translation: [10, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], scale: [2, 2, 2] }),
        node(0, { translation: [1, 0, 0] }),
        node(0, { translation: [0, 1, 0] }),
    ];
    const rise = channel(1, 'translation', 'LINEAR', [0, 1], [1, 0, 0, 1, 3, 0]);
    const s = scene(nodes, [skin([1, 2])], [{ name: '', channels: [rise] }]);
    const emit = ['palette', 'hit', 'bounds'] as const;

    test('positions are relative to the rest pose of the root', async () => {
        const output = await bakeOne(s, { fps: 1, space: 'skin-root', emit });
        expect(output.manifest.skin!.root).toBe(0);
        expect(output.manifest.recipe.space).toBe('skin-root');
        const moved = (x: number, y: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1];
        for (const [row, y] of [0, 3].entries()) {
            const close = (numbers: number[], expected: number[]) => {
                for (const [i, value] of numbers.entries()) expect(value).toBeCloseTo(expected[i]!, 5);
            };
            close(rowOf(output, 'palette', row), [...moved(1, y), ...moved(0, 1)]);
            close(rowOf(output, 'hit', row), [
                ...[1, 0, 0, 1, 0, 1, 0, y, 0, 0, 1, 0],
                ...[1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0],
            ]);
            close(rowOf(output, 'bounds', row), [0, Math.min(1, y), 0, 1, Math.max(1, y), 0]);
        }
        expect(output.manifest.clips[0]!.bounds).toEqual([0, 0, 0, 1, 3, 0].map((side) => expect.closeTo(side, 5)));
        // The children are at (1, 3, 0) and (0, 1, 0) at the end of the clip, in the root's units.
        expect(output.manifest.extent).toBeCloseTo(Math.sqrt(5), 5);
    });

    test('joints without a common ancestor: the scene', async () => {
        const apart = scene([node(-1), node(-1, { translation: [1, 2, 3] })], [skin([0, 1])], [...s.animations]);
        const [there, here] = [await bakeOne(apart, {}), await bakeOne(apart, { space: 'skin-root' })];
        expect(here.bin).toEqual(there.bin);
    });

    test('a singular root is rejected', async () => {
        const flat = { ...s, nodes: [node(-1, { scale: [1, 0, 1] }), ...s.nodes.slice(1)] };
        await expect(bakeOne(flat, { space: 'skin-root' })).rejects.toMatchObject({
            code: 'NOT_FINITE',
            pointer: '/nodes/0',
        });
    });
});
