// SPDX-License-Identifier: MIT

import { type BakeFile, checkBake, type Writable } from './check-bake';

/**
 * The files of a bake, as `writeBake` writes them: for a download, an upload, an archive.
 *
 * @param bake What `bakeFile` gave; its `outputs` alone will do.
 * @returns Files of the whole input first, then each bin just before its manifest. The bytes of bins are the bake's own, no copies.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER` and RangeError `ERR_BINARY_DIFFERS`, as `writeBake`.
 * @example
 * const files = bakedFiles(await bakeFile({ bytes, name: 'hero.glb' }));
 * console.log(files.map(({ name }) => name)); // hero.bake.bin, hero.bake.json
 */
export function bakedFiles(bake: Writable | Writable['outputs']): BakeFile[] {
    return filesOf(checkBake('bakedFiles', bake));
}

/** The same of what has been checked. */
export function filesOf({ outputs, files = [] }: Writable): BakeFile[] {
    const pairs = outputs.flatMap(({ stem, json, bin }) => [
        { name: `${stem}.bake.bin`, bytes: bin },
        { name: `${stem}.bake.json`, bytes: new TextEncoder().encode(json) },
    ]);
    return [...files, ...pairs];
}
