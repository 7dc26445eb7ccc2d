// SPDX-License-Identifier: MIT

/** Small models, their bakes, and changed caches. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BakeOptions, type BakeResult, bakeFile, openCache } from '../../lib/bake';
import { smallGltf } from '../cli/small-gltf';
import { scratchFolder } from '../support/temporary-folder';

export interface Entry {
    // biome-ignore lint/suspicious/noExplicitAny: tests change it in many ways
    note: any;
    files: Record<string, Buffer>;
}

export const { filesIn, hashOf, manifestText, pathOf, readEntry, writeEntry } =
    require('../support/cache-entries.cjs') as {
        /** Paths of all entries ('ac'), or of all blobs ('cas'). */
        filesIn(place: string, part: 'ac' | 'cas'): string[];
        hashOf(bytes: Uint8Array): string;
        manifestText(manifest: object): string;
        pathOf(place: string, part: 'ac' | 'cas', key: string): string;
        readEntry(place: string, file: string): Entry;
        writeEntry(place: string, file: string, entry: Entry): void;
    };

const scratch = scratchFolder();
let number = 0;

/** Creates a folder. */
export function folder(): string {
    const path = join(scratch(), String(number++));
    mkdirSync(path);
    return path;
}

/** Writes a model to a new folder. */
export function model(contents: string | Uint8Array = smallGltf({ clips: ['Walk'] }), name = 'small.gltf'): string {
    const path = join(folder(), name);
    writeFileSync(path, contents);
    return path;
}

export const bytesOf = ({ outputs, files }: BakeResult) => ({
    outputs: outputs.map(({ stem, skin, json, bin, worst }) => ({ stem, skin, json, bin: Buffer.from(bin), worst })),
    files: files.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })),
});

export const HIT = { hit: true, warnings: [] };
export const MISS = { hit: false, warnings: [] };

/** Changes the only entry of a cache. */
export function poison(change: (entry: Entry) => void): (place: string) => void {
    return (place) => {
        const [path] = filesIn(place, 'ac') as [string];
        const entry = readEntry(place, path);
        change(entry);
        writeEntry(place, path, entry);
    };
}

/** Bakes with a changed cache: a miss with one warning, the right bytes, and then a hit. */
export async function expectReplaced(
    input: string,
    options: BakeOptions,
    damage: (place: string) => void,
    says = /; made again$/,
): Promise<void> {
    const place = folder();
    const bake = () => bakeFile(input, options, { cache: openCache(place) });
    const first = await bake();
    damage(place);
    const second = await bake();
    const warning = { code: 'CACHE_ENTRY_INVALID', message: expect.stringMatching(says) };
    expect(second.cache).toEqual({ hit: false, warnings: [warning] });
    const third = await bake();
    expect(third.cache).toEqual(HIT);
    for (const one of [second, third]) expect(bytesOf(one)).toEqual(bytesOf(first));
}
