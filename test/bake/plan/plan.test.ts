// SPDX-License-Identifier: MIT

import { bakeScene } from '../../../lib/bake/bake';
import { channel, node, scene, skin } from '../../rig/scenes';
import { rowOf } from '../baked-scenes';

const rise = (seconds: number) => channel(0, 'translation', 'LINEAR', [0, seconds], [0, 0, 0, 0, seconds, 0]);
const s = scene(
    [node(-1)],
    [skin([0])],
    [1, 3, 0].map((seconds) => ({ name: `${seconds} s`, channels: seconds > 0 ? [rise(seconds)] : [] })),
);

describe('from and to', () => {
    test('select a part of every clip', async () => {
        const [output] = (await bakeScene(s, { fps: 4, from: 0.5, to: 2, clips: ['#0', '#1'] })).outputs;
        const { clips, recipe } = output!.manifest;
        expect(recipe).toMatchObject({ from: 0.5, to: 2, end: 'clamp' });
        expect(
            clips.map(({ firstRow, frameCount, start, duration }) => [firstRow, frameCount, start, duration]),
        ).toEqual([
            [0, 3, 0.5, 0.5],
            [3, 7, 0.5, 1.5],
        ]);
        const heights = Array.from({ length: 10 }, (_, row) => rowOf(output!, 'palette', row)[13]);
        expect(heights).toEqual([0.5, 0.75, 1, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]);
    });

    test('from 0 changes nothing; the shortened last interval is described from the first frame', async () => {
        const [output] = (await bakeScene(s, { fps: 4, from: 0, to: 0.875 })).outputs;
        const { clips, recipe } = output!.manifest;
        expect(recipe.from).toBe(0);
        expect(clips[1]).toMatchObject({ frameCount: 5, duration: 0.875, lastFrameTime: 0.875 });
        expect(JSON.parse(output!.json).clips[1]).not.toHaveProperty('start');
        const later = (await bakeScene(s, { fps: 4, from: 1, to: 1.875, clips: ['#1'] })).outputs[0]!;
        expect(later.manifest.clips[0]).toMatchObject({ start: 1, duration: 0.875, lastFrameTime: 0.875 });
    });

    test('a time beyond the end is the end; from the end gives one row', async () => {
        const part = (await bakeScene(s, { fps: 4, from: 0.5, to: 99, clips: ['#0'] })).outputs[0]!;
        expect(part.manifest.clips[0]).toMatchObject({ frameCount: 3, duration: 0.5 });
        const last = (await bakeScene(s, { fps: 4, from: 1, clips: ['#0'] })).outputs[0]!;
        expect(last.manifest.clips[0]).toMatchObject({ frameCount: 1, duration: 0, fps: null, start: 1 });
        expect(rowOf(last, 'palette', 0)[13]).toBe(1);
    });

    test('a clip that ends earlier is a usage error that names it', async () => {
        await expect(bakeScene(s, { from: 1.5 })).rejects.toMatchObject({
            name: 'UsageError',
            message: expect.stringMatching(/clip #0 '1 s' ends at 1 s, before from, 1.5 s/),
        });
        await expect(bakeScene(s, { from: 0.5 })).rejects.toMatchObject({
            message: expect.stringContaining("clip #2 '0 s' ends at 0 s"),
        });
    });

    test('without them the bytes are those of the whole clip', async () => {
        const [all, part] = [await bakeScene(s, {}), await bakeScene(s, { from: 0, to: 1000 })];
        expect(part.outputs[0]!.bin).toEqual(all.outputs[0]!.bin);
    });
});

test('end fit: equal intervals, at a separate rate', async () => {
    const [output] = (await bakeScene(s, { fps: 2.6, end: 'fit' })).outputs;
    const { clips, recipe } = output!.manifest;
    expect(recipe).toMatchObject({ fps: [13, 5], end: 'fit' });
    expect(clips.map(({ frameCount, fps }) => [frameCount, fps])).toEqual([
        [4, 3],
        [9, 8 / 3],
        [1, null],
    ]);
    expect(JSON.parse(output!.json).clips[0]).not.toHaveProperty('lastFrameTime');
    const heights = Array.from({ length: 4 }, (_, row) => rowOf(output!, 'palette', row)[13]!);
    for (const [frame, height] of heights.entries()) expect(height).toBeCloseTo(frame / 3, 6);
});
