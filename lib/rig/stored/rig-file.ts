// SPDX-License-Identifier: MIT

import { wrongType } from '../../base/arguments';
import { typeError } from '../../base/errors';
import { absoluteUrl, fetchBytes, type ReadFile } from '../../files/fetch-bytes';
import { viewOf } from '../../gltf/file-bytes';
import type { RigContents } from '../contents';
import { readRig } from './read';

const ROUTINE = 'Rig.deserialize';

/** Reads the bytes of a rig file, or fetches it. */
export async function readRigFile(input: unknown, read: unknown = fetchBytes): Promise<RigContents> {
    const given = viewOf(input);
    if (given !== undefined) return readRig(live('input', given));
    if (typeof read !== 'function') throw wrongType(ROUTINE, 'read', 'a function', read);
    const isPlace = typeof input === 'string' || input instanceof URL;
    if (!isPlace) throw wrongType(ROUTINE, 'input', 'bytes or a URL', input);
    const bytes = await (read as ReadFile)(absoluteUrl(ROUTINE, 'input', input));
    const view = viewOf(bytes);
    if (view === undefined) throw wrongType(ROUTINE, 'the result of read', 'a Uint8Array or ArrayBuffer', bytes);
    return readRig(live('the result of read', view));
}

function live(argument: string, view: Uint8Array | null): Uint8Array {
    if (view !== null) return view;
    throw typeError('ERR_DETACHED_BUFFER', `${ROUTINE}: ${argument} is detached or shrunk, needs a live buffer`);
}
