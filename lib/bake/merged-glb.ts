// SPDX-License-Identifier: MIT

import { GLB_MAGIC } from '../base/glb';
import type { ClipRecipe } from '../clips/options';
import { appendAnimations } from '../gltf/append-animations';
import { openContainer } from '../gltf/container';
import { type InputFiles, inputOfBytes, keepFiles } from '../gltf/input';
import { readGltf } from '../gltf/read';
import { createReport } from '../gltf/reading';
import type { GltfScene, SceneAnimation, Warning } from '../gltf/scene';
import { readFor, withClips } from '../rig/retarget/merge';
import { type ClipInput, readClips } from '../rig/retarget/read';
import { readDocument } from './dense/read-document';

/** A file as one GLB, with the clips of other files. */
export interface MergedGlb {
    readonly bytes: Uint8Array;
    /** The file without the other clips. */
    readonly own: GltfScene;
    /** Number of clips that were added. */
    readonly added: number;
    /** Warnings about the clips of other files. */
    readonly clipWarnings: readonly Warning[];
    /** Warnings of the writer. */
    readonly written: readonly Warning[];
}

/**
 * Writes a file and the clips of other files as a GLB. A GLB without other clips stays as it is.
 *
 * @param files Each must have the same bytes at every read.
 * @param recipe Null without other files.
 * @throws InputError as `readGltf`, and for clips that do not fit.
 */
export async function mergedGlb(
    files: InputFiles,
    inputs: readonly ClipInput[],
    recipe: ClipRecipe | null,
): Promise<MergedGlb> {
    const own = await readGltf(files.file, readFor(recipe), files);
    const scene = recipe === null ? own : withClips(own, await readClips(inputs), recipe);
    const bytes = await files.load();
    const isGlb = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true) === GLB_MAGIC;
    const document = isGlb ? null : await readDocument(files, new Set());
    const glb = document === null ? bytes : await document.write();
    // Channels of a clip may all be of nodes that this file lacks. glTF has no animations without channels.
    const clips = scene.animations.slice(own.animations.length).filter(({ channels }) => channels.length > 0);
    return {
        bytes: clips.length === 0 ? glb : await withAnimations(files.file, glb, clips),
        own,
        added: clips.length,
        clipWarnings: scene.warnings.slice(own.warnings.length),
        written: document?.warnings ?? [],
    };
}

/** A GLB with more clips. */
async function withAnimations(file: string, bytes: Uint8Array, clips: readonly SceneAnimation[]): Promise<Uint8Array> {
    const container = await openContainer(() => bytes, createReport(file));
    const { glb, keys } = appendAnimations(container, clips, 'keys.bin');
    const files = keepFiles(inputOfBytes(file, glb, async () => keys));
    return (await readDocument(files, new Set())).write();
}
