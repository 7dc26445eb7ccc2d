// SPDX-License-Identifier: MIT
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { convertDamaged } from '../../convert/support/mutations';

const OWN = join(__dirname, '../../convert/support');
const SHARED = join(__dirname, '../../../../shared/models');
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
    '2,000 damaged %s files are converted or refused with a code, within 10 s each',
    async (_, paths) => {
        const found = await convertDamaged(paths.filter(existsSync), 2000, 2026);
        expect(Object.keys(found).filter((code) => !CODES.includes(code))).toEqual([]);
        expect(found.SOURCE_INVALID).toBeGreaterThan(500);
    },
    1_800_000,
);
