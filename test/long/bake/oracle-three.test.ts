// SPDX-License-Identifier: MIT
import { join } from 'node:path';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { BACKENDS, bakeByCommand, palettesOf } from '../../support/baked';
import { yardstick } from '../../support/displacement';
import { compareBake } from '../../support/displacement-check';
import { frameTimes } from '../../support/frame-times';
import { CHARACTER, describeModel, FOX, KNIGHT, type Model, RIGGED_FIGURE } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';
import { threePalettes } from '../../support/three-oracle';

/**
 * What the command-line tool writes is what three.js shows: every frame of every clip, read back from the files.
 * three.js rounds rotations to float32 and so is good to about 1e-6; the double evaluator judges more finely.
 */
const LIMIT = 2e-5;
/** The Knight has 76 clips: thirteen frames of each second, most of them between keys, are rows enough. */
const fpsOf = (model: Model) => (model === KNIGHT ? 13 : 60);

for (const model of [CHARACTER, FOX, RIGGED_FIGURE, KNIGHT]) {
    describeModel(model, () => {
        const folder = scratchFolder();

        test('the baked files agree with three.js, on either backend', async () => {
            const evaluator = await DoubleEvaluator.load(model.path);
            const clips = Array.from({ length: evaluator.animationCount }, (_, animation) => ({
                animation,
                times: frameTimes(evaluator.duration(animation), fpsOf(model)),
            }));
            const rows = clips.reduce((sum, { times }) => sum + times.length, 0);
            const joints = evaluator.joints(0).length;
            expect(evaluator.skinCount).toBe(1);
            expect(rows).toBeGreaterThan(60);

            const [shown] = threePalettes([{ file: model.path, skin: 0, clips }], [joints]);
            const expected = clips.map((clip, index) => ({ ...clip, palettes: shown![index]! }));
            const yard = yardstick(evaluator, 0);
            for (const backend of BACKENDS) {
                const outputs = bakeByCommand(
                    backend,
                    model.path,
                    fpsOf(model),
                    join(folder(), backend),
                    '--attachments',
                    'none',
                );
                expect(outputs).toHaveLength(1);
                const { manifest } = outputs[0]!;
                expect(manifest.skin.joints.map(({ node }) => node)).toEqual(evaluator.joints(0));
                const agreement = compareBake(outputs[0]!, palettesOf(outputs[0]!), expected, yard, LIMIT);
                expect(agreement.complaints).toEqual([]);
                expect(agreement.compared).toBe(rows * joints);
            }
        });
    });
}
