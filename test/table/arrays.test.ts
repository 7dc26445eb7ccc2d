// SPDX-License-Identifier: MIT

/** Every array that the baker writes is read back: at each frame's own time, its row; and `local` against the Rig. */

import { join } from 'node:path';
import { type BakeOptions, bakeFile } from '../../lib/bake';
import { Rig } from '../../lib/rig';
import { type ArrayName, BakedTable } from '../../lib/table';

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
                    // Halves within what they can tell; they are tested bit by bit elsewhere.
                    if (dtype === 'f32' && !Object.is(view.getFloat32(at * 4, true), out[i])) wrong++;
                    if (dtype === 'f16' && !Number.isFinite(out[i])) wrong++;
                }
            }
        }
        expect({ name, wrong }).toEqual({ name, wrong: 0 });
    }
});

test('between the rows `local` nears what the Rig evaluates there as the square of the interval', async () => {
    const rig = await Rig.load(CHARACTER);
    const poses = rig.createPoses(1);
    const trs = new Float32Array(10);

    async function worstAt(fps: number): Promise<number> {
        const { outputs } = await bakeFile(CHARACTER, { emit: ['local'], fps });
        const table = BakedTable.open(outputs[0]!.json, outputs[0]!.bin);
        const { slots } = table.manifest.arrays.local!;
        const walk = table.clipNamed('Walk');
        const out = new Float32Array(table.arrays.local!.rowFloats);
        let worst = 0;
        for (let frame = 0; frame < table.clips[walk]!.frameCount - 1; frame++) {
            const time = Float64Array.of((frame + 0.5) / fps);
            table.sample('local', walk, time, out);
            rig.evaluate(poses, walk, time);
            for (const [place, { node }] of slots.entries()) {
                rig.getLocal(poses, 0, rig.slotOf(node), trs);
                const at = place * 10;
                // A rotation and its opposite are the same.
                let dot = 0;
                for (let c = 3; c < 7; c++) dot += trs[c]! * out[at + c]!;
                for (let c = 0; c < 10; c++) {
                    const sign = c >= 3 && c < 7 && dot < 0 ? -1 : 1;
                    worst = Math.max(worst, Math.abs(trs[c]! - sign * out[at + c]!));
                }
            }
        }
        return worst;
    }

    // Rates at which every key is a frame: 4 times as many rows, a 16th of the error; the nearest row would give a 4th.
    const [coarse, fine] = [await worstAt(60), await worstAt(240)];
    expect(coarse).toBeGreaterThan(0);
    expect(fine).toBeLessThan(coarse / 10);
});
