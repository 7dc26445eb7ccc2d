// SPDX-License-Identifier: MIT

import { type ConvertOptions, glbOf } from '../convert';
import type { InputFiles } from './input';

/** Files whose main file is read as GLB if it is FBX or BVH. Throws `SOURCE_INVALID`, `CONVERTER_MISSING`. */
export function asGltf(files: InputFiles, options?: ConvertOptions): InputFiles {
    const { file, load, resolve } = files;
    return { ...files, load: async () => glbOf(file, await load(), resolve, options) };
}
