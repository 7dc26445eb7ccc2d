// SPDX-License-Identifier: MIT

/** A cache in a folder, as Bazel's --disk_cache lays it out: `ac/<2 digits>/<64 digits>` and the same below `cas`. */

import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileSystem } from '../../file-system';
import { isInPlace, PIECE_BYTES } from '../in-place';
import { sweepLeftovers, temporaryPath } from '../output-files';
import { makeFolder } from '../write';
import { type Part, type Store, StoreFault } from './store';

const PARTS: readonly Part[] = ['ac', 'cas'];
const KEY = /^[0-9a-f]{64}$/;

function pathOf(folder: string, part: Part, key: string): string {
    return join(folder, part, key.slice(0, 2), key);
}

/** Codes of errors that the next file meets as well. */
const LASTING = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);
/** Milliseconds that an entry counts as older than it is: longer than writing or reading its blobs takes, mostly. */
const ENTRY_EARLIER = 2000;

const setUsed = (path: string, time: number) => utimes(path, new Date(time), new Date(time));

export function openFolder(folder: string): Store {
    const fault = (cause: unknown, every: true | 'put') => {
        const { message, code = '' } = cause as NodeJS.ErrnoException;
        return new StoreFault(message, LASTING.has(code) && every, { cause });
    };
    return {
        place: folder,
        async get(part, key, limit) {
            try {
                const file = await fileSystem().open(pathOf(folder, part, key), 'r');
                try {
                    if ((await file.stat()).size > limit) return null;
                    const bytes = await file.readFile();
                    const now = new Date(Date.now() - (part === 'ac' ? ENTRY_EARLIER : 0));
                    // What is used stays longest: see pruneFolder. A folder may be mounted for reading alone.
                    await file.utimes(now, now).catch(() => {});
                    return bytes;
                } finally {
                    await file.close();
                }
            } catch (error) {
                if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
                throw fault(error, true);
            }
        },
        async use(part, key) {
            await setUsed(pathOf(folder, part, key), Date.now()).catch(() => {});
        },
        async isSame(key, path, size, signal) {
            const blob = await fileSystem()
                .open(pathOf(folder, 'cas', key), 'r')
                .catch(() => null);
            if (blob === null) return null;
            const bytes = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES));
            const isRight = async (piece: Uint8Array, at: number) => {
                const { bytesRead } = await blob.read(bytes, 0, piece.length, at);
                return Buffer.compare(bytes.subarray(0, bytesRead), piece) === 0;
            };
            try {
                if ((await blob.stat()).size !== size) return null;
                return await isInPlace(path, size, isRight, { signal });
            } finally {
                await blob.close();
            }
        },
        // Also over a blob that is there: it may be a damaged one.
        async put(part, key, bytes, signal) {
            const path = pathOf(folder, part, key);
            let temporary: string | undefined;
            try {
                await makeFolder(dirname(path));
                await sweepLeftovers(folder);
                temporary = temporaryPath(folder);
                await writeFile(temporary, bytes, { flag: 'wx', signal });
                // Written after its blobs, it is to go before them: see pruneFolder.
                if (part === 'ac') await setUsed(temporary, Date.now() - ENTRY_EARLIER);
                await rename(temporary, path);
            } catch (error) {
                if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => {});
                signal?.throwIfAborted();
                throw fault(error, 'put');
            }
        },
    };
}

/** What {@link pruneFolder} left and took. */
export interface Pruned {
    readonly kept: { readonly files: number; readonly bytes: number };
    readonly removed: { readonly files: number; readonly bytes: number };
}

/**
 * Removes what was not used for longest, until the rest has at most so many bytes. Others may read and write meanwhile. Files that
 * are none of a cache are left alone.
 *
 * @throws The file system's error, for a folder that cannot be read.
 */
export async function pruneFolder(folder: string, maxBytes: number): Promise<Pruned> {
    await readdir(folder); // so that a wrong name is an error
    await sweepLeftovers(folder);
    const found: { path: string; size: number; used: number; order: number }[] = [];
    for (const [order, part] of PARTS.entries()) {
        for (const shard of await readdir(join(folder, part)).catch(() => [])) {
            const keys = await readdir(join(folder, part, shard)).catch(() => []);
            const own = keys.filter((key) => KEY.test(key) && key.startsWith(shard));
            const files = own.map(async (key) => {
                const path = join(folder, part, shard, key);
                // Another process may have removed it meanwhile.
                const { size, mtimeMs } = (await stat(path).catch(() => null)) ?? { size: -1, mtimeMs: 0 };
                return { path, size, used: mtimeMs, order };
            });
            found.push(...(await Promise.all(files)).filter(({ size }) => size >= 0));
        }
    }
    // An entry before its blobs: what is left leads to blobs that are there.
    found.sort((a, b) => a.used - b.used || a.order - b.order);
    let bytes = found.reduce((sum, { size }) => sum + size, 0);
    const removed = { files: 0, bytes: 0 };
    for (const { path, size } of found) {
        if (bytes <= maxBytes) break;
        await rm(path, { force: true });
        bytes -= size;
        removed.files++;
        removed.bytes += size;
    }
    return { kept: { files: found.length - removed.files, bytes }, removed };
}
