// SPDX-License-Identifier: MIT

import { type BakeFile, checkBake, type Writable } from './check-bake';
import { type BakeContainer, type ContainerOptions, containerOf, glbOfOutput, namesOf } from './container';

/**
 * Returns the files of a bake in memory, as `writeBake` writes them: for a download, an upload, or an archive.
 *
 * @param bake Result of `bakeFile`, or only its `outputs`.
 * @param options Whether manifest and bin are one file.
 * @returns Files of the whole input first, then each bin followed by its manifest, or one GLB with both. Bins are the
 * bake's own bytes, not copies; a GLB is a copy.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER` and RangeError `ERR_BINARY_DIFFERS`, as `writeBake`.
 * @example
 * const files = bakedFiles(await bakeFile({ bytes, name: 'hero.glb' }));
 * console.log(files.map(({ name }) => name)); // hero.bake.bin, hero.bake.json
 */
export function bakedFiles(bake: Writable | Writable['outputs'], options: ContainerOptions = {}): BakeFile[] {
    const container = containerOf('bakedFiles', options);
    return filesOf(checkBake('bakedFiles', bake, container), container);
}

/** As {@link bakedFiles}, for a bake that has been checked. */
export function filesOf({ outputs, files = [] }: Writable, container: BakeContainer): BakeFile[] {
    const own = outputs.flatMap((output) => {
        const { stem, json, bin } = output;
        const contents = container === 'glb' ? [glbOfOutput(output)] : [bin, new TextEncoder().encode(json)];
        return namesOf(stem, container).map((name, i) => ({ name, bytes: contents[i]! }));
    });
    return [...files, ...own];
}
