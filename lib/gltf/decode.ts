// SPDX-License-Identifier: MIT

import type { TypedArray } from '@gltf-transform/core';
import { InputError } from '../errors';
import { hasWebAssembly, NO_WEBASSEMBLY } from '../webassembly';
import type { BufferData } from './buffers';
import { type DracoModule, decodeStream } from './decode-draco';
import type { MeshoptDecoder } from './decode-meshopt';
import { checkSparseIndices, type Decoded } from './decode-plain';
import { createPool, isDense, normalize, readDense } from './dense';
import { streamsOf } from './draco-streams';
import { DRACO, MESHOPT, nameOfSparseIndices, nameOfValues, ReducedGltf } from './reduce';
import { fail, invalid, type Report } from './report';
import type { AccessorInfo } from './validate/accessors';
import type { Draco } from './validate/meshes';
import type { View } from './validate/view';

/**
 * meshoptimizer's decoder.
 *
 * @throws InputError `EXTENSION_UNSUPPORTED` in a process without WebAssembly.
 */
export async function meshoptDecoder(file: string, pointer: string): Promise<MeshoptDecoder> {
    if (!hasWebAssembly()) throw new InputError('EXTENSION_UNSUPPORTED', file, pointer, NO_WEBASSEMBLY);
    const decoder = require('meshoptimizer/decoder.cjs') as MeshoptDecoder;
    await decoder.ready;
    return decoder;
}

/** The same, made to say which buffer view it failed on. glTF-Transform decodes them in order. */
async function pointingDecoder(compressed: readonly View[], report: Report) {
    const decoder = await meshoptDecoder(report.file, compressed[0]!.pointer);
    let next = 0;
    return {
        supported: true,
        decodeGltfBuffer(...args: Parameters<MeshoptDecoder['decodeGltfBuffer']>): void {
            const view = compressed[next++]!;
            try {
                decoder.decodeGltfBuffer(...args);
            } catch (cause) {
                invalid(report, view.pointer, `the data is not a valid stream of meshopt's mode ${args[4]}`, cause);
            }
        },
    };
}

/** Why there is no Draco decoder. */
export function whyNoDraco(): string {
    return hasWebAssembly()
        ? `${DRACO} needs the optional package draco3dgltf: npm install draco3dgltf`
        : NO_WEBASSEMBLY;
}

/** The Draco decoder of the optional package, or null where it is not installed or cannot run. */
export async function dracoDecoder(): Promise<DracoModule | null> {
    if (!hasWebAssembly()) return null;
    let draco: { createDecoderModule(): Promise<DracoModule> };
    try {
        draco = require('draco3dgltf');
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
        throw error;
    }
    return draco.createDecoderModule();
}

/** Without the decoder, uncompressed data will do where the file has it: the extension is then merely used. */
function requireFallback(primitives: readonly Draco[], report: Report): void {
    for (const { pointer, ids } of primitives) {
        if ([...ids.keys()].every(({ view }) => view !== null)) continue;
        fail(report, 'EXTENSION_UNSUPPORTED', pointer, whyNoDraco());
    }
}

/** Has glTF-Transform decode what is not dense. Its packages, and each decoder, are loaded at the first need. */
async function transform(
    arrays: Map<AccessorInfo, TypedArray>,
    infos: readonly AccessorInfo[],
    data: readonly BufferData[],
    report: Report,
): Promise<void> {
    const reduced = new ReducedGltf(data);
    for (const info of infos) reduced.accessor(info);

    // import() and not require(): glTF-Transform needs property-graph, which is an ES module only, and Node can
    // require such from 20.19 on.
    const core = await import('@gltf-transform/core');
    // WebIO: readJSON is the same in both, and NodeIO would import the file system for nothing.
    const io = new core.WebIO().setLogger(new core.Logger(core.Logger.Verbosity.SILENT));
    if (reduced.compressed.length > 0) {
        const extensions = await import('@gltf-transform/extensions');
        io.registerExtensions([extensions.EXTMeshoptCompression]);
        io.registerDependencies({ 'meshopt.decoder': await pointingDecoder(reduced.compressed, report) });
        reduced.json.extensionsUsed = [MESHOPT];
    }

    const byName = new Map<string, TypedArray | null>();
    try {
        const document = await io.readJSON({ json: reduced.json, resources: reduced.resources });
        for (const accessor of document.getRoot().listAccessors()) byName.set(accessor.getName(), accessor.getArray());
    } catch (cause) {
        if (cause instanceof InputError) throw cause;
        const reason = cause instanceof Error ? cause.message : String(cause);
        invalid(report, '', `glTF-Transform could not decode the accessors: ${reason}`, cause);
    }

    for (const info of infos) {
        const values = byName.get(nameOfValues(info))!;
        if (info.sparse !== null) checkSparseIndices(info, byName.get(nameOfSparseIndices(info))!, report);
        arrays.set(info, info.normalized ? normalize(values, info.componentType) : values);
    }
}

/**
 * Decodes `infos`: meshopt and sparse data with glTF-Transform, Draco's with its decoder. Numbers that merely lie in their buffer, which are
 * nearly all of an ordinary file, need no decoding and are copied: glTF-Transform's objects cost 20 us an accessor
 * (reading Knight.glb, with 8,700 of them, takes 90 ms instead of 250), and its packages as long to load as a small bake.
 */
export async function decodeAccessors(
    infos: Iterable<AccessorInfo>,
    primitives: readonly Draco[],
    data: readonly BufferData[],
    report: Report,
): Promise<Decoded> {
    const draco = primitives.length === 0 ? null : await dracoDecoder();
    if (draco === null) requireFallback(primitives, report);
    const decodable = draco === null ? [] : primitives;
    const inDraco = new Set(decodable.flatMap(({ ids }) => [...ids.keys()]));

    const arrays = new Map<AccessorInfo, TypedArray>();
    const coded: AccessorInfo[] = [];
    const room = createPool();
    for (const info of new Set(infos)) {
        if (inDraco.has(info)) continue;
        if (!isDense(info)) {
            coded.push(info);
            continue;
        }
        const values = readDense(info, data, room);
        arrays.set(info, info.normalized ? normalize(values, info.componentType) : values);
    }
    if (coded.length > 0) await transform(arrays, coded, data, report);
    // One after the other: a stream has as many points as it likes, and is refused before the next one is decoded.
    for (const stream of streamsOf(decodable)) {
        for (const [info, values] of decodeStream(draco!, stream, data, report)) {
            arrays.set(info, info.normalized ? normalize(values, info.componentType) : values);
        }
    }

    const floats = new Map<AccessorInfo, Float32Array>();
    const shorts = new Map<AccessorInfo, Uint16Array>();
    return {
        floats(info) {
            let array = floats.get(info);
            if (array === undefined) {
                const values = arrays.get(info)!;
                array = values instanceof Float32Array ? values : Float32Array.from(values);
                floats.set(info, array);
            }
            return array;
        },
        unsignedShorts(info) {
            let array = shorts.get(info);
            if (array === undefined) {
                const values = arrays.get(info)!;
                array = values instanceof Uint16Array ? values : Uint16Array.from(values);
                shorts.set(info, array);
            }
            return array;
        },
    };
}
