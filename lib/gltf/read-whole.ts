// SPDX-License-Identifier: MIT

import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { RefusedFile } from './refused-file';

/**
 * Reads all of a file, as `readWith` does.
 *
 * @throws RefusedFile, or the file system's error: `EISDIR` for a folder.
 */
export function readWhole(path: string): Promise<Uint8Array> {
    return readWith(path, (file) => file.readFile());
}

/**
 * Opens a file to read from it. A pipe or a device is refused, because it may never end; so it is opened in a way that does not
 * wait for a writer.
 *
 * @param read Gets the file, which is closed afterwards, and its stat.
 * @returns The result of `read`.
 * @throws RefusedFile, or the file system's error: `EISDIR` for a folder.
 */
export async function readWith<T>(
    path: string,
    read: (file: FileHandle, found: BigIntStats) => T | Promise<T>,
): Promise<T> {
    // Windows has no such flag, and pipes not among its files.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
        const found = await file.stat({ bigint: true });
        if (found.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
        if (!found.isFile()) throw new RefusedFile('it is a pipe or a device, not a file');
        return await read(file, found);
    } finally {
        await file.close();
    }
}
