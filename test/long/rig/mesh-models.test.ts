// SPDX-License-Identifier: MIT

import { judgeSkinning } from '../../rig/judge-skinning';
import {
    CHARACTER,
    describeModel,
    FOX,
    KNIGHT,
    type Model,
    RIGGED_FIGURE,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../../support/models';

const MODELS: { model: Model; clip?: number; three?: boolean; normals?: boolean }[] = [
    { model: CHARACTER },
    // It has no normals.
    { model: FOX, clip: 1, normals: false },
    { model: RIGGED_FIGURE },
    { model: KNIGHT, clip: 40 },
    // Rotation keys of 0.707 are not unit, so three.js is no judge.
    { model: SIMPLE_SKIN, three: false, normals: false },
    { model: SIMPLE_SKIN_TWICE, three: false, normals: false },
];

for (const { model, clip = 0, three = true, normals = true } of MODELS) {
    describeModel(model, () => {
        test('vertices, normals and boxes agree with double precision and three.js', async () => {
            const { rig, normalsCompared } = await judgeSkinning(model.path, clip, { three });
            expect(normalsCompared > 0).toBe(normals);
            expect(rig.meshes.every(({ influences, skin }) => influences === 4 || skin < 0)).toBe(true);
        });
    });
}
