// SPDX-License-Identifier: MIT

import { isGone } from '../base/arguments';

const LOOKED_AT = 4096;

/** Formats that are converted, by the first bytes of a file. */
const FORMATS = {
    FBX: /^(?:\xef\xbb\xbf)?(?:Kaydara FBX Binary|\s*(?:; ?FBX \d|FBXHeaderExtension\b))/,
    BVH: /^(?:\xef\xbb\xbf)?\s*HIERARCHY\s/i,
};

export type SourceFormat = keyof typeof FORMATS;

/** How glTF begins, whatever the file is called. */
const GLTF = /^(?:\xef\xbb\xbf)?\s*(?:\{|glTF)/;

/**
 * The format of a file that is converted; null for any other, such as glTF. A damaged start counts by the name, so that its
 * reader says what is wrong.
 */
export function sourceFormatOf(bytes: Uint8Array, file = ''): SourceFormat | null {
    // The reader reports bytes that were given away.
    if (isGone(bytes)) return null;
    const start = String.fromCharCode.apply(null, bytes.subarray(0, LOOKED_AT) as unknown as number[]);
    const [format] = Object.entries(FORMATS).find(([, pattern]) => pattern.test(start)) ?? [];
    const [, named] = (!GLTF.test(start) && /\.(fbx|bvh)$/i.exec(file)) || [];
    return ((format ?? named?.toUpperCase()) as SourceFormat | undefined) ?? null;
}
