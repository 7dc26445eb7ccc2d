// SPDX-License-Identifier: MIT

import { bakeScene } from '../../../lib/bake/bake';
import { numbersOf } from '../baked-scenes';
import { bakeOne, CREATURE, FPS } from './baked-creature';

test('all of them at once: the order and places in the bin, zeros between', async () => {
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
        const root = name === 'root' ? 'extract' : 'in-place';
        const [alone] = (await bakeScene(CREATURE, { fps: FPS, emit: [name], root })).outputs;
        expect(numbersOf(output, name)).toEqual(numbersOf(alone!, name));
    }
    expect(binary.byteLength).toBe(end);
    expect(output.bin.byteLength).toBe(end);
});
