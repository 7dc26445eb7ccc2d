// SPDX-License-Identifier: MIT

/** Decoding in browsers. No decoder is loaded: the caller can pass meshopt's, and Draco data is rejected. */

import type { BufferData } from './buffers';
import { expandView, type MeshoptDecoder } from './decode-meshopt';
import type { DecodeAccessors } from './read-scene';
import { fail } from './reading';
import { decodedOf, readStored } from './stored';
import { requireFallback } from './validate/meshes';
import type { View } from './validate/views';

export const RIG_INSTEAD = 'use Rig.fromDocument with a Document that glTF-Transform has read';

/** Decodes plain, strided and sparse data. Rejects compressed data, with the option `where` and advice. */
export function decodePlain(where = 'options.decoders of Rig.load', instead = RIG_INSTEAD): DecodeAccessors {
    return async (infos, primitives, data, report, faults) => {
        requireFallback(primitives, report, `Draco compression is not decoded here: ${instead}`);
        const refuse = ({ pointer }: View): never => {
            const rule = `meshopt compression needs a decoder: ${where}, or ${instead}`;
            return fail(report, 'EXTENSION_UNSUPPORTED', pointer, rule);
        };
        return decodedOf(readStored(infos, data, report, refuse, faults));
    };
}

/** As `decodePlain`, with a decoder for meshopt views. */
export function decodeWithMeshopt(decoder: MeshoptDecoder, instead = RIG_INSTEAD): DecodeAccessors {
    return async (infos, primitives, data: readonly BufferData[], report, faults) => {
        await decoder.ready;
        requireFallback(primitives, report, `Draco compression is not decoded here: ${instead}`);
        const expand = (view: View) => expandView(decoder, view, data, report);
        return decodedOf(readStored(infos, data, report, expand, faults));
    };
}
