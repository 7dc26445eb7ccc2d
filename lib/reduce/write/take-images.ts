// SPDX-License-Identifier: MIT

import type { GLTF } from '@gltf-transform/core' with { 'resolution-mode': 'import' };
import type { InputFiles } from '../../gltf/input';
import { isArgumentError, relativePath } from '../../gltf/references';

/** By the first bytes. All image types of glTF and its extensions. */
const MIME_TYPES: readonly (readonly [mimeType: string, at: number, bytes: string])[] = [
    ['image/png', 0, '\x89PNG'],
    ['image/jpeg', 0, '\xff\xd8\xff'],
    ['image/webp', 8, 'WEBP'],
    ['image/ktx2', 0, '\xabKTX 20'],
    ['image/avif', 4, 'ftypavif'],
    ['image/vnd-ms.dds', 0, 'DDS '],
];

/**
 * Moves images that are files or data URIs into buffer views. Images that cannot be read or have an unknown type are
 * unchanged.
 *
 * @param add Adds a buffer view of these bytes and returns its index.
 */
export async function takeImages(
    images: readonly GLTF.IImage[],
    resolve: InputFiles['resolve'],
    add: (bytes: Uint8Array) => number,
): Promise<void> {
    const views = new Map<string, number>();
    for (const image of images) {
        const { uri } = image;
        if (typeof uri !== 'string' || image.bufferView !== undefined) continue;
        const bytes = await readImage(uri, resolve);
        const mimeType = image.mimeType ?? (bytes && mimeTypeOf(bytes));
        if (bytes === null || bytes.length === 0 || mimeType === undefined) continue;
        const view = views.get(uri) ?? add(bytes);
        views.set(uri, view);
        delete image.uri;
        Object.assign(image, { mimeType, bufferView: view });
    }
}

async function readImage(uri: string, resolve: InputFiles['resolve']): Promise<Uint8Array | null> {
    const data = /^data:[^,]*;base64,(.*)$/is.exec(uri);
    if (data !== null) return Buffer.from(data[1]!, 'base64');
    try {
        return await resolve(relativePath(uri));
    } catch (error) {
        if (isArgumentError(error)) throw error;
        return null;
    }
}

function mimeTypeOf(bytes: Uint8Array): string | undefined {
    const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
    return MIME_TYPES.find(([, at, start]) => text.startsWith(start, at))?.[0];
}
