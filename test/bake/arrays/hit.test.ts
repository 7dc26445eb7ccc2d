// SPDX-License-Identifier: MIT

import { bakeScene } from '../../../lib/bake/bake';
import { rowOf } from '../baked-scenes';
import { bakeOne, CREATURE, poseAt, rig, rowsIn } from './baked-creature';

describe('hit', () => {
    test('has the global matrices of all joints, in the order of the skin', async () => {
        const output = await bakeOne({ emit: ['hit'] });
        expect(Object.keys(output.manifest.arrays)).toEqual(['hit']);
        expect(output.manifest.arrays.hit).toMatchObject({
            layout: 'mat3x4',
            shape: [51, 4, 12],
            joints: [0, 1, 2, 3],
        });
        const slots = Uint16Array.from(CREATURE.skins[0]!.joints, (node) => rig.slotOf(node));
        const expected = new Float32Array(4 * 12);
        for (const { row, clip, time } of rowsIn(output)) {
            rig.joints(poseAt(clip, time), slots, expected);
            expect(rowOf(output, 'hit', row)).toEqual([...expected]);
        }
    });

    test.each([
        ['^hand', [2, 3]],
        [/HAND\.r/i, [2]],
        [/hand/g, [2, 3]],
        [/h/y, [0, 1, 2, 3]],
    ])('of the joints whose name matches %p', async (hitJoints, joints) => {
        const [some, all] = [await bakeOne({ emit: ['hit'], hitJoints }), await bakeOne({ emit: ['hit'] })];
        expect(some.manifest.arrays.hit!.joints).toEqual(joints);
        const expected = joints.flatMap((joint) => rowOf(all, 'hit', 7).slice(joint * 12, joint * 12 + 12));
        expect(rowOf(some, 'hit', 7)).toEqual(expected);
    });

    test('no match in any skin is a usage error, in one of several a warning', async () => {
        await expect(bakeOne({ emit: ['hit'], hitJoints: 'tail' })).rejects.toMatchObject({ name: 'UsageError' });
        const two = {
            ...CREATURE,
            skins: [
                ...CREATURE.skins,
                { ...CREATURE.skins[0]!, joints: [8], inverseBindMatrices: new Float32Array(16) },
            ],
        };
        const { outputs } = await bakeScene(two, { emit: ['hit', 'bounds'], hitJoints: 'head' });
        expect(outputs.map(({ manifest }) => Object.keys(manifest.arrays))).toEqual([['hit', 'bounds'], ['bounds']]);
        expect(outputs[1]!.manifest.warnings.map(({ code }) => code)).toContain('NO_HIT_JOINT');
        await expect(bakeScene(two, { emit: ['hit'], hitJoints: 'head', strict: true })).rejects.toMatchObject({
            code: expect.any(String),
        });
    });
});
