// SPDX-License-Identifier: MIT

import type { BakeOptions } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import { MORPHS, rowOf } from '../baked-scenes';
import { bakeOne, CREATURE, FPS, rowsIn } from './baked-creature';

describe('morph', () => {
    test("has the weights of the skin's meshes", async () => {
        const output = await bakeOne({ emit: ['morph'] });
        expect(output.manifest.arrays.morph).toMatchObject({
            layout: 'weights',
            shape: [51, MORPHS],
            meshes: [{ node: 5, name: 'body', first: 0, count: MORPHS }],
        });
        expect(output.manifest.warnings).toEqual([]);
        for (const { row, clip, time } of rowsIn(output)) {
            // In the clip without a channel for it: the rest.
            const expected = clip === 0 ? [time, 1 - 0.5 * time] : [0.25, 0];
            for (const [i, weight] of rowOf(output, 'morph', row).entries()) {
                expect(weight).toBeCloseTo(expected[i]!, 6);
            }
        }
    });

    test('a skin without is warned of and has no array', async () => {
        const bare = { ...CREATURE, skinnedMeshes: [] };
        const { outputs, warnings } = await bakeScene(bare, { fps: 240, emit: ['morph', 'root'] });
        expect(Object.keys(outputs[0]!.manifest.arrays)).toEqual(['root']);
        expect(warnings.map(({ code }) => code)).toEqual(['MORPH_WEIGHTS_NOT_BAKED', 'NO_MORPH']);
    });

    test('what is not of this skin stays a warning; where morphs are not asked for, all of it', async () => {
        const codes = async (options: BakeOptions) =>
            (await bakeScene(CREATURE, { fps: 240, ...options })).warnings.map(({ code }) => code);
        expect(await codes({})).toEqual(['MORPH_WEIGHTS_NOT_BAKED']);
        expect(await codes({ emit: ['morph'] })).toEqual([]);
    });

    test('a clip that only morphs is animated where morphs are baked, and its STEP keys are discontinuities', async () => {
        const weights = { ...CREATURE.animations[0]!.channels.at(-1)!, interpolation: 'STEP' as const };
        const face = { ...CREATURE, animations: [{ name: 'face', channels: [weights] }] };
        const without = await bakeOne({}, face);
        expect(without.manifest.clips[0]).toMatchObject({ animated: false, discontinuities: [] });
        const output = await bakeOne({ emit: ['palette', 'morph'] }, face);
        expect(output.manifest.clips[0]).toMatchObject({ animated: true, discontinuities: [FPS] });
        expect(rowOf(output, 'morph', FPS - 1)).toEqual([0, 1]);
        expect(rowOf(output, 'morph', FPS)).toEqual([1, 0.5]);
    });
});
