// SPDX-License-Identifier: MIT

import { InputError } from '../../base/errors';
import { checkMeshes } from './check-meshes';
import type { RigSource } from './source';

/** Checks the rules that skinning needs and the reader does not check. */
export function checkedScene(scene: RigSource, file: string): RigSource {
    checkMeshes(scene, (where, rule) => {
        throw new InputError('GLTF_INVALID', file, `/${where.join('/')}`, rule);
    });
    return scene;
}
