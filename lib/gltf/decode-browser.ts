// SPDX-License-Identifier: MIT

/** Decoding in browsers. No decoder is loaded: the caller may bring meshopt's, and Draco's data is refused. */

import type { BufferData } from './buffers';
import { expandView, type MeshoptDecoder } from './decode-meshopt';
import type { DecodeAccessors } from './read-scene';
import { fail, type Report } from './reading';
import { decodedOf, readStored } from './stored';
import type { Draco } from './validate/meshes';
import type { View } from './validate/views';

/** What else there is for a Rig. */
export const RIG_INSTEAD = 'use Rig.fromDocument with a Document that glTF-Transform has read';

function refuseDraco(primitives: readonly Draco[], report: Report, instead: string): void {
    for (const { pointer, ids } of primitives) {
        if ([...ids.keys()].every(({ view }) => view !== null)) continue;
        fail(report, 'EXTENSION_UNSUPPORTED', pointer, `Draco compression is not decoded here: ${instead}`);
    }
}

/**
 * Decodes floats and integers, strided and sparse ones too.
 *
 * @param where A decoder can be given, for messages.
 * @param instead What else can be done.
 * @throws InputError `EXTENSION_UNSUPPORTED` for data that is compressed, by meshopt or Draco.
 */
export function decodePlain(where = 'options.decoders of Rig.load', instead = RIG_INSTEAD): DecodeAccessors {
    return async (infos, primitives, data, report, faults) => {
        refuseDraco(primitives, report, instead);
        const refuse = ({ pointer }: View): never => {
            const rule = `meshopt compression needs a decoder: ${where}, or ${instead}`;
            return fail(report, 'EXTENSION_UNSUPPORTED', pointer, rule);
        };
        return decodedOf(readStored(infos, data, report, refuse, faults));
    };
}

/** Decodes as `decodePlain` does, and meshopt's views with a decoder. */
export function decodeWithMeshopt(decoder: MeshoptDecoder, instead = RIG_INSTEAD): DecodeAccessors {
    return async (infos, primitives, data: readonly BufferData[], report, faults) => {
        await decoder.ready;
        refuseDraco(primitives, report, instead);
        const expand = (view: View) => expandView(decoder, view, data, report);
        return decodedOf(readStored(infos, data, report, expand, faults));
    };
}
