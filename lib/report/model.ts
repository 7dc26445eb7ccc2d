// SPDX-License-Identifier: MIT

import { basename } from 'node:path';
import { type BakeResult, bakeRead } from '../bake/bake';
import { type BakeOptions, recipeOf } from '../bake/options';
import type { BakeHooks } from '../bake/progress';
import { openContainer } from '../gltf/container';
import type { InputFiles } from '../gltf/files';
import { readGltfKept } from '../gltf/read';
import { fileUrisOf } from '../gltf/references';
import { createReport } from '../gltf/report';
import type { GltfScene } from '../gltf/scene';

/** A model that was read once: what is baked, judged and shown of it are the same bytes. */
export interface ReportModel {
    /** As the caller named it. */
    readonly path: string;
    readonly scene: GltfScene;
    readonly files: InputFiles;
}

/** @throws InputError as `bakeFile`. */
export async function openModel(path: string): Promise<ReportModel> {
    return { path, ...(await readGltfKept(path, { rigid: true })) };
}

/** @throws As `bakeFile`. */
export function bakeModel(
    { path, scene, files }: ReportModel,
    options: BakeOptions,
    hooks: BakeHooks = {},
): Promise<BakeResult> {
    return bakeRead(scene, path, recipeOf('bakeFile', options), hooks, performance.now(), files);
}

/** The glTF file, and every file that it refers to, under the URIs that it has for them; without images that cannot be read. */
export async function filesOfModel({ path, files }: ReportModel): Promise<{ uri: string; bytes: Uint8Array }[]> {
    const { json } = await openContainer(files.load, createReport(path));
    const found = [{ uri: basename(path), bytes: await files.load() }];
    for (const [uri, relative] of fileUrisOf(json)) {
        const bytes = await files.resolve(relative).catch(() => null);
        if (bytes !== null) found.push({ uri, bytes });
    }
    return found;
}
