// SPDX-License-Identifier: MIT

import { describe } from '../../base/arguments';
import { typeError } from '../../base/errors';
import { GLB_MAGIC, joinChunks, padded } from '../../base/glb';
import type { BakeOutput } from '../skin';

/** How a bake is stored. `files`: a manifest and its bin. `glb`: both in one file (docs/format.md). */
export type BakeContainer = 'files' | 'glb';

/** All containers. The first one is the default. */
export const CONTAINERS: readonly BakeContainer[] = ['files', 'glb'];

/** How the outputs of a bake become files. */
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

/** Names of one output's files, in the order in which they are moved into place. */
export function namesOf(stem: string, container: BakeContainer): readonly [first: string, ...rest: string[]] {
    return container === 'glb' ? [`${stem}.bake.glb`] : [`${stem}.bake.bin`, `${stem}.bake.json`];
}

type Stored = Pick<BakeOutput, 'json' | 'bin'>;

/**
 * A GLB without a scene, whose buffer is the bin.
 *
 * @throws SyntaxError for a manifest that is not JSON.
 */
export function glbOfOutput(output: Stored): Uint8Array {
    const { bin } = output;
    return joinChunks(GLB_MAGIC, 2, documentOf(output), bin.length === 0 ? [] : [bin]);
}

export function jsonBytesOf(output: Stored, container: BakeContainer): number {
    if (container === 'files') return new TextEncoder().encode(output.json).length;
    const { bin } = output;
    const chunk = bin.length === 0 ? 0 : 8 + padded(bin.length) - bin.length;
    return joinChunks(GLB_MAGIC, 2, documentOf(output), []).length + chunk;
}

function documentOf({ json, bin }: Stored): object {
    return {
        asset: { version: '2.0', generator: 'poselane' },
        // glTF forbids empty lists (5.10.2).
        ...(bin.length === 0 ? {} : { buffers: [{ byteLength: bin.length }] }),
        extras: { poselane: JSON.parse(json) as unknown },
    };
}
