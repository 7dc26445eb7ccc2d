// SPDX-License-Identifier: MIT

/** verifyBake confirms bakes of whole characters, with every array and option. */

import type { BakeOptions } from '../../../lib/bake';
import {
    CHARACTER,
    describeModel,
    FOX,
    KNIGHT,
    RIGGED_FIGURE,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';
import { ALL, bakeAndVerify, complaints } from '../../verify/full-bake';

const folder = scratchFolder();

for (const model of [CHARACTER, FOX, RIGGED_FIGURE, KNIGHT, SIMPLE_SKIN, SIMPLE_SKIN_TWICE]) {
    describeModel(model, () => {
        test('every row within 1e-5 of the extent', async () => {
            // The Knight has 76 clips: thirteen frames of each second, most of them between keys, are rows enough.
            const result = await bakeAndVerify(model.path, folder(), { fps: model === KNIGHT ? 13 : 60 });
            expect(complaints(result)).toEqual([]);
            expect(result.ok).toBe(true);
            expect(result.worst!.share).toBeLessThan(1e-6);
            expect(result.worst!.share).toBeGreaterThan(0);
            const tolerances = result.clips.flatMap(({ arrays }) => arrays.map(({ tolerance }) => tolerance));
            expect(new Set(tolerances)).toEqual(new Set([1e-5]));
            expect(result.rows).toBeGreaterThan(60);
        });
    });
}

const OPTIONS: BakeOptions[] = [
    { space: 'skin-root', layout: 'mat3x4' },
    { dtype: 'f16' },
    { from: 0.1, to: 0.53, end: 'fit', fps: '24000/1001' },
    { renormalize: true, fps: 24 },
    { hitJoints: '[hH]and|[fF]oot|joint', emit: ['hit'], fps: 29.97 },
];
for (const model of [CHARACTER, FOX, RIGGED_FIGURE, SIMPLE_SKIN]) {
    describeModel(model, () => {
        test.each(model === SIMPLE_SKIN ? OPTIONS.slice(0, 4) : OPTIONS)(
            'as the baker bakes it, %j',
            async (options) => {
                const result = await bakeAndVerify(model.path, folder(), { emit: ALL, ...options });
                expect(complaints(result)).toEqual([]);
                expect(result.clips[0]!.arrays.map(({ array }) => array)).toContain('hit');
            },
        );
    });
}
