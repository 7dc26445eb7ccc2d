// SPDX-License-Identifier: MIT

/** Decoding in browsers. No decoder is loaded: the caller may bring meshopt's, and Draco's data is refused. */

import type { BufferData } from './buffers';
import { expandView, type MeshoptDecoder } from './decode-meshopt';
import type { DecodeAccessors } from './read-scene';
import { fail, type Report } from './report';
import { decodedOf, readStored } from './stored';
import type { Draco } from './validate/meshes';
import type { View } from './validate/views';

const ADVICE = 'use Rig.fromDocument with a Document that glTF-Transform has read';

function refuseDraco(primitives: readonly Draco[], report: Report): void {
    for (const { pointer, ids } of primitives) {
        if ([...ids.keys()].every(({ view }) => view !== null)) continue;
        fail(report, 'EXTENSION_UNSUPPORTED', pointer, `Draco compression is not decoded here: ${ADVICE}`);
    }
}

/**
 * Decodes floats and integers, strided and sparse ones too.
 *
 * @throws InputError `EXTENSION_UNSUPPORTED` for data that is compressed, by meshopt or Draco.
 */
export const decodePlain: DecodeAccessors = async (infos, primitives, data, report) => {
    refuseDraco(primitives, report);
    const refuse = ({ pointer }: View): never => {
        const rule = `meshopt compression needs a decoder: options.decoders of Rig.load, or ${ADVICE}`;
        return fail(report, 'EXTENSION_UNSUPPORTED', pointer, rule);
    };
    return decodedOf(readStored(infos, data, report, refuse));
};

/** Decodes as `decodePlain` does, and meshopt's views with a decoder. */
export function decodeWithMeshopt(decoder: MeshoptDecoder): DecodeAccessors {
    return async (infos, primitives, data: readonly BufferData[], report) => {
        await decoder.ready;
        refuseDraco(primitives, report);
        return decodedOf(readStored(infos, data, report, (view) => expandView(decoder, view, data, report)));
    };
}
