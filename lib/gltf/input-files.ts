// SPDX-License-Identifier: MIT

import { whyUnreadable } from '../messages';
import { besideReader } from './beside';
import type { Resolve } from './buffers';
import { GLB_MAGIC } from './container';
import { readWhole, readWith } from './read-whole';
import { referencesOf } from './references';
import { RefusedFile } from './refused-file';
import { createReport, fail } from './report';

/** Of the GLB, and of its first chunk: glTF 2.0, 4.4. */
const HEADER_BYTES = 20;

/** A glTF file, and those that it refers to. */
export interface InputFiles {
    /** As the caller named it. */
    readonly file: string;
    /**
     * All bytes of the file.
     *
     * @throws InputError `FILE_UNREADABLE`.
     */
    load(): Promise<Uint8Array>;
    /** All bytes of another one. */
    readonly resolve: Resolve;
}

/** Reads the files each time they are asked for. */
export function openInput(file: string): InputFiles {
    const load = () =>
        readWhole(file).catch((cause: unknown) => {
            const why = cause instanceof RefusedFile ? cause.message : whyUnreadable(cause);
            return fail(createReport(file), 'FILE_UNREADABLE', '', `cannot read the file: ${why}`, cause);
        });
    return { file, load, resolve: besideReader(file) };
}

/** Reads each of the files once, and keeps its bytes. */
export function keepInput(file: string): InputFiles {
    const { load, resolve } = openInput(file);
    let whole: Promise<Uint8Array> | undefined;
    const beside = new Map<string, Promise<Uint8Array>>();
    return {
        file,
        load() {
            whole ??= load();
            return whole;
        },
        resolve(path) {
            const bytes = beside.get(path) ?? resolve(path);
            beside.set(path, bytes);
            return bytes;
        },
    };
}

/** The files that a glTF refers to, as `referencesOf` has them. Reads the JSON alone; a file without any refers to none. */
export async function readReferences(file: string): Promise<string[]> {
    try {
        const bytes = await readWith(file, async (handle, { size }) => {
            const header = Buffer.alloc(HEADER_BYTES);
            await handle.read(header, 0, HEADER_BYTES, 0);
            if (header.readUInt32LE(0) !== GLB_MAGIC) return handle.readFile();
            const json = Buffer.alloc(Math.min(header.readUInt32LE(12), Number(size) - HEADER_BYTES));
            await handle.read(json, 0, json.length, HEADER_BYTES);
            return json;
        });
        return referencesOf(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
        return [];
    }
}
