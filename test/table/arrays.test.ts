// SPDX-License-Identifier: MIT

/** Every array of the baker is read back: at each frame's time, its row. */

import { join } from 'node:path';
import { type BakeOptions, bakeFile } from '../../lib/bake';
import { type ArrayName, BakedTable } from '../../lib/table';
import { halfToNumber } from '../support/half';

const CHARACTER = join(__dirname, '../../examples/character.glb');
const ALL = ['palette', 'hit', 'local', 'bounds', 'root'] as const;

test.each<[string, BakeOptions]>([
    ['at 30 fps', { emit: ALL }],
    ['3x4, of a few joints', { emit: ALL, fps: 24, layout: 'mat3x4', hitJoints: 'Hand|Head' }],
    ['fitted', { emit: ALL, fps: 25, end: 'fit' }],
    ['a part of each clip', { emit: ALL, fps: '24000/1001', from: 0.31, to: 0.93 }],
    ['half floats', { emit: ['palette'], dtype: 'f16' }],
])('%s', async (_, options) => {
    const { outputs } = await bakeFile(CHARACTER, options);
    const { json, bin } = outputs[0]!;
    const table = BakedTable.open(json, bin);
    expect(Object.keys(table.arrays)).toEqual(options.emit);
    const { arrays } = JSON.parse(json);
    for (const name of options.emit as ArrayName[]) {
        const { byteOffset, dtype } = arrays[name];
        const { rowFloats } = table.arrays[name]!;
        const view = new DataView(bin.buffer, bin.byteOffset + byteOffset);
        const out = new Float32Array(rowFloats);
        let wrong = 0;
        for (const [clip, { firstRow, frameCount }] of table.clips.entries()) {
            for (let frame = 0; frame < frameCount; frame++) {
                table.sample(name, clip, Float64Array.of(table.frameTime(clip, frame)), out);
                for (let i = 0; i < rowFloats; i++) {
                    const at = (firstRow + frame) * rowFloats + i;
                    const stored =
                        dtype === 'f16' ? halfToNumber(view.getUint16(at * 2, true)) : view.getFloat32(at * 4, true);
                    if (!Object.is(stored, out[i])) wrong++;
                }
            }
        }
        expect({ name, wrong }).toEqual({ name, wrong: 0 });
    }
});
