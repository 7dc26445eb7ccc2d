// SPDX-License-Identifier: MIT

import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { worstDisplacement, yardstick } from '../../support/displacement';
import { ENGINE_NAMES, ENGINES, type EngineName } from '../../support/engines';
import { frameTimes } from '../../support/frame-times';
import type { MatrixRequest } from '../../support/oracle-process';
import { scratchFolder } from '../../support/temporary-folder';
import { SCENES } from '../../support/torture';
import type { TortureScene } from '../../support/torture/scene';

/** The max difference between an engine, which rounds to float32, and the double-precision evaluator, in extents. */
const CONFIRMED = 1.5e-6;

/** Every skin of a scene, at the frames and between them. */
async function requestsOf({ write, fps = 60 }: TortureScene, folder: string) {
    const { path, plain = path } = write(folder);
    const evaluator = await DoubleEvaluator.load(plain);
    const [num, den] = typeof fps === 'number' ? [fps, 1] : fps;
    const clips = Array.from({ length: evaluator.animationCount }, (_, animation) => {
        const duration = evaluator.duration(animation);
        const between = Array.from({ length: 7 }, (_, i) => Math.fround(((i + 0.37) / 7) * duration));
        // Ascending: three.js does not always find its way back.
        return { animation, times: [...frameTimes(duration, num, den), ...between].sort((a, b) => a - b) };
    });
    return Array.from({ length: evaluator.skinCount }, (_, skin) => {
        const request: MatrixRequest = { file: plain, skin, clips };
        return { request, evaluator, joints: evaluator.joints(skin).length };
    });
}

describe.each(ENGINE_NAMES)('%s and the double-precision evaluator', (engine) => {
    const folder = scratchFolder();
    const parted = new Map<string, number>();

    // All in one process: an engine takes longer to start than to pose them all.
    beforeAll(async () => {
        const asked = await Promise.all(
            SCENES.map(async (scene) => (await requestsOf(scene, folder())).map((request) => ({ scene, ...request }))),
        ).then((requests) => requests.flat());
        const answers = ENGINES[engine as EngineName](
            asked.map(({ request }) => request),
            asked.map(({ joints }) => joints),
        );
        for (const [i, { scene, request, evaluator, joints }] of asked.entries()) {
            const yard = yardstick(evaluator, request.skin);
            for (const [clip, { animation, times }] of request.clips.entries()) {
                const expected = evaluator.palettes(request.skin, animation, times);
                const { error, compared } = worstDisplacement(answers[i]![clip]!, expected, joints, yard);
                expect(compared).toBe(times.length * joints);
                parted.set(scene.name, Math.max(parted.get(scene.name) ?? 0, error / yard.extent));
            }
        }
    });

    for (const { name, about, row, parts } of SCENES) {
        const how = parts?.[engine as EngineName];
        if (how === undefined) {
            test(`agree on ${name} (${row}: ${about})`, () => expect(parted.get(name)).toBeLessThan(CONFIRMED));
        } else {
            test(`part on ${name}: ${how}`, () => expect(parted.get(name)).toBeGreaterThan(100 * CONFIRMED));
        }
    }
});
