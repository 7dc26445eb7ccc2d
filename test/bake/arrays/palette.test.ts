// SPDX-License-Identifier: MIT

import type { BakeOptions } from '../../../lib/bake';
import { bakeScene } from '../../../lib/bake/bake';
import { channel, node, scene, skin } from '../../rig/scenes';
import { numberToHalf } from '../../support/half';
import { creature, numbersOf } from '../baked-scenes';

const bakeOne = async (...args: Parameters<typeof bakeScene>) => (await bakeScene(...args)).outputs[0]!;

test('mat3x4 is mat4, row by row and without the last row', async () => {
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

test.each(['mat4', 'mat3x4'] as const)('f16 %s is f32, rounded to the nearest half', async (layout) => {
    const s = creature(2);
    const [single, half] = [await bakeOne(s, { layout }), await bakeOne(s, { layout, dtype: 'f16', maxError: 0.1 })];
    expect(half.manifest.arrays.palette!.dtype).toBe('f16');
    expect(half.bin.byteLength).toBe(single.bin.byteLength / 2);
    const floats = numbersOf(single, 'palette');
    const data = new DataView(half.bin.buffer, half.bin.byteOffset);
    for (const [i, value] of floats.entries()) expect(data.getUint16(i * 2, true)).toBe(numberToHalf(value));
});

test('of half floats, and of them alone, the recipe says what they may be off by', async () => {
    const s = creature(2);
    const recipeOf = async (options: BakeOptions) => (await bakeOne(s, options)).manifest.recipe;
    expect((await recipeOf({ dtype: 'f16', maxError: 0.1 })).maxError).toBe(0.1);
    const { extent, recipe } = (await bakeOne(s, { dtype: 'f16' })).manifest;
    expect(recipe.maxError).toBeCloseTo(1e-3 * extent, 9);
    expect(await recipeOf({ fps: 'auto', maxError: 0.1 })).not.toHaveProperty('maxError', expect.anything());
});

describe('f16 is refused', () => {
    const rise = (height: number) => channel(0, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 0, height, 0]);
    const far = (height: number) =>
        scene(
            [node(-1), node(0, { translation: [0, 1, 0] })],
            [skin([0, 1])],
            [{ name: 'rise', channels: [rise(height)] }],
        );

    test('where its error exceeds maxError: by default 1e-3 of the extent', async () => {
        // Between 2,048 and 4,096 halves are 2 apart: 2,051 is halfway between two of them, off by 1.
        const { maxLerp } = (await bakeOne(far(2051), { dtype: 'f16', maxError: 1.5, fps: 1 })).manifest.clips[0]!
            .error;
        expect(maxLerp).toBeGreaterThanOrEqual(1);
        await expect(bakeOne(far(2051), { dtype: 'f16', maxError: 0.9, fps: 1 })).rejects.toMatchObject({
            name: 'ToleranceError',
            code: 'ERR_TOLERANCE',
            message: expect.stringMatching(/clip #0 'rise'.*off by 1, more than the 0.9/),
        });
        // The extent is 1.
        await expect(bakeOne(far(2051), { dtype: 'f16', fps: 1 })).rejects.toMatchObject({
            message: expect.stringContaining('more than the 0.001'),
        });
        await bakeOne(far(1), { dtype: 'f16', fps: 1 });
    });

    test('beyond 65504, whatever the error allowed', async () => {
        await bakeOne(far(65503), { dtype: 'f16', maxError: 1e6, fps: 1 });
        await expect(bakeOne(far(65505), { dtype: 'f16', maxError: 1e6, fps: 1 })).rejects.toMatchObject({
            code: 'ERR_TOLERANCE',
            message: expect.stringMatching(/frame 1, joint 0 .*65505 is beyond half floats/),
        });
    });
});
