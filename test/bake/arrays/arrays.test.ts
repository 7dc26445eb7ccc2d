// SPDX-License-Identifier: MIT

/** Offsets, shapes and selection of arrays. `verifyBake` proves their rows: see attachments.test.ts and test/verify. */

import type { BakeOptions, BakeOutput } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import type { GltfScene } from '../../../lib/gltf/scene';
import { creature, MORPHS, numbersOf, rowOf } from '../baked-scenes';

const FPS = 24;
const CREATURE = creature(5);

async function bakeOne(options: BakeOptions, of: GltfScene = CREATURE): Promise<BakeOutput> {
    return (await bakeScene(of, { fps: FPS, ...options })).outputs[0]!;
}

test('all arrays: order and offsets in the bin, zeros between', async () => {
    const emit = ['root', 'bounds', 'morph', 'local', 'hit', 'palette'] as const;
    const output = await bakeOne({ emit });
    const { arrays, binary } = output.manifest;
    const names = ['palette', 'hit', 'local', 'morph', 'bounds', 'root'] as const;
    let end = 0;
    for (const name of names) {
        const { byteOffset, byteLength, shape, dtype } = arrays[name]!;
        expect(dtype).toBe('f32');
        expect(byteOffset % 256).toBe(0);
        expect(byteOffset - end).toBeGreaterThanOrEqual(0);
        expect(byteOffset - end).toBeLessThan(256);
        expect(output.bin.subarray(end, byteOffset).every((byte) => byte === 0)).toBe(true);
        expect(byteLength).toBe(shape.reduce((product, length) => product * length, 4));
        end = byteOffset + byteLength;
        const alone = await bakeOne({ emit: [name], root: name === 'root' ? 'extract' : 'in-place' });
        expect(numbersOf(output, name)).toEqual(numbersOf(alone, name));
    }
    expect(binary.byteLength).toBe(end);
    expect(output.bin.byteLength).toBe(end);
});

describe('hit', () => {
    test.each([
        ['^hand', [2, 3]],
        [/HAND\.r/i, [2]],
        [/hand/g, [2, 3]],
        [/h/y, [0, 1, 2, 3]],
    ])('for joints whose name matches %p', async (hitJoints, joints) => {
        const [some, all] = [await bakeOne({ emit: ['hit'], hitJoints }), await bakeOne({ emit: ['hit'] })];
        expect(some.manifest.arrays.hit!.joints).toEqual(joints);
        const expected = joints.flatMap((joint) => rowOf(all, 'hit', 7).slice(joint * 12, joint * 12 + 12));
        expect(rowOf(some, 'hit', 7)).toEqual(expected);
    });

    test('no match in any skin is a usage error, in one of several a warning', async () => {
        await expect(bakeOne({ emit: ['hit'], hitJoints: 'tail' })).rejects.toMatchObject({ name: 'UsageError' });
        const [skin] = CREATURE.skins;
        const other = { ...skin!, joints: [8], inverseBindMatrices: new Float32Array(16) };
        const two = { ...CREATURE, skins: [skin!, other] };
        const { outputs } = await bakeScene(two, { emit: ['hit', 'bounds'], hitJoints: 'head' });
        expect(outputs.map(({ manifest }) => Object.keys(manifest.arrays))).toEqual([['hit', 'bounds'], ['bounds']]);
        expect(outputs[1]!.manifest.warnings.map(({ code }) => code)).toContain('NO_HIT_JOINT');
        await expect(bakeScene(two, { emit: ['hit'], hitJoints: 'head', strict: true })).rejects.toMatchObject({
            code: expect.any(String),
        });
    });
});

describe('morph', () => {
    test('a skin without morphs gives a warning and has no array', async () => {
        const bare = { ...CREATURE, skinnedMeshes: [] };
        const { outputs, warnings } = await bakeScene(bare, { fps: 240, emit: ['morph', 'root'] });
        expect(Object.keys(outputs[0]!.manifest.arrays)).toEqual(['root']);
        expect(warnings.map(({ code }) => code)).toEqual(['MORPH_WEIGHTS_NOT_BAKED', 'NO_MORPH']);
    });

    test('a clip with only morphs is animated if morphs are baked, and its STEP keys are discontinuities', async () => {
        const weights = { ...CREATURE.animations[0]!.channels.at(-1)!, interpolation: 'STEP' as const };
        const face = { ...CREATURE, animations: [{ name: 'face', channels: [weights] }] };
        const without = await bakeOne({}, face);
        expect(without.manifest.clips[0]).toMatchObject({ animated: false, discontinuities: [] });
        const output = await bakeOne({ emit: ['palette', 'morph'] }, face);
        expect(output.manifest.arrays.morph!.meshes).toEqual([{ node: 5, name: 'body', first: 0, count: MORPHS }]);
        expect(output.manifest.clips[0]).toMatchObject({ animated: true, discontinuities: [FPS] });
        expect(rowOf(output, 'morph', FPS - 1)).toEqual([0, 1]);
        expect(rowOf(output, 'morph', FPS)).toEqual([1, 0.5]);
    });
});
