// SPDX-License-Identifier: MIT

import { describe } from '../arguments';
import { typeError } from '../errors';
import { GLB_MAGIC } from '../gltf/container';
import { joinChunks } from '../gltf/join-chunks';
import type { BakeOutput } from './skin';

/** How a bake is stored: `files`: a manifest and its bin, `glb`: both in one file (docs/format.md). */
export type BakeContainer = 'files' | 'glb';

/** All of them; the first one is the default. */
export const CONTAINERS: readonly BakeContainer[] = ['files', 'glb'];

/** How a bake is made files of. */
export interface ContainerOptions {
    /** `files` (the default): `<stem>.bake.json` and `<stem>.bake.bin`; `glb`: both in `<stem>.bake.glb`. */
    container?: BakeContainer;
}

/** @throws TypeError `ERR_ARGUMENT_TYPE`. */
export function containerOf(routine: string, options: ContainerOptions): BakeContainer {
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options must be an object, got ${describe(options)}`);
    }
    const { container = 'files' } = options;
    if (CONTAINERS.includes(container)) return container;
    const rule = `options.container must be 'files' or 'glb', got ${describe(container)}`;
    throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${rule}`);
}

/** Names of the files of one output, in the order in which they are put in place. */
export function namesOf(stem: string, container: BakeContainer): readonly [first: string, ...rest: string[]] {
    return container === 'glb' ? [`${stem}.bake.glb`] : [`${stem}.bake.bin`, `${stem}.bake.json`];
}

/**
 * The one file: glTF without a scene, whose buffer is the bin.
 *
 * @throws SyntaxError for a manifest that is no JSON.
 */
export function glbOfOutput({ json, bin }: Pick<BakeOutput, 'json' | 'bin'>): Uint8Array {
    const empty = bin.length === 0; // and glTF 2.0, 5.11.2 has no buffers without bytes
    const document = {
        asset: { version: '2.0', generator: 'poselane' },
        ...(empty ? {} : { buffers: [{ byteLength: bin.length }] }),
        extras: { poselane: JSON.parse(json) as unknown },
    };
    return joinChunks(GLB_MAGIC, 2, document, empty ? [] : [bin]);
}
