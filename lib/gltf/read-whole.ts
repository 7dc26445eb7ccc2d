// SPDX-License-Identifier: MIT

import { type BigIntStats, constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { RefusedFile } from './refused-file';

/**
 * Reads all of a file. A pipe or a device is refused, because it may never end; so it is opened in a way that does not wait
 * for whoever would write to it.
 *
 * @param known What is given instead of reading it, once it is known what the file is.
 * @throws RefusedFile, or the file system's error: `EISDIR` for a folder.
 */
export async function readWhole(
    path: string,
    known: (found: BigIntStats) => Uint8Array | undefined = () => undefined,
): Promise<Uint8Array> {
    // Windows has no such flag, and pipes not among its files.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
        const found = await file.stat({ bigint: true });
        if (found.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
        if (!found.isFile()) throw new RefusedFile('it is a pipe or a device, not a file');
        return known(found) ?? (await file.readFile());
    } finally {
        await file.close();
    }
}
