// SPDX-License-Identifier: MIT

import { Rig } from '../../../lib/rig/rig';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { fromMat3x4 } from '../../rig/double-reference';
import { judgeSkinning } from '../../rig/judge-skinning';
import { answersOf, prepareRig } from '../../rig/rig-judge';
import { globalsOf, posed } from '../../rig/scenes';
import { ENGINE_NAMES, type EngineName } from '../../support/engines';
import {
    CHARACTER,
    describeModel,
    FOX,
    INTERPOLATION_TEST,
    KNIGHT,
    type Model,
    RIGGED_FIGURE,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../../support/models';
import { once } from '../../support/once';

interface JudgedModel {
    readonly model: Model;
    readonly joints: number;
    readonly clips?: number;
    readonly engines?: readonly EngineName[];
    /** The clip whose vertices are judged. */
    readonly clip?: number;
    readonly normals?: boolean;
}

const MODELS: readonly JudgedModel[] = [
    { model: CHARACTER, joints: 34 },
    { model: FOX, joints: 24, clips: 3, clip: 1, normals: false },
    { model: RIGGED_FIGURE, joints: 19, clips: 1 },
    { model: KNIGHT, joints: 41, clips: 76, clip: 40 },
    // Rotation keys of 0.707 are not unit: three.js lerps and normalises them, Babylon follows the specification.
    { model: SIMPLE_SKIN, joints: 2, clips: 1, engines: ['Babylon'], normals: false },
    { model: SIMPLE_SKIN_TWICE, joints: 2, clips: 1, engines: ['Babylon'], normals: false },
];

/** All models at once, as far as they are here: engines take longer to start than to pose one. */
const prepared = once(async () => {
    const here = MODELS.filter(({ model }) => model.absent === null);
    const rigs = await Promise.all(
        // Fewer frames of the large one: the double evaluator is slow.
        here.map(({ model, engines = ENGINE_NAMES }) =>
            prepareRig(model.path, { fps: model === KNIGHT ? 12 : 60, engines }),
        ),
    );
    const answers = answersOf(rigs);
    return new Map(here.map(({ model }, i) => [model, () => rigs[i]!.judge(answers[i]!)]));
});

for (const { model, joints, clips, engines, clip = 0, normals = true } of MODELS) {
    describeModel(model, () => {
        test('all clips, at the frames and between, agree with the double evaluator and other engines', async () => {
            const judge = (await prepared()).get(model)!;
            const { rig, worst } = judge();
            expect(rig.skins.map((skin) => skin.joints.length)).toEqual([joints]);
            if (clips !== undefined) expect(rig.clips.length).toBe(clips);
            expect(worst).toBeLessThan(5e-6);
        });

        test('vertices, normals and boxes agree with double precision and three.js', async () => {
            const { rig, normalsCompared } = await judgeSkinning(model.path, clip, { three: engines === undefined });
            expect(normalsCompared > 0).toBe(normals);
            expect(rig.meshes.every(({ influences, skin }) => influences === 4 || skin < 0)).toBe(true);
        });
    });
}

describeModel(INTERPOLATION_TEST, () => {
    test('no skin: its animated nodes are slots, and move as they should', async () => {
        const rig = await Rig.load(INTERPOLATION_TEST.path);
        const evaluator = await DoubleEvaluator.load(INTERPOLATION_TEST.path);
        expect(rig.skins).toEqual([]);
        expect(rig.clips.length).toBe(evaluator.animationCount);
        expect(rig.clips.length).toBe(9);
        let compared = 0;
        for (const [clip, { duration }] of rig.clips.entries()) {
            // Past the end too. Engines judge the evaluator in test/long/support/torture.test.ts.
            const times = Array.from({ length: 50 }, (_, i) => Math.fround((i / 45) * duration));
            for (const [i, global] of globalsOf(rig, posed(rig, times, clip)).entries()) {
                const time = times[Math.floor(i / rig.slots.length)]!;
                const { node } = rig.slots[i % rig.slots.length]!;
                const expected = evaluator.globals(clip, time).subarray(node * 16, node * 16 + 16);
                for (const [k, x] of fromMat3x4(global).entries()) {
                    if (Math.abs(x - expected[k]!) < 4e-6 * Math.max(1, Math.abs(expected[k]!))) compared++;
                    else throw new Error(`clip ${clip}, ${time} s, node ${node}`);
                }
            }
        }
        expect(compared).toBe(9 * 50 * rig.slots.length * 16);
    });
});

describeModel(KNIGHT, () => {
    test('30 keys a second, but for the clips that are one instant', async () => {
        const rig = await Rig.load(KNIGHT.path);
        const still = rig.clips.filter(({ duration }) => duration === 0);
        expect(still.length).toBe(7);
        for (const { duration, cadence } of rig.clips) expect(cadence.rate).toBe(duration === 0 ? null : 30);
    });
});
