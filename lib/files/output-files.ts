// SPDX-License-Identifier: MIT

/** Names and identities of output files, including temporary ones. */

import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileSystem } from './file-system';

/** The real path. For a file that does not exist yet, the one that it will have. */
export async function realPlace(path: string): Promise<string> {
    const full = resolve(path);
    const folder = dirname(full);
    return fileSystem()
        .realpath(path)
        .catch(async () => (folder === full ? full : join(await realPlace(folder), basename(full))));
}

/**
 * A key that is the same for all names of a file: links, and letters in another case. For a file that does not exist,
 * its future path.
 */
async function identityOf(path: string): Promise<string> {
    const found = await fileSystem()
        .stat(path, { bigint: true })
        .catch(() => null);
    // Includes size and time, because not every file system has unique inode numbers.
    return found === null ? realPlace(path) : `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}`;
}

/** Returns a function that finds the output that is the same file as a path. */
export async function findOverlaps(outputs: Iterable<string>): Promise<(path: string) => Promise<string | undefined>> {
    const pairs = Array.from(outputs, async (output) => [await identityOf(output), output] as const);
    const byIdentity = new Map(await Promise.all(pairs));
    return async (path) => byIdentity.get(await identityOf(path));
}

/**
 * Temporary files are named `.poselane-<place>-<pid>-<random>.tmp`. The length does not depend on the output's own
 * name, which may have the maximum length. Place and pid tell leftovers of killed processes from files of living ones.
 */
const NAME = /^\.poselane-([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.tmp$/;
/** Age at which a file of another machine or container counts as a leftover, milliseconds. */
const ABANDONED = 24 * 60 * 60 * 1000;

/** Minimum time between two sweeps of a folder, milliseconds. */
const SWEEP_AGAIN = 10 * 60 * 1000;

let place: string | undefined;

/** A pid identifies a process on this machine and, on Linux, in this pid namespace. Each container has its own. */
function pidPlace(): string {
    if (place !== undefined) return place;
    let namespace = '';
    try {
        namespace = readlinkSync('/proc/self/ns/pid');
    } catch {
        // Not Linux.
    }
    place = createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8);
    return place;
}

export function temporaryPath(folder: string): string {
    return join(folder, `.poselane-${pidPlace()}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
}

const swept = new Map<string, number>();

/** Removes temporary files of killed processes from a folder, at most once in {@link SWEEP_AGAIN}. Never fails. */
export async function sweepLeftovers(folder: string): Promise<void> {
    const path = resolve(folder);
    const now = Date.now();
    for (const [other, then] of swept) {
        if (now - then < SWEEP_AGAIN) break;
        swept.delete(other);
    }
    if (swept.has(path)) return;
    swept.set(path, now);
    for (const name of await readdir(path).catch(() => [])) {
        const [, of, pid] = NAME.exec(name) ?? [];
        if (pid === undefined) continue;
        const file = join(path, name);
        if ((of === pidPlace() && !isRunning(Number(pid))) || (await isAbandoned(file))) {
            await rm(file, { force: true }).catch(() => {});
        }
    }
}

function isRunning(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code !== 'ESRCH';
    }
}

/** By ctime, which a new link changes, unlike mtime. */
async function isAbandoned(path: string): Promise<boolean> {
    const found = await stat(path).catch(() => null);
    return found !== null && Date.now() - found.ctimeMs > ABANDONED;
}
