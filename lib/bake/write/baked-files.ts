// SPDX-License-Identifier: MIT

import { type BakeFile, checkBake, type Writable } from './check-bake';
import { type BakeContainer, type ContainerOptions, containerOf, glbOfOutput, namesOf } from './container';

/**
 * The files of a bake, as `writeBake` writes them: for a download, an upload, an archive.
 *
 * @param bake What `bakeFile` gave; its `outputs` alone will do.
 * @param options Whether manifest and bin are one file.
 * @returns Files of the whole input first, then each bin just before its manifest, or one GLB instead. The bytes of bins are the bake's own,
 * no copies; those of a GLB are.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER` and RangeError `ERR_BINARY_DIFFERS`, as `writeBake`.
 * @example
 * const files = bakedFiles(await bakeFile({ bytes, name: 'hero.glb' }));
 * console.log(files.map(({ name }) => name)); // hero.bake.bin, hero.bake.json
 */
export function bakedFiles(bake: Writable | Writable['outputs'], options: ContainerOptions = {}): BakeFile[] {
    const container = containerOf('bakedFiles', options);
    return filesOf(checkBake('bakedFiles', bake, container), container);
}

/** The same of what has been checked. */
export function filesOf({ outputs, files = [] }: Writable, container: BakeContainer): BakeFile[] {
    const own = outputs.flatMap((output) => {
        const { stem, json, bin } = output;
        const contents = container === 'glb' ? [glbOfOutput(output)] : [bin, new TextEncoder().encode(json)];
        return namesOf(stem, container).map((name, i) => ({ name, bytes: contents[i]! }));
    });
    return [...files, ...own];
}
