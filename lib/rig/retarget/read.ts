// SPDX-License-Identifier: MIT

import type { ClipOptions } from '../../clips/options';
import type { ConvertOptions } from '../../convert';
import { asGltf } from '../../gltf/converted';
import { type FileBytes, viewOfInput } from '../../gltf/file-bytes';
import { openInput } from '../../gltf/files';
import { checkedResolve, type InputFiles, inputOfBytes, keepFiles } from '../../gltf/input';
import { readGltf } from '../../gltf/read';
import { CLIPS_ALONE } from '../../gltf/read-scene';
import type { GltfScene } from '../../gltf/scene';
import { openUrl, urlOf } from '../../gltf/urls';

/** A file with clips, read without vertices. */
export interface ReadClips {
    readonly scene: GltfScene;
    /** Name given by the caller. */
    readonly file: string;
    /** Whether it is on disk. */
    readonly isPath: boolean;
}

/** A file that was opened, but not yet read. */
export interface ClipInput {
    readonly files: InputFiles;
    /** Whether it is on disk. */
    readonly isPath: boolean;
}

/**
 * Opens a file that the caller passed as path, URL or bytes.
 *
 * @param signal Cancels reading.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; UsageError for a URL that is not read.
 */
export function openSource(
    routine: string,
    source: string | URL | FileBytes,
    argument: string,
    signal?: AbortSignal,
    options?: ConvertOptions,
): ClipInput {
    const url = urlOf(source);
    if (url !== null) return openUrl(url, signal, options);
    if (typeof source === 'string') return { files: openInput(source, signal, options), isPath: true };
    const bytes = viewOfInput(routine, source as FileBytes, 'a path, a URL, or bytes and a name', argument);
    const { name, resolve } = source as FileBytes;
    const files = inputOfBytes(name, bytes, checkedResolve(routine, resolve, signal));
    return { files: asGltf(files, { ...options, signal }), isPath: false };
}

/**
 * @param keep Whether the files will be read twice, and must be the same both times.
 * @throws As `openSource`.
 */
export function openClips(
    routine: string,
    animations: ClipOptions['animations'] = [],
    { keep = false, signal }: { keep?: boolean; signal?: AbortSignal } = {},
): ClipInput[] {
    return animations.map((source, index) => {
        const input = openSource(routine, source, `options.animations[${index}]`, signal);
        return keep ? { ...input, files: keepFiles(input.files) } : input;
    });
}

/**
 * @param looseClips As of `ReadOptions`.
 * @throws InputError as `readGltf`.
 */
export async function readClips(inputs: readonly ClipInput[], looseClips = false): Promise<ReadClips[]> {
    const read: ReadClips[] = [];
    for (const { files, isPath } of inputs) {
        const { file } = files;
        read.push({ scene: await readGltf(file, { ...CLIPS_ALONE, looseClips }, files), file, isPath });
    }
    return read;
}
