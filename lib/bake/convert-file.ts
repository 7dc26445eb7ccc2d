// SPDX-License-Identifier: MIT

import { checkHooks } from '../base/arguments';
import { GLB_MAGIC } from '../base/glb';
import { checkTableOptions, type OptionTable, usage } from '../base/option-table';
import type { FileBytes } from '../gltf/file-bytes';
import { keepFiles } from '../gltf/input';
import { readGltf } from '../gltf/read';
import type { Warning } from '../gltf/scene';
import { openSource } from '../rig/retarget/read';
import { readDocument } from './dense/read-document';

/** Options of {@link convertFile}. */
export interface ConvertFileOptions {
    /** Meters of a unit of a BVH file. Default: guessed from the height of the skeleton. */
    bvhScale?: number;
}

/** Flags of {@link ConvertFileOptions}. */
export const CONVERT_OPTIONS: OptionTable<keyof ConvertFileOptions> = {
    bvhScale: {
        kind: 'number',
        value: '<meters>',
        help: 'meters of a unit of BVH files (default: guessed from the height of the skeleton)',
    },
};

/** A converted file. */
export interface ConvertedFile {
    /** The GLB. */
    readonly bytes: Uint8Array;
    /** Format, units and axes that were found, such as `FBX, centimeters, Y up, 30 fps`. Null for glTF. */
    readonly source: string | null;
    /** Number of nodes. */
    readonly nodes: number;
    /** Number of animations. */
    readonly clips: number;
    /** Parts of the file that are approximated or left out, and warnings about the GLB. */
    readonly warnings: readonly Warning[];
}

/**
 * Converts a file to GLB: FBX or BVH, or glTF with buffers and images of its own. Lengths become meters, and Y points
 * up. The keys of FBX clips keep the error of every vertex below 1e-4 of the model's extent, also between frames.
 *
 * All other functions read FBX and BVH files in the same way, so a bake of the file equals a bake of this GLB.
 *
 * Source: for FBX, the loader of Babylon.js; for BVH, Meredith and Maddock, "Motion Capture File Formats Explained".
 *
 * @param input Path of the file; its URL (`file:`, `https:` or `http:`; as URL or text); or its bytes and name.
 * @param options Units of BVH files.
 * @param hooks A signal that cancels the conversion.
 * @returns The GLB, and a report.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; UsageError; InputError `SOURCE_INVALID` for a damaged file,
 * `CONVERTER_MISSING` without @babylonjs/core and @babylonjs/loaders 9.26.1 or later; the signal's reason.
 * @example
 * const { bytes, source } = await convertFile('walk.fbx');
 * await writeFile('walk.glb', bytes);
 */
export async function convertFile(
    input: string | URL | FileBytes,
    options: ConvertFileOptions = {},
    hooks: { signal?: AbortSignal } = {},
): Promise<ConvertedFile> {
    checkTableOptions('convertFile', CONVERT_OPTIONS, options);
    checkHooks('convertFile', hooks);
    const { bvhScale } = options;
    if (bvhScale !== undefined && !(bvhScale > 0 && bvhScale < Infinity))
        throw usage((name) => `${name('bvhScale')} is ${bvhScale}; it must be greater than 0`);
    const { files: opened } = openSource('convertFile', input, 'input', hooks.signal, { bvhScale });
    hooks.signal?.throwIfAborted();
    const files = keepFiles(opened);
    const scene = await readGltf(files.file, { rigid: true }, files);
    const bytes = await files.load();
    const isGlb = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true) === GLB_MAGIC;
    const document = isGlb ? null : await readDocument(files, new Set());
    return {
        bytes: document === null ? bytes : await document.write(),
        source: scene.source ?? null,
        nodes: scene.nodes.length,
        clips: scene.animations.length,
        warnings: [...scene.warnings, ...(document?.warnings ?? [])],
    };
}
