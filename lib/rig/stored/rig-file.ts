// SPDX-License-Identifier: MIT

import { describe } from '../../base/arguments';
import { typeError } from '../../base/errors';
import { viewOf } from '../../gltf/file-bytes';
import type { RigContents } from '../contents';
import { readRig } from './read';

const ROUTINE = 'Rig.deserialize';

/**
 * Reads the bytes of a rig file, or of the file that `input` names.
 *
 * @param open Opens another input than bytes; undefined for one of the wrong type.
 * @param needs The types of inputs.
 */
export async function readRigFile(
    input: unknown,
    open: (routine: string, input: unknown) => Promise<ArrayBuffer | Uint8Array> | undefined,
    needs: string,
): Promise<RigContents> {
    let view = viewOf(input);
    if (view === undefined) view = viewOf(await open(ROUTINE, input));
    if (view === undefined) {
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: input must be ${needs}, got ${describe(input)}`);
    }
    if (view === null) {
        throw typeError('ERR_DETACHED_BUFFER', `${ROUTINE}: input is detached or shrunk, needs a live buffer`);
    }
    return readRig(view);
}
