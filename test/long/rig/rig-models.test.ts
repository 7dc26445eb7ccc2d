// SPDX-License-Identifier: MIT

import { Rig } from '../../../lib/rig/rig';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { answersOf, prepareRig } from '../../rig/rig-judge';
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
import { once } from '../../support/once';

const MODELS: { model: Model; joints: number; clips?: number; engines?: readonly EngineName[] }[] = [
    { model: CHARACTER, joints: 34 },
    { model: FOX, joints: 24, clips: 3 },
    { model: RIGGED_FIGURE, joints: 19, clips: 1 },
    { model: KNIGHT, joints: 41, clips: 76 },
    // Rotation keys of 0.707 are not unit: three.js lerps and normalises them, Babylon follows the specification.
    { model: SIMPLE_SKIN, joints: 2, clips: 1, engines: ['Babylon'] },
    { model: SIMPLE_SKIN_TWICE, joints: 2, clips: 1, engines: ['Babylon'] },
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

for (const { model, joints, clips } of MODELS) {
    describeModel(model, () => {
        test('all clips, at the frames and between, agree with the double evaluator and other engines', async () => {
            const judge = (await prepared()).get(model)!;
            const { rig, worst } = judge();
            expect(rig.skins.map((skin) => skin.joints.length)).toEqual([joints]);
            if (clips !== undefined) expect(rig.clips.length).toBe(clips);
            expect(worst).toBeLessThan(5e-6);
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
        const slots = Uint16Array.from(rig.slots.keys());
        const nodes = rig.slots.map(({ node }) => node);
        // Past the end too.
        const clips = rig.clips.map(({ duration }, animation) => {
            return { animation, times: Array.from({ length: 50 }, (_, i) => Math.fround((i / 45) * duration)) };
        });
        const shown = ENGINE_NAMES.map((engine) => {
            return ENGINES[engine]([{ file: INTERPOLATION_TEST.path, nodes, clips }], [nodes.length])[0]!;
        });
        let compared = 0;
        for (const { animation: clip, times } of clips) {
            const poses = rig.createPoses(times.length);
            rig.evaluate(poses, clip, Float32Array.from(times));
            rig.toGlobal(poses);
            const out = new Float32Array(times.length * slots.length * 12);
            rig.joints(poses, slots, out);
            for (const [pose, time] of times.entries()) {
                const globals = evaluator.globals(clip, time);
                for (const [slot, { node }] of rig.slots.entries()) {
                    for (let i = 0; i < 12; i++) {
                        const element = (i % 4) * 4 + (i >> 2);
                        const expected = globals[node * 16 + element]!;
                        const own = out[(pose * slots.length + slot) * 12 + i]!;
                        const limit = 4e-6 * Math.max(1, Math.abs(expected));
                        if (!(Math.abs(own - expected) < limit))
                            throw new Error(`clip ${clip}, ${time} s, node ${node}`);
                        for (const [engine, all] of shown.entries()) {
                            const theirs = all[clip]![(pose * nodes.length + slot) * 16 + element]!;
                            if (Math.abs(own - theirs) < limit) compared++;
                            else throw new Error(`${ENGINE_NAMES[engine]}: clip ${clip}, ${time} s, node ${node}`);
                        }
                    }
                }
            }
        }
        expect(compared).toBe(9 * 50 * nodes.length * 12 * ENGINE_NAMES.length);
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
