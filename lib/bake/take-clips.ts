// SPDX-License-Identifier: MIT

import type { GltfScene } from '../gltf/scene';
import { withClips } from '../rig/retarget/merge';
import { type ClipInput, type ReadClips, readClips } from '../rig/retarget/read';
import type { Recipe } from './plan/options';
import { pathsOf } from './write/cached-bake';

export interface TakenClips {
    readonly scene: GltfScene;
    /** Absolute paths of these files and of the files they refer to. */
    readonly clipPaths: readonly string[];
}

/**
 * @param scene Read with `readFor`.
 * @param inputs The other files.
 * @param order Numbers of the other files to use, in order. Default: all.
 * @throws InputError as `readGltf`, and for clips that do not fit.
 */
export async function takeClips(
    scene: GltfScene,
    { clipRecipe }: Pick<Recipe, 'clipRecipe'>,
    inputs: readonly ClipInput[],
    order: (clips: readonly ReadClips[]) => readonly ReadClips[] = (clips) => clips,
): Promise<TakenClips> {
    if (clipRecipe === null) return { scene, clipPaths: [] };
    const clips = order(await readClips(inputs, true));
    const onDisk = clips.filter(({ isPath }) => isPath);
    const clipPaths = onDisk.flatMap(({ file, scene }) => pathsOf(file, scene.references));
    return { scene: withClips(scene, clips, clipRecipe), clipPaths };
}
