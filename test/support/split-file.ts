// SPDX-License-Identifier: MIT

/** A character as many are sold: its meshes in one GLB, its clips in another. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Json {
    nodes: { name?: string; mesh?: number; skin?: number }[];
    animations?: { name?: string }[];
    [key: string]: unknown;
}

/** The GLB with another JSON and the same binary chunk. */
export function changedGlb(path: string, change: (json: Json) => object): Buffer {
    const bytes = readFileSync(path);
    const end = 20 + bytes.readUInt32LE(12);
    const text = JSON.stringify(change(JSON.parse(bytes.toString('utf8', 20, end))));
    const json = Buffer.from(text + ' '.repeat(-Buffer.byteLength(text) & 3));
    const head = Buffer.from(bytes.subarray(0, 20));
    head.writeUInt32LE(20 + json.length + bytes.length - end, 8);
    head.writeUInt32LE(json.length, 12);
    return Buffer.concat([head, json, bytes.subarray(end)]);
}

/** Without its clips. */
export function meshAlone(path: string): Buffer {
    return changedGlb(path, (json) => ({ ...json, animations: undefined }));
}

/**
 * Without its meshes and skins.
 *
 * @param rename Gives nodes other names.
 * @param clips Gives the clips that are kept.
 */
export function clipsAlone(
    path: string,
    rename = (name: string) => name,
    clips = (animations: { name?: string }[]) => animations,
): Buffer {
    return changedGlb(path, ({ meshes, skins, ...json }) => ({
        ...json,
        nodes: json.nodes.map(({ mesh, skin, ...node }) => ({
            ...node,
            ...(node.name === undefined ? {} : { name: rename(node.name) }),
        })),
        animations: clips(json.animations!),
    }));
}

/** Writes bytes, and gives their path. */
export function fileOf(folder: string, name: string, bytes: Uint8Array | string): string {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
}
