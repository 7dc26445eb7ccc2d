// SPDX-License-Identifier: MIT

import type { InputFiles } from '../gltf/files';
import type { Warning } from '../gltf/scene';
import type { BakePlan } from './plan';
import type { BakeFile } from './write';

/** Files of the whole input, whatever its skins, and what there is to say of them. */
export interface ExtraFiles {
    readonly files: readonly BakeFile[];
    readonly warnings: readonly Warning[];
}

/**
 * What a bake has besides the pairs of manifest and bin.
 *
 * @param stem The file's name without its extension.
 * @param files The input as it was when it was read; needed for a GLB.
 */
export async function extraFilesOf(plan: BakePlan, stem: string, files: InputFiles | undefined): Promise<ExtraFiles> {
    if (!plan.recipe.emit.has('glb') || files === undefined) return { files: [], warnings: [] };
    // Here and not above: few bakes need it.
    const { glbOfPlan } = require('./dense/baked-glb') as typeof import('./dense/baked-glb');
    const { bytes, warnings } = await glbOfPlan(plan, files);
    return { files: [{ name: `${stem}.baked.glb`, bytes }], warnings };
}
