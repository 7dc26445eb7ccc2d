// SPDX-License-Identifier: MIT

import path from 'node:path';
import type { Resolve } from './buffers';
import { decodeAccessors } from './decode';
import { InputHash } from './hash';
import { type InputFiles, keepInput, openInput } from './input-files';
import { type ReadOptions, readScene } from './read-scene';
import type { GltfScene } from './scene';

export type { ReadOptions } from './read-scene';

/** How {@link readGltfBytes} names its input and reaches the files beside it. */
export interface ReadBytesOptions extends ReadOptions {
    /** The file's name, for messages, and without its folder for {@link GltfScene.name}. */
    readonly name: string;
    /** Reads the external buffers; without it a file that has any is refused. */
    readonly resolve?: Resolve;
}

async function read(
    file: string,
    load: () => Uint8Array | Promise<Uint8Array>,
    resolve: Resolve | undefined,
    options: ReadOptions,
): Promise<GltfScene> {
    const hash = new InputHash();
    const see = (jsonBytes: Uint8Array) => hash.addJson(jsonBytes);
    const { scene, buffers } = await readScene({ file, load, resolve, decode: decodeAccessors, see }, options);
    return { name: path.basename(file), sha256: hash.withBuffers(buffers), ...scene };
}

/**
 * Reads a `.glb` or `.gltf` file, with the buffers beside it, into plain data.
 *
 * The raw JSON is checked first; then the accessors that skins, animations and skinned meshes need are decoded, those
 * that do not merely lie in their buffer by glTF-Transform. A file without skins or animations is fine here.
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

/** The same for a file that will be read once more: `files` holds all of it, its buffers and images, as it was. */
export async function readGltfKept(file: string): Promise<{ scene: GltfScene; files: InputFiles }> {
    const files = keepInput(file);
    const scene = await readGltf(file, {}, files);
    // An image may be missing.
    for (const path of scene.references ?? []) await files.resolve(path).catch(() => {});
    return { scene, files };
}

/** The same for a file that is already in memory. `bytes` is not written to, and not kept. */
export function readGltfBytes(bytes: Uint8Array, options: ReadBytesOptions): Promise<GltfScene> {
    return read(options.name, () => bytes, options.resolve, options);
}
