// SPDX-License-Identifier: MIT

import { Rig } from '../../../lib/rig/rig';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { fromMat3x4 } from '../../rig/double-reference';
import { judgeSkinning } from '../../rig/judge-skinning';
import { judgeRig, palettesOf } from '../../rig/rig-judge';
import { globalsOf, posed } from '../../rig/scenes';
import { worstDisplacement, yardstick } from '../../support/displacement';
import { ENGINE_NAMES, ENGINES, type EngineName } from '../../support/engines';
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
    // Rotation keys of 0.707 are not unit: three.js lerps and normalizes them, Babylon follows the specification.
    { model: SIMPLE_SKIN, joints: 2, clips: 1, engines: ['Babylon'], normals: false },
    { model: SIMPLE_SKIN_TWICE, joints: 2, clips: 1, engines: ['Babylon'], normals: false },
];

/** The max difference between other engines and the Rig, in extents. */
const ENGINE_LIMIT = 2e-5;

/** All models at once: an engine takes longer to start than to pose one. */
test.each(ENGINE_NAMES)('%s agrees with the Rig on all available models', async (engine) => {
    const here = MODELS.filter(
        ({ model, engines = ENGINE_NAMES }) => model.absent === null && engines.includes(engine),
    );
    const rigs = await Promise.all(here.map(({ model }) => Rig.load(model.path)));
    const requests = rigs.map((rig, i) => {
        const clips = rig.clips.map(({ duration }, animation) => {
            // Ascending: three.js does not always find its way back.
            return { animation, times: Array.from({ length: 40 }, (_, k) => Math.fround((k / 39) * duration)) };
        });
        return { file: here[i]!.model.path, skin: 0, clips };
    });
    const shown = ENGINES[engine](
        requests,
        here.map(({ joints }) => joints),
    );
    for (const [i, { model, joints }] of here.entries()) {
        const yard = yardstick(await DoubleEvaluator.load(model.path), 0);
        for (const { animation, times } of requests[i]!.clips) {
            const own = palettesOf(rigs[i]!, posed(rigs[i]!, times, animation), 0);
            const { error, compared } = worstDisplacement(own, shown[i]![animation]!, joints, yard);
            expect(compared).toBe(times.length * joints);
            expect([model.path, error / yard.extent < ENGINE_LIMIT]).toEqual([model.path, true]);
        }
    }
});

for (const { model, joints, clips, engines, clip = 0, normals = true } of MODELS) {
    describeModel(model, () => {
        test('all clips, at the frames and between, agree with the double evaluator', async () => {
            // Fewer frames of the large one: the double evaluator is slow.
            const { rig, worst } = await judgeRig(model.path, { fps: model === KNIGHT ? 12 : 60 });
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
    test('30 keys a second, except for clips without duration', async () => {
        const rig = await Rig.load(KNIGHT.path);
        const still = rig.clips.filter(({ duration }) => duration === 0);
        expect(still.length).toBe(7);
        for (const { duration, cadence } of rig.clips) expect(cadence.rate).toBe(duration === 0 ? null : 30);
    });
});
