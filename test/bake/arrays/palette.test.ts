// SPDX-License-Identifier: MIT

import type { BakeOptions } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import { channel, node, scene, skin } from '../../rig/scenes';
import { numberToHalf } from '../../support/half';
import { creature, numbersOf } from '../baked-scenes';

const bakeOne = async (...args: Parameters<typeof bakeScene>) => (await bakeScene(...args)).outputs[0]!;

test('mat3x4 is mat4 by rows, without the last row', async () => {
    const s = creature();
    const [wide, narrow] = [await bakeOne(s, { fps: 30 }), await bakeOne(s, { fps: 30, layout: 'mat3x4' })];
    expect(narrow.manifest.arrays.palette).toMatchObject({ layout: 'mat3x4', dtype: 'f32', shape: [63, 4, 12] });
    expect(narrow.bin.byteLength).toBe((wide.bin.byteLength / 4) * 3);
    const [mat4, mat3x4] = [numbersOf(wide, 'palette'), numbersOf(narrow, 'palette')];
    for (let m = 0; m < mat4.length / 16; m++) {
        for (let row = 0; row < 3; row++) {
            for (let column = 0; column < 4; column++) {
                expect(mat3x4[m * 12 + row * 4 + column]).toBe(mat4[m * 16 + column * 4 + row]);
            }
        }
    }
    const { arrays: _, binary: __, ...rest } = wide.manifest;
    const { arrays: ___, binary: ____, ...others } = narrow.manifest;
    expect(others).toEqual(rest);
});

test.each(['mat4', 'mat3x4'] as const)('f16 %s is f32 rounded to the nearest half float', async (layout) => {
    const s = creature(2);
    const [single, half] = [
        await bakeOne(s, { fps: 30, layout }),
        await bakeOne(s, { fps: 30, layout, dtype: 'f16', maxError: 0.1 }),
    ];
    expect(half.manifest.arrays.palette!.dtype).toBe('f16');
    expect(half.bin.byteLength).toBe(single.bin.byteLength / 2);
    const floats = numbersOf(single, 'palette');
    const data = new DataView(half.bin.buffer, half.bin.byteOffset);
    for (const [i, value] of floats.entries()) expect(data.getUint16(i * 2, true)).toBe(numberToHalf(value));
});

test('the recipe states the max error of half floats, and only of them', async () => {
    const s = creature(2);
    const recipeOf = async (options: BakeOptions) => (await bakeOne(s, options)).manifest.recipe;
    expect((await recipeOf({ dtype: 'f16', maxError: 0.1 })).maxError).toBe(0.1);
    const { extent, recipe } = (await bakeOne(s, { dtype: 'f16' })).manifest;
    expect(recipe.maxError! / extent).toBeCloseTo(1e-3, 9);
    expect(await recipeOf({ fps: 'auto', maxError: 0.1 })).not.toHaveProperty('maxError', expect.anything());
});

describe.each<[string, BakeOptions, RegExp]>([
    ['f16', { dtype: 'f16', fps: 1 }, /use f32 \(0.9 is 90% of the model's extent of 1 units; 1% is 0.01\)$/],
    ['qts16', { layout: 'qts16', fps: 1 }, /use 'mat4' or 'mat3x4' \(0.9 is 90% of .+\)$/],
])('%s is rejected', (_, options, instead) => {
    const rise = (height: number, maxError?: number) => {
        const channels = [channel(0, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 0, height, 0])];
        const nodes = [node(-1), node(0, { translation: [0, 1, 0] })];
        return bakeOne(scene(nodes, [skin([0, 1])], [{ name: 'rise', channels }]), { ...options, maxError });
    };

    test('if its error exceeds maxError: by default 1e-3 of the extent, which is 1', async () => {
        // Half floats from 2,048 to 4,096 are 2 apart: 2,051 is halfway, with an error of 1.
        const { clips, recipe } = (await rise(2051, 1.5)).manifest;
        expect(recipe.maxError).toBe(1.5);
        expect(clips[0]!.error.maxLerp).toBeGreaterThanOrEqual(1);
        const refused = rise(2051, 0.9);
        await expect(refused).rejects.toMatchObject({ name: 'ToleranceError', code: 'ERR_TOLERANCE' });
        await expect(refused).rejects.toThrow(/clip #0 'rise'.*off by 1, more than the 0.9 of maxError/);
        await expect(refused).rejects.toThrow(instead);
        await expect(rise(2051)).rejects.toThrow('more than the 0.001 ');
        await rise(1);
    });

    test('above 65504, for any maxError', async () => {
        await rise(65503, 1e6);
        const refused = rise(65505, 1e6);
        await expect(refused).rejects.toMatchObject({ code: 'ERR_TOLERANCE' });
        await expect(refused).rejects.toThrow(/frame 1, joint 0 .*65505 is beyond half floats/);
    });
});
