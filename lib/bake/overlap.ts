// SPDX-License-Identifier: MIT

import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The real path; of what is not there yet, the one that it will have. */
export async function realPlace(path: string): Promise<string> {
    const full = resolve(path);
    const folder = dirname(full);
    return realpath(path).catch(async () => (folder === full ? full : join(await realPlace(folder), basename(full))));
}

/** The same for all names of a file: links, and letters in another case. Of a file that does not exist, where it will be. */
async function identityOf(path: string): Promise<string> {
    const found = await stat(path, { bigint: true }).catch(() => null);
    // Size and time as well, because not every file system has numbers that are unique.
    return found === null ? realPlace(path) : `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}`;
}

/** Gives a function that finds the output, if there is one, that is the same file as a path. */
export async function findOverlaps(outputs: Iterable<string>): Promise<(path: string) => Promise<string | undefined>> {
    const pairs = Array.from(outputs, async (output) => [await identityOf(output), output] as const);
    const byIdentity = new Map(await Promise.all(pairs));
    return async (path) => byIdentity.get(await identityOf(path));
}
