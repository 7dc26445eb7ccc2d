// SPDX-License-Identifier: MIT

/** With splines no model has more bytes than without; each keeps to the bound, and engines play what the specification says. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reduceDocument, reduceFile } from '../../../lib/reduce';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { verifyReduced } from '../../../lib/verify/reduced';
import { ENGINES } from '../../support/engines';
import { frameTimes } from '../../support/frame-times';
import { CHARACTER, describeModel, FOX, INTERPOLATION_TEST, RIGGED_FIGURE, ROBOT } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();

async function splines(source: string, maxError = '0.1%'): Promise<string> {
    const path = join(folder(), 'splines.glb');
    writeFileSync(path, (await reduceFile(source, { maxError, spline: true })).bytes);
    return path;
}

const splinesIn = (evaluator: DoubleEvaluator, clips: number) =>
    Array.from({ length: clips }, (_, animation) => evaluator.channelsOf(animation))
        .flat()
        .filter(({ sampler }) => sampler.interpolation === 'CUBICSPLINE').length;

for (const model of [CHARACTER, FOX, RIGGED_FIGURE, ROBOT, INTERPOLATION_TEST]) {
    describeModel(model, () => {
        test('no more bytes than straight keys', async () => {
            const maxError = '0.1%';
            const straight = await reduceFile(model.path, { maxError });
            const { after, maxError: bound, clips } = await reduceFile(model.path, { maxError, spline: true });
            expect(after.gzip).toBeLessThanOrEqual(straight.after.gzip);
            expect(Math.max(...clips.map(({ error }) => error))).toBeLessThanOrEqual(bound);
            const judged = await verifyReduced(model.path, await splines(model.path, maxError), { maxError });
            expect(judged.clips.filter(({ ok }) => !ok)).toEqual([]);
        });
    });
}

describe.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])('%s', (engine) => {
    test('plays what the specification says', async () => {
        const file = await splines(CHARACTER.path);
        const evaluator = await DoubleEvaluator.load(file);
        expect(splinesIn(evaluator, 3)).toBeGreaterThan(5);
        const clips = [0, 1, 2].map((animation) => {
            return { animation, times: [...frameTimes(evaluator.duration(animation), 15)] };
        });
        const [shown] = ENGINES[engine]([{ file, skin: 0, clips }], [evaluator.joints(0).length]);
        for (const { animation, times } of clips) {
            const expected = evaluator.palettes(0, animation, times);
            const off = expected.reduce((max, x, i) => Math.max(max, Math.abs(x - shown![animation]![i]!)), 0);
            // Keys are a little off unit length, to which three.js brings straight ones, and Babylon splines only between their keys.
            expect(off).toBeLessThan(1e-3);
        }
    });
});

test('a Document has the same keys as the file', async () => {
    const { WebIO, Logger } = await import('@gltf-transform/core');
    const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    const document = await io.readBinary(new Uint8Array(readFileSync(CHARACTER.path)));
    const { clips } = await reduceDocument(document as never, { spline: true });
    const path = join(folder(), 'document.glb');
    writeFileSync(path, await io.writeBinary(document));
    const [own, other] = [await DoubleEvaluator.load(path), await DoubleEvaluator.load(await splines(CHARACTER.path))];
    for (const { animation } of clips) {
        const keys = own.channelsOf(animation).map(({ sampler }) => sampler);
        expect(keys).toEqual(other.channelsOf(animation).map(({ sampler }) => sampler));
    }
});
