// SPDX-License-Identifier: MIT

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { InputError } from '../base/errors';
import type { BufferData, Resolve } from './buffers';
import { decodeAccessors, decodeStored } from './decode';
import { faultyClips, withoutFaultyClips } from './faulty-clips';
import { openInput } from './files';
import { type InputFiles, keepFiles } from './input';
import type { JsonObject } from './json';
import { decodedLimit } from './limits';
import { accessorsOfClips, buildAnimations, dracoOf, openScene, type ReadOptions, readScene } from './read-scene';
import { createReport } from './reading';
import type { GltfScene } from './scene';
import type { Faults, TypedArray } from './stored';

export type { ReadOptions } from './read-scene';

/** How {@link readGltfBytes} names its input and reaches the files beside it. */
export interface ReadBytesOptions extends ReadOptions {
    /** The file's name, for messages, and without its folder for {@link GltfScene.name}. */
    readonly name: string;
    /** Reads the external buffers; without it a file that has any is refused. */
    readonly resolve?: Resolve;
}

/**
 * SHA-256, in hex, of everything that can influence the scene: first the JSON's bytes as they stand in the file
 * (`.gltf`: the whole file; `.glb`: the JSON chunk's data with its padding, without chunk header), then, in index
 * order, the first `byteLength` bytes of every buffer that has data, data URIs included. GLB headers, padding of
 * the BIN chunk, images, and buffers without data do not count. Lengths need no separators: the JSON fixes them.
 */
function createInputHash() {
    const hash = createHash('sha256');
    return {
        see: (jsonBytes: Uint8Array): void => void hash.update(jsonBytes),
        /** Once, after the JSON. */
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
 * Reads a `.glb` or `.gltf` file, with the buffers beside it, into plain data.
 *
 * The raw JSON is checked first; then the accessors that skins, animations and skinned meshes need are decoded. A file without
 * skins or animations is fine here.
 *
 * @throws {@link InputError} with the JSON pointer and the rule of the first fault that could change a pose:
 *   `FILE_UNREADABLE`, `NOT_GLTF`, `GLTF_INVALID` or `EXTENSION_UNSUPPORTED`. What cannot is in
 *   {@link GltfScene.warnings}, under the codes of {@link ReadWarningCode}.
 */
export async function readGltf(
    file: string,
    options: ReadOptions = {},
    { load, resolve }: InputFiles = openInput(file),
): Promise<GltfScene> {
    return read(file, load, resolve, options);
}

/** Reads a file that will be read once more: `files` holds its bytes, buffers and images as they were. */
export async function readGltfKept(
    file: string,
    options: ReadOptions = {},
): Promise<{ scene: GltfScene; files: InputFiles }> {
    const files = keepFiles(openInput(file));
    const scene = await readGltf(file, options, files);
    // An image may be missing.
    for (const path of scene.references ?? []) await files.resolve(path).catch(() => {});
    return { scene, files };
}

/** Reads a file that is already in memory. `bytes` is not written to, and not kept. */
export function readGltfBytes(bytes: Uint8Array, options: ReadBytesOptions): Promise<GltfScene> {
    return read(options.name, () => bytes, options.resolve, options);
}

/** A file whose JSON breaks no rule that poses depend on. The verifier evaluates it by itself. */
export interface CheckedFile {
    /** Clips with a fault have no channels here. */
    readonly json: JsonObject;
    readonly buffers: readonly BufferData[];
    /** As {@link GltfScene.sha256}. */
    readonly sha256: string;
    /** The maximum of numbers that may be made of the file. */
    readonly maxNumbers: number;
    /** By number of the clip. */
    readonly faults: ReadonlyMap<number, InputError>;
    /** Components of accessors, by the accessors' indices: decompressed, with sparse values in place, not normalized. */
    stored(accessors: Iterable<number>): Promise<ReadonlyMap<number, TypedArray>>;
}

/** Reads and checks a file, and decodes what is asked for. Throws as {@link readGltf}. */
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
