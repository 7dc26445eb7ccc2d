// SPDX-License-Identifier: MIT

/** POSELANE_FUZZ_RUNS=2000 POSELANE_FUZZ_SEED=7 npx jest test/long/convert: 2,000 damaged copies of another seed, as every night. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { convertDamaged } from '../../convert/support/mutations';

const OWN = join(__dirname, '../../convert/support');
const SHARED = join(__dirname, '../../../../shared/models');
const SEED = Number(process.env.POSELANE_FUZZ_SEED ?? 2026);
/** A thousand of FBX take a minute and a half on one processor. */
const RUNS = Number(process.env.POSELANE_FUZZ_RUNS ?? 300);
const CODES = ['converted', 'NOT_GLTF', 'SOURCE_INVALID'];
const FILES = {
    FBX: [
        join(OWN, 'arm.fbx'),
        ...[
            'maya_game_sausage_6100_binary_wiggle.fbx',
            'maya_blend_shape_cube_7700_binary.fbx',
            'maya_anim_layers_over_acc_7500_binary.fbx',
            'max_transformed_skin_7500_ascii.fbx',
        ].map((name) => join(SHARED, 'fbx', name)),
    ],
    BVH: [join(OWN, 'turn.bvh'), join(SHARED, 'humanoids/zup_walk.bvh')],
};

test.each(Object.entries(FILES))(
    'damaged %s files are converted or refused with a code, within 10 s each',
    async (_, paths) => {
        const found = await convertDamaged(paths.filter(existsSync), RUNS, SEED);
        expect(Object.keys(found).filter((code) => !CODES.includes(code))).toEqual([]);
        expect(found.SOURCE_INVALID).toBeGreaterThan(RUNS / 4);
    },
    RUNS * 1000,
);
