// SPDX-License-Identifier: MIT

import { BACKENDS, bakeFileOn, palettesOf, withoutAddon } from '../../support/baked';
import { judge } from '../../support/displacement-judge';
import {
    CHARACTER,
    describeModel,
    FOX,
    INTERPOLATION_TEST,
    KNIGHT,
    RIGGED_FIGURE,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../../support/models';

/** What `judge` requires of each model: see there. Here too, what is known of the model itself. */
const MODELS = [
    { model: CHARACTER, joints: 34, warnings: [] },
    { model: FOX, joints: 24, rows: 321, clips: 3, warnings: [] },
    { model: RIGGED_FIGURE, joints: 19, rows: 76, clips: 1, warnings: [] },
    // 7 of the 76 clips are a single frame.
    { model: KNIGHT, joints: 41, rows: 5560, clips: 76, warnings: [] },
    // Rotation keys of 0.707 are not unit, so three.js is no judge.
    { model: SIMPLE_SKIN, joints: 2, rows: 331, clips: 1, three: false, warnings: ['NON_UNIT_ROTATION'] },
    { model: SIMPLE_SKIN_TWICE, joints: 2, rows: 331, clips: 1, three: false, warnings: ['NON_UNIT_ROTATION'] },
];

for (const { model, joints, rows, clips, three, warnings } of MODELS) {
    describeModel(model, () => {
        test('agrees with the double evaluator, which three.js confirms; both backends give the same bytes', async () => {
            const skins = await judge(model.path, { fps: 60, three });
            expect(skins).toHaveLength(1);
            const { manifest } = skins[0]!.baked;
            expect(manifest.skin.joints).toHaveLength(joints);
            if (rows !== undefined) expect(manifest.arrays.palette!.shape[0]).toBe(rows);
            if (clips !== undefined) expect(manifest.clips).toHaveLength(clips);
            expect([...new Set(manifest.warnings.map(({ code }) => code))]).toEqual(warnings);
        });
    });
}

const addonAbsent = withoutAddon();
(addonAbsent === null ? test : test.skip)(
    `the native addon is judged along with the fallback${addonAbsent === null ? '' : ` [skipped: ${addonAbsent}]`}`,
    () => expect(BACKENDS).toEqual(['native', 'ts']),
);

describeModel(KNIGHT, () => {
    test('single-key clips are one row with no rate', async () => {
        const [baked] = await bakeFileOn('ts', KNIGHT.path, 2);
        const still = baked!.manifest.clips.filter(({ duration }) => duration === 0);
        expect(still.map(({ frameCount, fps }) => [frameCount, fps])).toEqual(Array(7).fill([1, null]));
    });
});

describeModel(INTERPOLATION_TEST, () => {
    test.each(BACKENDS)('has no skin: its nine moving meshes are baked (%s)', async (backend) => {
        const [baked] = await bakeFileOn(backend, INTERPOLATION_TEST.path, 60);
        expect([baked!.manifest.skin, baked!.manifest.attachments.length]).toEqual([null, 9]);
        expect(palettesOf(baked!).length).toBe(baked!.manifest.arrays.palette!.shape[0]! * 9 * 16);
    });
});
