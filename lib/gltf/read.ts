// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { InputError } from '../base/errors';
import type { BufferData, Resolve } from './buffers';
import { asGltf } from './converted';
import { decodeAccessors, decodeStored } from './decode';
import { faultyClips, withoutFaultyClips } from './faulty-clips';
import { openInput } from './files';
import { type InputFiles, inputOfBytes, keepFiles } from './input';
import type { JsonObject } from './json';
import { decodedLimit } from './limits';
import { accessorsOfClips, buildAnimations, dracoOf, openScene, readScene } from './read-scene';
import { createReport } from './reading';
import type { GltfScene, ReadOptions } from './scene';
import type { Faults } from './stored';
import type { TypedArray } from './validate/accessors';

export type { ReadOptions } from './scene';

/** The name of the input of {@link readGltfBytes}, and access to the files beside it. */
export interface ReadBytesOptions extends ReadOptions {
    /** The file's name for messages and, without its folder, for {@link GltfScene.name}. */
    readonly name: string;
    /** Reads the external buffers. Without it, a file that has any is rejected. */
    readonly resolve?: Resolve;
}

/**
 * SHA-256, in hex, of everything that can influence the scene. First the JSON's bytes as stored: the whole `.gltf`, or
 * the data of a `.glb`'s JSON chunk with its padding, without the chunk header. Then, in index order, the first
 * `byteLength` bytes of every buffer with data, including data URIs. GLB headers, padding of the BIN chunk, images and
 * buffers without data are not included. The JSON fixes all lengths, so no separators are needed.
 */
function createInputHash() {
    const hash = createHash('sha256');
    return {
        see: (jsonBytes: Uint8Array): void => void hash.update(jsonBytes),
        /** Call it once, after the JSON. */
        withBuffers(buffers: readonly BufferData[]): string {
            for (const data of buffers) if (data !== null) hash.update(data);
            return hash.digest('hex');
        },
    };
}

async function read(
    file: string,
    load: () => Uint8Array | Promise<Uint8Array>,
    resolve: Resolve | undefined,
    options: ReadOptions,
): Promise<GltfScene> {
    const { see, withBuffers } = createInputHash();
    const { scene, buffers } = await readScene({ file, load, resolve, decode: decodeAccessors, see }, options);
    return { name: path.basename(file), sha256: withBuffers(buffers), ...scene };
}

/**
 * Reads a `.glb` or `.gltf` file and the buffers beside it into plain data.
 * The JSON is checked first. Then the accessors of skins, animations and skinned meshes are decoded. A file without
 * skins or animations is accepted.
 *
 * @throws {@link InputError} with the JSON pointer and the rule of the first fault that could change a pose:
 * `FILE_UNREADABLE`, `NOT_GLTF`, `GLTF_INVALID` or `EXTENSION_UNSUPPORTED`. Other faults are in {@link
 * GltfScene.warnings}, with the codes of {@link ReadWarningCode}.
 */
export async function readGltf(
    file: string,
    options: ReadOptions = {},
    { load, resolve }: InputFiles = openInput(file),
): Promise<GltfScene> {
    return read(file, load, resolve, options);
}

/** Reads a file that will be read again. `files` keeps its bytes, buffers and images. */
export async function readGltfKept(
    file: string,
    options: ReadOptions = {},
): Promise<{ scene: GltfScene; files: InputFiles }> {
    const files = keepFiles(openInput(file));
    const scene = await readGltf(file, options, files);
    // Images can be missing.
    for (const path of scene.references ?? []) await files.resolve(path).catch(() => {});
    return { scene, files };
}

/** Reads a file that is in memory. `bytes` are neither changed nor kept. */
export function readGltfBytes(bytes: Uint8Array, options: ReadBytesOptions): Promise<GltfScene> {
    const { name, resolve } = options;
    return read(name, asGltf(inputOfBytes(name, bytes, resolve)).load, resolve, options);
}

/** A file whose JSON breaks no rule that poses depend on. The verifier evaluates it on its own. */
export interface CheckedFile {
    /** Clips with a fault have no channels here. */
    readonly json: JsonObject;
    readonly buffers: readonly BufferData[];
    readonly sha256: string;
    /** Maximum number of values that may be read from the file. */
    readonly maxNumbers: number;
    /** By animation number. */
    readonly faults: ReadonlyMap<number, InputError>;
    /** Components of accessors, by index: decompressed, with sparse values applied, not normalized. */
    stored(accessors: Iterable<number>): Promise<ReadonlyMap<number, TypedArray>>;
}

/** Reads and checks a file, and decodes accessors on request. Throws as {@link readGltf}. */
export async function readChecked(file: string): Promise<CheckedFile> {
    const report = createReport(file);
    const { see, withBuffers } = createInputHash();
    const open = await openScene({ ...openInput(file), see }, report, { rigid: true, looseClips: true });
    const { checked, buffers } = open;
    const bad: Faults = new Map();
    const decoded = await decodeAccessors(accessorsOfClips(checked), [], buffers, report, bad);
    const animations = buildAnimations(checked, decoded, report, bad);
    return {
        json: withoutFaultyClips(open.json, faultyClips({ animations })),
        faults: new Map(
            animations.flatMap(({ fault }, index): [number, InputError][] =>
                fault === undefined ? [] : [[index, fault]],
            ),
        ),
        buffers,
        sha256: withBuffers(buffers),
        maxNumbers: decodedLimit(checked.ownBytes),
        async stored(accessors) {
            const infos = checked.lookUp(accessors);
            const stored = await decodeStored(infos.values(), dracoOf(checked), buffers, report);
            return new Map(Array.from(infos, ([index, info]) => [index, stored.get(info)!]));
        },
    };
}
