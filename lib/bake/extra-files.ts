// SPDX-License-Identifier: MIT

import { UsageError } from '../errors';
import type { DocumentLike } from '../rig/from-document';
import type { BakePlan } from './plan';
import type { BakeFile } from './write';

/** What a scene was read from, for what needs more of it than the scene has; null where there is nothing else. */
export type Origin = { readonly path: string } | { readonly document: DocumentLike } | null;

/** What a bake has besides the pairs of manifest and bin: files of the whole input, whatever its skins. */
export async function extraFilesOf({ recipe, file }: BakePlan, _origin: Origin): Promise<BakeFile[]> {
    if (recipe.emit.has('glb')) throw new UsageError(`${file}: emit: 'glb' is not available in this build`);
    return [];
}
