// SPDX-License-Identifier: MIT

import { dirname } from 'node:path';
import { type FileSystem, fileSystem } from './file-system';

/**
 * Creates a folder and its parents. `mkdir` with `recursive` never returns if an existing folder, such as /proc,
 * rejects a new one with ENOENT.
 */
export async function makeFolder(
    folder: string,
    files: Pick<FileSystem, 'mkdir' | 'stat'> = fileSystem(),
): Promise<void> {
    const found = await files.stat(folder).catch(() => null);
    if (found?.isDirectory()) return;
    if (found === null && dirname(folder) !== folder) await makeFolder(dirname(folder), files);
    await files.mkdir(folder).catch((error) => {
        // Another process may have created it. A file of that name is an error.
        if (error.code !== 'EEXIST' || found !== null) throw error;
    });
}
