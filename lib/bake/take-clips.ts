// SPDX-License-Identifier: MIT

import type { GltfScene } from '../gltf/scene';
import { withClips } from '../rig/retarget/merge';
import { type ClipInput, type ReadClips, readClips } from '../rig/retarget/read';
import type { Recipe } from './plan/options';
import { pathsOf } from './write/cached-bake';

/** A scene with the clips of other files. */
export interface TakenClips {
    readonly scene: GltfScene;
    /** Absolute paths of these files, and of what they refer to. */
    readonly clipPaths: readonly string[];
}

/**
 * @param scene Read with `readFor`.
 * @param inputs The other files.
 * @param order Which of the other files count, and in which order; by default all, as they are.
 * @throws InputError as `readGltf`, and of clips that do not fit.
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
