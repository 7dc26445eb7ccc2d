// SPDX-License-Identifier: MIT

import { checkHooks } from '../base/arguments';
import { GLB_MAGIC } from '../base/glb';
import { checkTableOptions, type OptionTable, usage } from '../base/option-table';
import { CLIP_OPTIONS, type ClipOptions, clipRecipeOf } from '../clips/options';
import { appendAnimations } from '../gltf/append-animations';
import { openContainer } from '../gltf/container';
import type { FileBytes } from '../gltf/file-bytes';
import { inputOfBytes, keepFiles } from '../gltf/input';
import { readGltf } from '../gltf/read';
import { createReport } from '../gltf/reading';
import type { SceneAnimation, Warning } from '../gltf/scene';
import { readFor, withClips } from '../rig/retarget/merge';
import { openClips, openSource, readClips } from '../rig/retarget/read';
import { readDocument } from './dense/read-document';

/** Options of {@link convertFile}: units, and clips of other files to add. */
export interface ConvertFileOptions extends ClipOptions {
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
    ...CLIP_OPTIONS,
};

/** A converted file. */
export interface ConvertedFile {
    /** The GLB. */
    readonly bytes: Uint8Array;
    /** Format, units and axes that were found, such as `FBX, centimeters, Y up, 30 fps`. Null for glTF. */
    readonly source: string | null;
    /** Number of nodes. */
    readonly nodes: number;
    /** Number of animations, with those of other files. */
    readonly clips: number;
    /** Parts of the file that are approximated or left out, and warnings about the GLB. */
    readonly warnings: readonly Warning[];
}

/**
 * Converts a file to GLB: FBX or BVH, or glTF with buffers and images of its own. Lengths become meters, and Y points
 * up. The keys of FBX clips keep the error of every vertex below 1e-4 of the model's extent, also between frames, unless
 * a warning says that the clip is long.
 *
 * All other functions read FBX and BVH files in the same way, so a bake of the file equals a bake of this GLB, unless
 * `bvhScale` is given. With `animations` the GLB also has the clips of other files, as `bakeFile` takes them. Those
 * without channels for this file's nodes are left out.
 *
 * Source: for FBX, the loader of Babylon.js; for BVH, Meredith and Maddock, "Motion Capture File Formats Explained".
 *
 * @param input Path of the file; its URL (`file:`, `https:` or `http:`; as URL or text); or its bytes and name.
 * @param options Units of BVH files, and other files with clips.
 * @param hooks A signal that cancels the conversion.
 * @returns The GLB, and a report.
 * @throws TypeError `ERR_ARGUMENT_TYPE`; UsageError; InputError `SOURCE_INVALID` for a damaged file,
 * `CONVERTER_MISSING` without @babylonjs/core and @babylonjs/loaders 9.26.1 or later, `NODES_UNMATCHED` and
 * `ROLES_MISSING` if clips of other files do not fit; the signal's reason.
 * @example
 * const { bytes, source } = await convertFile('walk.fbx');
 * await writeFile('walk.glb', bytes);
 * const hero = await convertFile('hero.glb', { animations: ['walk.fbx'], retarget: 'humanoid' });
 */
export async function convertFile(
    input: string | URL | FileBytes,
    options: ConvertFileOptions = {},
    hooks: { signal?: AbortSignal } = {},
): Promise<ConvertedFile> {
    checkTableOptions('convertFile', CONVERT_OPTIONS, options);
    checkHooks('convertFile', hooks);
    const { bvhScale, animations } = options;
    if (bvhScale !== undefined && !(bvhScale > 0 && bvhScale < Infinity))
        throw usage((name) => `${name('bvhScale')} is ${bvhScale}; it must be greater than 0`);
    const recipe = clipRecipeOf(options);
    const { signal } = hooks;
    const { files: opened } = openSource('convertFile', input, 'input', signal, { bvhScale });
    signal?.throwIfAborted();
    const files = keepFiles(opened);
    const own = await readGltf(files.file, readFor(recipe), files);
    const clips = await readClips(openClips('convertFile', animations, { signal }));
    const scene = recipe === null ? own : withClips(own, clips, recipe);
    const bytes = await files.load();
    const isGlb = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true) === GLB_MAGIC;
    // Channels of a clip may all be of nodes that this file lacks. glTF has no animations without channels.
    const added = scene.animations.slice(own.animations.length).filter(({ channels }) => channels.length > 0);
    const document = isGlb ? null : await readDocument(files, new Set());
    const glb = document === null ? bytes : await document.write();
    // A conversion is kept for the next call.
    const unshared = own.source === undefined ? glb : glb.slice();
    return {
        bytes: added.length === 0 ? unshared : await withAnimations(files.file, glb, added),
        source: scene.source ?? null,
        nodes: scene.nodes.length,
        clips: own.animations.length + added.length,
        warnings: [...scene.warnings, ...(document?.warnings ?? [])],
    };
}

/** A GLB with more clips. */
async function withAnimations(file: string, bytes: Uint8Array, clips: readonly SceneAnimation[]): Promise<Uint8Array> {
    const container = await openContainer(() => bytes, createReport(file));
    const { glb, keys } = appendAnimations(container, clips, 'keys.bin');
    const files = keepFiles(inputOfBytes(file, glb, async () => keys));
    return (await readDocument(files, new Set())).write();
}
