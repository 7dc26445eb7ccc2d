// SPDX-License-Identifier: MIT

/** verifyReduced on a character with many clips, one key of which was moved. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebIO } from '@gltf-transform/core';
import { verifyReduced } from '../../../lib/verify/reduced';
import { describeModel, KNIGHT, ROGUE } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();

for (const model of [KNIGHT, ROGUE]) {
    describeModel(model, () => {
        test('one key of one of 76 clips is moved, and that clip alone is off', async () => {
            const io = new WebIO();
            const document = await io.readBinary(readFileSync(model.path));
            const animation = document.getRoot().listAnimations()[40]!;
            const channel = animation
                .listChannels()
                .find((each) => each.getTargetPath() === 'translation' && each.getTargetNode()!.getName() === 'hips')!;
            const output = channel.getSampler()!.getOutput()!.clone();
            const [x, y, z] = output.getElement(3, [0, 0, 0]);
            channel.getSampler()!.setOutput(output.setElement(3, [x, y + 0.25, z]));
            const path = join(folder(), 'moved.glb');
            writeFileSync(path, await io.writeBinary(document));

            const { clips, problems, worst, extent } = await verifyReduced(model.path, path);
            expect(problems).toEqual([]);
            expect(clips).toHaveLength(76);
            expect(clips.flatMap(({ ok, animation: number }) => (ok ? [] : number))).toEqual([40]);
            expect(worst).toMatchObject({ animation: 40, name: animation.getName() });
            expect(worst!.error).toBeCloseTo(0.25, 5);
            expect(worst!.time).toBeCloseTo(channel.getSampler()!.getInput()!.getArray()![3]!, 6);
            expect(Math.max(...clips.map(({ ok, error }) => (ok ? error : 0)))).toBeLessThan(1e-6 * extent);
        });
    });
}
