// SPDX-License-Identifier: MIT

import { UsageError } from '../errors';
import type { Warning } from '../gltf/scene';
import type { DocumentLike } from '../rig/from-document';
import type { BakePlan } from './plan';
import type { BakeFile } from './write';

/** What a scene was read from, for what needs more of it than the scene has; null where there is nothing else. */
export type Origin = { readonly path: string } | { readonly document: DocumentLike } | null;

/** Files of the whole input, whatever its skins, and what there is to say of them. */
export interface ExtraFiles {
    readonly files: readonly BakeFile[];
    readonly warnings: readonly Warning[];
}

/**
 * What a bake has besides the pairs of manifest and bin.
 *
 * @param stem The file's name without its extension.
 */
export async function extraFilesOf(plan: BakePlan, origin: Origin, stem: string): Promise<ExtraFiles> {
    if (!plan.recipe.emit.has('glb')) return { files: [], warnings: [] };
    if (origin === null || !('path' in origin)) {
        throw new UsageError("emit: 'glb' needs a file: use the transform bakeAnimations for a Document");
    }
    // Here and not above: few bakes need it.
    const { glbOfPlan } = require('../transform/baked-glb') as typeof import('../transform/baked-glb');
    const { bytes, warnings } = await glbOfPlan(plan);
    return { files: [{ name: `${stem}.baked.glb`, bytes }], warnings };
}
