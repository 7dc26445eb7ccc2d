// SPDX-License-Identifier: MIT

import { bakeFile } from '../../../lib';
import { Rig } from '../../../lib/rig/rig';
import { CHARACTER, describeModel, FOX, KNIGHT, RIGGED_FIGURE, ROBOT, ROGUE, SIMPLE_SKIN } from '../../support/models';

describe('the loop flags of clips equal those of bakes with default options', () => {
    for (const model of [CHARACTER, FOX, KNIGHT, RIGGED_FIGURE, ROBOT, ROGUE, SIMPLE_SKIN]) {
        describeModel(model, () => {
            test('all clips', async () => {
                const { outputs } = await bakeFile(model.path);
                const baked = new Map<number, boolean>();
                for (const { manifest } of outputs) {
                    for (const { animation, loop } of manifest.clips)
                        baked.set(animation, loop && (baked.get(animation) ?? true));
                }
                const { clips } = await Rig.load(model.path);
                expect(clips.map(({ loop }) => loop)).toEqual(clips.map((_, clip) => baked.get(clip)));
            });
        });
    }
});

test('without skins and meshes, the origins of all slots', () => {
    const still = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
    const walk = (end: number) => ({
        channels: [
            { node: 1, path: 'translation' as const, times: [0, 0.5, 1], values: [0, 1, 0, 0, 2, 0, 0, end, 0] },
        ],
    });
    const { clips } = Rig.create({ parents: [-1, 0], rest: [...still, ...still], clips: [walk(1), walk(1.5)] });
    expect(clips.map(({ loop }) => loop)).toEqual([true, false]);
});

test('a turning joint is not a loop, even if the file has vertices that it does not move', async () => {
    const files = [await Rig.load(RIGGED_FIGURE.path), await Rig.load(RIGGED_FIGURE.path, { meshes: false })];
    expect(files.map(({ clips }) => clips[0]!.loop)).toEqual([false, false]);
});
