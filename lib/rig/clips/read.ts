// SPDX-License-Identifier: MIT

import type { ClipOptions } from '../../clips/options';
import { viewOfInput } from '../../gltf/file-bytes';
import { openInput } from '../../gltf/files';
import { type InputFiles, inputOfBytes, keepFiles } from '../../gltf/input';
import { readGltf } from '../../gltf/read';
import { CLIPS_ALONE } from '../../gltf/read-scene';
import type { GltfScene } from '../../gltf/scene';

/** A file with clips, as it was read: no vertices are. */
export interface ReadClips {
    readonly scene: GltfScene;
    /** As the caller named it. */
    readonly file: string;
    /** Whether it is on disk. */
    readonly isPath: boolean;
}

/** A file with clips that is still to be read. */
export interface ClipInput {
    readonly files: InputFiles;
    /** Whether it is on disk. */
    readonly isPath: boolean;
}

/**
 * @param keep Whether the files will be read twice, and must be the same both times.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`.
 */
export function openClips(routine: string, animations: ClipOptions['animations'] = [], keep = false): ClipInput[] {
    return animations.map((source, index) => {
        if (typeof source === 'string') {
            const files = openInput(source);
            return { files: keep ? keepFiles(files) : files, isPath: true };
        }
        const bytes = viewOfInput(routine, source, 'a path, or bytes and a name', `options.animations[${index}]`);
        return { files: inputOfBytes(source.name, bytes, source.resolve), isPath: false };
    });
}

/** @throws InputError as `readGltf`. */
export async function readClips(inputs: readonly ClipInput[]): Promise<ReadClips[]> {
    const read: ReadClips[] = [];
    for (const { files, isPath } of inputs) {
        const { file } = files;
        read.push({ scene: await readGltf(file, CLIPS_ALONE, files), file, isPath });
    }
    return read;
}
