// SPDX-License-Identifier: MIT

import { UsageError } from '../errors';
import type { BakePlan } from './plan';
import type { BakeFile } from './write';

/** What a bake has besides the pairs of manifest and bin: files of the whole input, whatever its skins. */
export async function extraFilesOf({ recipe, file }: BakePlan): Promise<BakeFile[]> {
    if (recipe.emit.has('glb')) throw new UsageError(`${file}: emit: 'glb' is not available in this build`);
    return [];
}
