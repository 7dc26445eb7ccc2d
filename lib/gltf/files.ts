// SPDX-License-Identifier: MIT

/** Files on disk: an input, and the files it refers to. */

import { type BigIntStats, constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { GLB_MAGIC } from '../base/glb';
import { whyUnreadable } from '../base/messages';
import type { ConvertOptions } from '../convert';
import { fileSystem } from '../files/file-system';
import type { Resolve } from './buffers';
import { withoutNuls } from './container';
import { asGltf } from './converted';
import type { InputFiles } from './input';
import { createReport, fail } from './reading';
import { acceptedFile, RefusedFile, referencesOf } from './references';

/**
 * Opens a file for reading. Pipes and devices are rejected, because they may never end. The open call does not wait for
 * a writer.
 *
 * @param read Gets the open file and its stat. The file is closed afterwards.
 * @returns The result of `read`.
 * @throws RefusedFile, or the file system's error: `EISDIR` for a folder.
 */
async function readWith<T>(path: string, read: (file: FileHandle, found: BigIntStats) => T | Promise<T>): Promise<T> {
    // Windows does not have this flag, and its pipes are not in the file system.
    const file = await fileSystem().open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
        const found = await file.stat({ bigint: true });
        if (found.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
        if (!found.isFile()) throw new RefusedFile('it is a pipe or a device, not a file');
        return await read(file, found);
    } finally {
        await file.close();
    }
}

/**
 * Reads the files that a glTF refers to, from the glTF's folder: the folder of its name or, if the glTF is a symbolic
 * link, that of its target. Links may lead anywhere within these folders, but not outside. Otherwise an unpacked
 * archive could bring a link to a file that only its victim can read, and the bake would contain it. Devices and pipes
 * are rejected, because they may never end. A large file with several names by links is read once.
 *
 * @returns A function that throws RefusedFile, or the file system's error.
 */
export function besideReader(file: string, signal?: AbortSignal): Resolve {
    const read = new Map<string, Uint8Array>();
    return async (relative) => {
        const { realpath } = fileSystem();
        const target = await realpath(path.join(path.dirname(file), relative));
        const folders = [await realpath(path.dirname(file)), path.dirname(await realpath(file))];
        if (!folders.some((folder) => isWithin(folder, target))) {
            throw new RefusedFile("a symbolic link leads out of the input's folder (2.8)");
        }
        return readWith(target, async (opened, found) => {
            const name = nameOf(target, found);
            const bytes = read.get(name) ?? acceptedFile(await opened.readFile({ signal }));
            read.set(name, bytes);
            return bytes;
        });
    };
}

/** A key for all names of a file. Only files with several names use the inode, which need not be unique. */
function nameOf(target: string, { nlink, dev, ino }: BigIntStats): string {
    return nlink > 1n && ino !== 0n ? `${dev} ${ino}` : target;
}

/** Whether a path is below a folder. Both must be real paths, without links. */
export function isWithin(folder: string, target: string): boolean {
    const below = path.relative(folder, target);
    return below !== '' && below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}

/** Bytes of the headers of a GLB and of its first chunk (glTF 2.0, 4.4). */
const HEADER_BYTES = 20;

/** Reads the files again at each call, FBX and BVH as GLB. Throws the reason of the signal. */
export function openInput(file: string, signal?: AbortSignal, options?: ConvertOptions): InputFiles {
    const load = (): Promise<Uint8Array> =>
        readWith(file, (opened) => opened.readFile({ signal })).catch((cause: unknown) => {
            signal?.throwIfAborted();
            const why = cause instanceof RefusedFile ? cause.message : whyUnreadable(cause);
            return fail(createReport(file), 'FILE_UNREADABLE', '', `cannot read the file: ${why}`, cause);
        });
    return asGltf({ file, load, resolve: besideReader(file, signal) }, { ...options, signal });
}

/** The files that a glTF refers to, as in `referencesOf`. Reads only the JSON. An invalid file refers to none. */
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
        return referencesOf(JSON.parse(new TextDecoder().decode(withoutNuls(bytes))));
    } catch {
        return [];
    }
}
