// SPDX-License-Identifier: MIT

import type { BakedHooks, BakeResult } from '../bake/bake';
import { type BakeFileHooks, bakeFromDisk } from '../bake/bake-file';
import type { Recipe } from '../bake/plan/options';
import { type TakenClips, takeClips } from '../bake/take-clips';
import type { InputFiles } from '../gltf/input';
import { readGltfKept } from '../gltf/read';
import { readFor } from '../rig/retarget/merge';
import { type ClipInput, openClips, type ReadClips } from '../rig/retarget/read';

/** A model that is read once, so that the baked, judged and shown bytes are the same. */
export interface ReportModel extends Pick<TakenClips, 'scene'>, Partial<Pick<TakenClips, 'clipPaths'>> {
    /** Path given by the caller. */
    readonly path: string;
    readonly files: InputFiles;
    /** The files that its clips were taken from. */
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
    hooks: BakeFileHooks & BakedHooks = {},
): Promise<BakeResult> {
    const inputs = [{ files, isPath: true }, ...clips] as const;
    return bakeFromDisk({ scene, clipPaths }, inputs, recipe, hooks, performance.now());
}
