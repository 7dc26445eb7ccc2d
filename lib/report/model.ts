// SPDX-License-Identifier: MIT

import type { BakeResult } from '../bake/bake';
import { type BakeFileHooks, bakeFromDisk } from '../bake/bake-file';
import type { Recipe } from '../bake/plan/options';
import { type TakenClips, takeClips } from '../bake/take-clips';
import type { InputFiles } from '../gltf/input';
import { readGltfKept } from '../gltf/read';
import { readFor } from '../rig/retarget/merge';
import { type ClipInput, openClips, type ReadClips } from '../rig/retarget/read';

/** A model that was read once: what is baked, judged and shown of it are the same bytes. */
export interface ReportModel extends Pick<TakenClips, 'scene'>, Partial<Pick<TakenClips, 'clipPaths'>> {
    /** As the caller named it. */
    readonly path: string;
    readonly files: InputFiles;
    /** Files with clips of which it has some. */
    readonly clips?: readonly ClipInput[];
}

/**
 * @param order As of `takeClips`.
 * @throws InputError as `bakeFile`.
 */
export async function openModel(
    path: string,
    recipe: Pick<Recipe, 'animations' | 'clipRecipe'> = { animations: [], clipRecipe: null },
    order?: (clips: readonly ReadClips[]) => readonly ReadClips[],
): Promise<ReportModel> {
    const { scene, files } = await readGltfKept(path, { ...readFor(recipe.clipRecipe), looseClips: true });
    const clips = openClips('bakeFile', recipe.animations, { keep: true });
    return { path, ...(await takeClips(scene, recipe, clips, order)), files, clips };
}

/** @throws As `bakeFile`. */
export function bakeModel(
    { scene, clipPaths = [], files, clips = [] }: ReportModel,
    recipe: Recipe,
    hooks: BakeFileHooks = {},
): Promise<BakeResult> {
    const inputs = [{ files, isPath: true }, ...clips] as const;
    return bakeFromDisk({ scene, clipPaths }, inputs, recipe, hooks, performance.now());
}
