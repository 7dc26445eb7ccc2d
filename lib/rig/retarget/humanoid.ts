// SPDX-License-Identifier: MIT

import { InputError, inputName } from '../../base/errors';
import { usage } from '../../base/option-table';
import type { ClipRecipe } from '../../clips/options';
import type { SceneAnimation } from '../../gltf/scene';
import { retargetClips } from '../../retarget';
import type { ClipScene } from './fit';

/**
 * The clips of another humanoid, for the nodes of this one.
 *
 * @returns The clips, whether both rigs are the same, and the nodes of the other file whose morph weights are left out.
 * @param room Numbers that keys may still take.
 * @throws InputError `ROLES_MISSING`, `ROLES_AMBIGUOUS`, `MATRIX_NOT_TRS`, `OUTPUT_TOO_LARGE`; UsageError for a given
 * role whose joint is in neither file.
 */
export function takeHumanoid(
    scene: ClipScene,
    { scene: other, file }: { readonly scene: ClipScene; readonly file: string },
    recipe: Pick<ClipRecipe, 'feet' | 'travel' | 'roles'>,
    room: { left: number },
): { clips: readonly SceneAnimation[]; isSame: boolean; leftWeights: readonly number[] } {
    const here = inputName(scene.name);
    for (const [role, name] of Object.entries(recipe.roles)) {
        if ([scene, other].some(({ nodes }) => nodes.some((node) => node.name === name))) continue;
        throw usage(
            (option) => `${option('roles')} has '${role}=${name}', but neither ${here} nor ${file} has '${name}'`,
        );
    }
    const { clips, isSame, leftWeights } = retargetClips(scene, other, recipe, { target: here, source: file });
    for (const { channels } of clips) for (const { values } of channels) room.left -= values.length;
    if (room.left >= 0) return { clips, isSame, leftWeights };
    throw new InputError('OUTPUT_TOO_LARGE', file, '/animations', 'its retargeted keys would take too much memory');
}
