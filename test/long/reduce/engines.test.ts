// SPDX-License-Identifier: MIT

/** Other readers of a reduced file. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebIO } from '@gltf-transform/core';
import { EXTMeshoptCompression } from '@gltf-transform/extensions';
import { openInput } from '../../../lib/gltf/files';
import { readGltf } from '../../../lib/gltf/read';
import { writeReduced } from '../../../lib/reduce/write/write';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { decoded, fewerKeys } from '../../reduce/support/fewer-keys';
import { ENGINES } from '../../support/engines';
import { frameTimes } from '../../support/frame-times';
import { CHARACTER } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();

test.each(['none', 'meshopt'] as const)('glTF-Transform reads the same keys; compress: %s', async (compress) => {
    const scene = await readGltf(CHARACTER.path);
    const animations = fewerKeys(scene, true);
    const { bytes } = await writeReduced(openInput(CHARACTER.path), animations, { compress });
    const decoder = require('meshoptimizer/decoder.cjs');
    await decoder.ready;
    const io = new WebIO()
        .registerExtensions([EXTMeshoptCompression])
        .registerDependencies({ 'meshopt.decoder': decoder });
    const document = await io.readBinary(bytes);
    for (const { animation, channels } of animations) {
        const listed = document.getRoot().listAnimations()[animation]!.listChannels();
        for (const [i, channel] of channels.entries()) {
            const output = listed[i]!.getSampler()!.getOutput()!;
            const values = Array.from({ length: output.getCount() }, (_, key) => output.getElement(key, [])).flat();
            expect(values).toEqual(decoded(channel));
        }
    }
});

describe.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])('%s', (engine) => {
    test('plays floats and integers as the specification requires', async () => {
        const scene = await readGltf(CHARACTER.path);
        const files = [false, true].map(async (integers) => {
            const animations = fewerKeys(scene, integers);
            const { bytes } = await writeReduced(openInput(CHARACTER.path), animations, { compress: 'none' });
            const path = join(folder(), `${integers}.glb`);
            writeFileSync(path, bytes);
            return { path, evaluator: await DoubleEvaluator.load(path), integers };
        });
        const all = await Promise.all(files);
        const { evaluator } = all[0]!;
        const clips = scene.animations.map((_, animation) => ({
            animation,
            times: [...frameTimes(evaluator.duration(animation), 15)],
        }));
        const joints = evaluator.joints(0).length;
        const requests = all.map(({ path }) => ({ file: path, skin: 0, clips }));
        const shown = ENGINES[engine](requests, [joints, joints]);
        for (const [i, { evaluator, integers }] of all.entries()) {
            for (const { animation, times } of clips) {
                const expected = evaluator.palettes(0, animation, times);
                const off = expected.reduce((max, x, k) => Math.max(max, Math.abs(x - shown[i]![animation]![k]!)), 0);
                // three.js normalizes rotations; in 16 bits their error is at most 1 / 32767.
                expect(off).toBeLessThan(integers && engine === 'three.js' ? 2 / 32767 : 1e-6);
            }
        }
    });
});
