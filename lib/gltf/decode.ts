// SPDX-License-Identifier: MIT

/** Decoding in Node. The decoders of meshopt and Draco are loaded when a file first needs them. */

import { InputError } from '../base/errors';
import { hasWebAssembly } from '../webassembly/decoders';
import type { BufferData } from './buffers';
import { type DracoModule, decodeStream, streamsOf } from './decode-draco';
import { expandView, type MeshoptDecoder, NO_WEBASSEMBLY } from './decode-meshopt';
import type { DecodeAccessors } from './read-scene';
import type { Report } from './reading';
import { decodedOf, type Faults, readStored, type Stored } from './stored';
import type { AccessorInfo } from './validate/accessors';
import { type Draco, requireFallback } from './validate/meshes';
import type { View } from './validate/views';

/** The decoder of meshoptimizer. Throws `EXTENSION_UNSUPPORTED` in a process without WebAssembly. */
export async function meshoptDecoder(file: string, pointer: string): Promise<MeshoptDecoder> {
    if (!hasWebAssembly()) throw new InputError('EXTENSION_UNSUPPORTED', file, pointer, NO_WEBASSEMBLY);
    const decoder = require('meshoptimizer/decoder.cjs') as MeshoptDecoder;
    await decoder.ready;
    return decoder;
}

/** The Draco decoder; null in a process without WebAssembly. */
export async function dracoDecoder(): Promise<DracoModule | null> {
    if (!hasWebAssembly()) return null;
    const draco = require('draco3dgltf') as { createDecoderModule(): Promise<DracoModule> };
    return draco.createDecoderModule();
}

/** The first of an accessor's views that is compressed by meshopt. */
function compressedView({ view, sparse }: AccessorInfo): View | undefined {
    if (sparse === null) return view?.meshopt ? view : undefined; // most accessors
    return [view, sparse.indices.view, sparse.values.view].find((each) => each?.meshopt != null) ?? undefined;
}

/** The values of accessors as stored. Draco streams fill theirs if the decoder can run. */
export async function decodeStored(
    infos: Iterable<AccessorInfo>,
    primitives: readonly Draco[],
    data: readonly BufferData[],
    report: Report,
    faults?: Faults,
): Promise<Stored> {
    const draco = primitives.length === 0 ? null : await dracoDecoder();
    if (draco === null) requireFallback(primitives, report, NO_WEBASSEMBLY);
    const decodable = draco === null ? [] : primitives;
    const inDraco = new Set(decodable.flatMap(({ ids }) => [...ids.keys()]));
    const others = [...infos].filter((info) => !inDraco.has(info));
    const compressed = others.map(compressedView).find((view) => view !== undefined);
    const meshopt = compressed === undefined ? null : await meshoptDecoder(report.file, compressed.pointer);
    const stored = readStored(others, data, report, (view) => expandView(meshopt!, view, data, report), faults);
    // One after another: a stream can have any number of points, and is rejected before the next one is decoded.
    for (const stream of streamsOf(decodable)) {
        for (const [info, values] of decodeStream(draco!, stream, data, report)) stored.set(info, values);
    }
    return stored;
}

/** The same values, converted to those of the scene. */
export const decodeAccessors: DecodeAccessors = async (infos, primitives, data, report, faults) =>
    decodedOf(await decodeStored(infos, primitives, data, report, faults));
