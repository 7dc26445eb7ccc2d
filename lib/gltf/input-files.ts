// SPDX-License-Identifier: MIT

import { besideReader } from './beside';
import type { Resolve } from './buffers';
import { readWhole, readWith } from './read-whole';
import { referencesOf } from './references';
import { RefusedFile } from './refused-file';
import { createReport, fail } from './report';

const GLB_MAGIC = 0x46546c67;
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

/** As they are on the disk each time. */
export function openInput(file: string): InputFiles {
    const load = () =>
        readWhole(file).catch((cause: NodeJS.ErrnoException) => {
            const { code = 'unknown error' } = cause;
            const why =
                cause instanceof RefusedFile ? cause.message : code === 'EISDIR' ? `${code}: it is a folder` : code;
            return fail(createReport(file), 'FILE_UNREADABLE', '', `cannot read the file: ${why}`, cause);
        });
    return { file, load, resolve: besideReader(file) };
}

/** As they were when they were asked for first: each is read once, and kept. */
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

/** What a file refers to, as `referencesOf` has it. Nothing but the JSON is read; none where there is none. */
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
