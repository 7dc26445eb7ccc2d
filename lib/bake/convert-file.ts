// SPDX-License-Identifier: MIT

import { checkHooks } from '../base/arguments';
import { checkTableOptions, type OptionTable, usage } from '../base/option-table';
import { CLIP_OPTIONS, type ClipOptions, clipRecipeOf } from '../clips/options';
import type { FileBytes } from '../gltf/file-bytes';
import { keepFiles } from '../gltf/input';
import type { Warning } from '../gltf/scene';
import { openClips, openSource } from '../rig/retarget/read';
import { mergedGlb } from './merged-glb';

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
    const { bytes, own, added, clipWarnings, written } = await mergedGlb(
        files,
        openClips('convertFile', animations, { signal }),
        recipe,
    );
    return {
        // A conversion is kept for the next call.
        bytes: bytes === (await files.load()) && own.source !== undefined ? bytes.slice() : bytes,
        source: own.source ?? null,
        nodes: own.nodes.length,
        clips: own.animations.length + added,
        warnings: [...own.warnings, ...clipWarnings, ...written],
    };
}
