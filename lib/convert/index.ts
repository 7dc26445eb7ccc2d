// SPDX-License-Identifier: MIT

/** Reads FBX and BVH files as GLB, so that everything else knows glTF only. */

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { unlessAborted } from '../base/follow-signal';
import { stemOf } from '../base/names';
import { convertBvh } from './bvh/convert';
import { convertFbx } from './fbx-thread';
import { type SourceFormat, sourceFormatOf } from './format';

export { sourceFormatOf } from './format';

export interface ConvertOptions {
    /** Meters of a unit of a BVH file. Default: guessed from the height of the skeleton. */
    readonly bvhScale?: number;
    /** Ends the wait. */
    readonly signal?: AbortSignal;
}

/**
 * Converts the bytes of a file to GLB if it is FBX or BVH. Returns other bytes unchanged.
 *
 * @param file Name of the file, for messages.
 * @param resolve Reads a file beside it.
 * @throws InputError `SOURCE_INVALID`, `CONVERTER_MISSING`.
 */
export async function glbOf(
    file: string,
    bytes: Uint8Array,
    resolve?: (path: string) => Promise<Uint8Array>,
    { bvhScale, signal }: ConvertOptions = {},
): Promise<Uint8Array> {
    const format = sourceFormatOf(bytes, file);
    if (format === null) return bytes;
    const key = `${createHash('sha256').update(bytes).digest('hex')} ${bvhScale} ${file}`;
    if (latest.key !== key) {
        const made = { key, glb: convert(format, file, bytes, resolve, bvhScale) };
        latest = made;
        made.glb.catch(() => {
            made.key = '';
        });
    }
    return unlessAborted(latest.glb, signal);
}

/** The last conversion of a file that needs no others. A command can read its input several times. */
let latest: { key: string; readonly glb: Promise<Uint8Array> } = {
    key: '',
    glb: Promise.resolve(new Uint8Array()),
};

async function convert(
    format: SourceFormat,
    file: string,
    bytes: Uint8Array,
    resolve: ((path: string) => Promise<Uint8Array>) | undefined,
    bvhScale: number | undefined,
): Promise<Uint8Array> {
    if (format === 'FBX') {
        return convertFbx(file, bytes, async (names) => {
            latest.key = '';
            for (const name of resolve === undefined ? [] : names) {
                const found = await resolve!(name).catch(() => null);
                if (found !== null) return found;
            }
            return null;
        });
    }
    return convertBvh(file, bytes, stemOf(basename(file)), bvhScale);
}
