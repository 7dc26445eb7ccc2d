// SPDX-License-Identifier: MIT

/**
 * A cache in a folder, in the layout of Bazel's --disk_cache: `ac/<2 digits>/<64 digits>`, and the same below `cas`.
 */

import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileSystem } from '../files/file-system';
import { PIECE_BYTES } from '../files/in-place';
import { makeFolder } from '../files/make-folder';
import { sweepLeftovers, temporaryPath } from '../files/output-files';
import { faulty, type Part, type Store, StoreFault } from './store';

const PARTS: readonly Part[] = ['ac', 'cas'];
const SHARD = /^[0-9a-f]{2}$/;
const KEY = /^[0-9a-f]{64}$/;

/** The folders below the cache's own that contain a key, and its file. */
function pathsOf(folder: string, part: Part, key: string): { folders: readonly string[]; path: string } {
    const shard = key.slice(0, 2);
    return { folders: [join(folder, part), join(folder, part, shard)], path: join(folder, part, shard, key) };
}

/** Error codes that would repeat for every file. */
const LASTING = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);
/** Milliseconds by which an entry is dated back: mostly longer than writing or reading its blobs takes. */
const ENTRY_EARLIER = 2000;

const setUsed = (path: string, time: number) => utimes(path, new Date(time), new Date(time));

export function openFolder(folder: string): Store {
    const fault = (cause: unknown, every: true | 'put') => {
        if (cause instanceof StoreFault) return cause;
        const { message, code = '' } = cause as NodeJS.ErrnoException;
        return new StoreFault(message, { every: LASTING.has(code) && every, cause });
    };
    return {
        place: folder,
        async get(part, key, limit, signal) {
            try {
                const file = await openRegular(folder, part, key);
                try {
                    const { size } = await file.stat({ bigint: true });
                    if (size > BigInt(limit)) throw faulty(`it has ${size} bytes in place of at most ${limit}`);
                    const bytes = await readSized(file, Number(size), signal);
                    const now = new Date(Date.now() - (part === 'ac' ? ENTRY_EARLIER : 0));
                    // Recently used files stay longest: see pruneFolder. The folder may be read-only.
                    await file.utimes(now, now).catch(() => {});
                    return bytes;
                } finally {
                    await file.close();
                }
            } catch (error) {
                signal?.throwIfAborted();
                if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
                throw fault(error, true);
            }
        },
        async use(part, key) {
            try {
                const file = await openRegular(folder, part, key);
                const now = new Date();
                await file.utimes(now, now).finally(() => file.close());
            } catch {
                // It then counts as older.
            }
        },
        // Also replaces an existing blob, which can be damaged.
        async put(part, key, bytes, signal) {
            const { folders, path } = pathsOf(folder, part, key);
            let temporary: string | undefined;
            try {
                await makeFolder(folder);
                for (const one of folders) {
                    await mkdir(one).catch((error) => {
                        if (error.code !== 'EEXIST') throw error;
                    });
                    await refuseOther(one);
                }
                await sweepLeftovers(folder);
                temporary = temporaryPath(folder);
                await writeFile(temporary, bytes, { flag: 'wx', signal });
                // It was written after its blobs, but must be removed before them: see pruneFolder.
                if (part === 'ac') await setUsed(temporary, Date.now() - ENTRY_EARLIER);
                await replace(temporary, path);
            } catch (error) {
                if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => {});
                signal?.throwIfAborted();
                throw fault(error, 'put');
            }
        },
    };
}

/** @throws StoreFault unless the path is a folder. A link could lead out of the cache. */
async function refuseOther(path: string): Promise<void> {
    const found = await fileSystem().lstat(path);
    if (!found.isDirectory()) throw new StoreFault(`'${path}' is a link or a file in place of a folder; remove it`);
}

/**
 * Opens a file of the cache for reading. Links are not followed. Pipes and devices are rejected, because they may never
 * end.
 *
 * @throws StoreFault; the file system's error.
 */
async function openRegular(folder: string, part: Part, key: string): Promise<FileHandle> {
    const { folders, path } = pathsOf(folder, part, key);
    const { lstat, open } = fileSystem();
    for (const one of folders) await refuseOther(one);
    const irregular = () => faulty(`'${path}' is not a regular file`);
    if (!(await lstat(path)).isFile()) throw irregular();
    // The flags protect against a replacement after the check. Windows has neither.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if ((await file.stat({ bigint: true })).isFile()) return file;
    await file.close();
    throw irregular();
}

/** Reads at most `size` bytes, even if the file grows. */
async function readSized(file: FileHandle, size: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(size);
    for (let at = 0; at < size; ) {
        signal?.throwIfAborted();
        const { bytesRead } = await file.read(bytes, at, Math.min(size - at, 16 * PIECE_BYTES), at);
        if (bytesRead === 0) return bytes.subarray(0, at);
        at += bytesRead;
    }
    return bytes;
}

/** Renames a file to a path. Replaces links and pipes there; removes a folder there. */
async function replace(temporary: string, path: string): Promise<void> {
    await rename(temporary, path).catch(async (error) => {
        if (!(await lstat(path).catch(() => null))?.isDirectory()) throw error;
        await rm(path, { recursive: true, force: true }); // removes a link, not its target
        await rename(temporary, path);
    });
}

/** Result of {@link pruneFolder}. */
export interface Pruned {
    readonly kept: { readonly files: number; readonly bytes: number };
    readonly removed: { readonly files: number; readonly bytes: number };
}

/**
 * Removes the entries that were unused longest, until the rest is within the byte limit. Others may read and write at
 * the same time. Only regular files with names of a cache are considered, in folders that are not links. Everything
 * else is left alone.
 *
 * @throws The file system's error, for a folder that cannot be read.
 */
export async function pruneFolder(folder: string, maxBytes: number): Promise<Pruned> {
    await readdir(folder); // makes a wrong name an error
    await sweepLeftovers(folder);
    const found: { path: string; size: number; used: number; order: number }[] = [];
    for (const [order, part] of PARTS.entries()) {
        for (const shard of await namesIn(join(folder, part), SHARD)) {
            const names = await namesIn(join(folder, part, shard), KEY);
            const own = names.filter((key) => key.startsWith(shard));
            const files = own.map(async (key) => {
                const path = join(folder, part, shard, key);
                // Another process may have removed it.
                const stats = await lstat(path).catch(() => null);
                return stats?.isFile() ? { path, size: stats.size, used: stats.mtimeMs, order } : [];
            });
            found.push(...(await Promise.all(files)).flat());
        }
    }
    // An entry before its blobs, so that the remaining entries still have theirs.
    found.sort((a, b) => a.used - b.used || a.order - b.order);
    let bytes = found.reduce((sum, { size }) => sum + size, 0);
    const removed = { files: 0, bytes: 0 };
    for (const { path, size } of found) {
        if (bytes <= maxBytes) break;
        await unlink(path).catch((error) => {
            if (error.code !== 'ENOENT') throw error;
        });
        bytes -= size;
        removed.files++;
        removed.bytes += size;
    }
    return { kept: { files: found.length - removed.files, bytes }, removed };
}

/** The matching names in a folder. Empty if it is missing, or a link. */
async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
    if (!(await lstat(folder).catch(() => null))?.isDirectory()) return [];
    return (await readdir(folder).catch(() => [])).filter((name) => pattern.test(name));
}
