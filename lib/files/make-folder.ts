// SPDX-License-Identifier: MIT

import { dirname } from 'node:path';
import { type FileSystem, fileSystem } from './file-system';

/**
 * Makes a folder and those above it. `mkdir` with `recursive` never returns where an existing folder, such as /proc, refuses a new one
 * with ENOENT.
 */
export async function makeFolder(
    folder: string,
    files: Pick<FileSystem, 'mkdir' | 'stat'> = fileSystem(),
): Promise<void> {
    const found = await files.stat(folder).catch(() => null);
    if (found?.isDirectory()) return;
    if (found === null && dirname(folder) !== folder) await makeFolder(dirname(folder), files);
    await files.mkdir(folder).catch((error) => {
        // Another process may have made it by now; a file of that name is an error.
        if (error.code !== 'EEXIST' || found !== null) throw error;
    });
}
