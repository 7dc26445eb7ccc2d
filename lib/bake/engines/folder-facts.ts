// SPDX-License-Identifier: MIT

import { dirname } from 'node:path';
import type { FolderFacts } from '../../format/folder-facts';
import { splitFile } from '../../gltf/container';
import { createReport } from '../../gltf/reading';
import type { BakeFile } from '../write/check-bake';

const PALETTE = /_palette\.exr$/;

/** Facts of the folders for engines among the files of a bake: OpenVAT, then Godot. */
export function folderFactsOf(files: readonly BakeFile[]): FolderFacts[] {
    const info = files.find(({ name }) => name.endsWith('-remap_info.json'));
    const palette = files.find(({ name }) => PALETTE.test(name));
    const glb = files.find(({ name }) => name === palette?.name.replace(PALETTE, '.glb'));
    return [
        ...(info === undefined ? [] : [factsIn(files, info, jsonOf(info.bytes))]),
        ...(glb === undefined ? [] : [factsIn(files, glb, extrasOf(glb))]),
    ];
}

function extrasOf({ name, bytes }: BakeFile) {
    return jsonOf(splitFile(bytes, createReport(name)).json).asset.extras;
}

function jsonOf(bytes: Uint8Array) {
    return JSON.parse(new TextDecoder().decode(bytes));
}

function factsIn(
    files: readonly BakeFile[],
    { name }: BakeFile,
    { poselane }: { poselane: Pick<FolderFacts, 'error' | 'extent'> & { clips: readonly { frameCount: number }[] } },
): FolderFacts {
    const folder = dirname(name);
    const own = files.filter((file) => dirname(file.name) === folder);
    const bytes = own.reduce((sum, file) => sum + (file.byteLength ?? file.bytes.byteLength), 0);
    const frames = poselane.clips.reduce((sum, { frameCount }) => sum + frameCount, 0);
    return { folder, frames, bytes, error: poselane.error, extent: poselane.extent };
}
