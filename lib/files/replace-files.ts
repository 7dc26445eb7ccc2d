// SPDX-License-Identifier: MIT

import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import type { FileSystem } from './file-system';
import { temporaryPath } from './output-files';

/** A complete file under a temporary name. */
export interface NewFile {
    readonly path: string;
    readonly temporary: string;
    readonly bytes: Uint8Array;
}

/** Whose files are there at the end. Another process may write the same ones. */
export type Outcome = 'ours' | 'theirs' | 'mixed';

/**
 * Moves files into place, in order, each by a rename. So a path that has a file has one at every moment. If anything
 * fails, the earlier files are restored.
 *
 * @returns `theirs` if another process has replaced all of them since, `mixed` if it has replaced some. Every process
 * checks after its last rename, so the last one to rename detects a lasting mixture.
 */
export async function replaceFiles(outputs: readonly NewFile[], files: FileSystem): Promise<Outcome> {
    const stats = await Promise.all(outputs.map(({ temporary }) => files.stat(temporary, { bigint: true })));
    const written = new Map(outputs.map((output, i) => [output, stats[i]!]));
    const isOurs = (output: NewFile) => isFile(output, written.get(output)!, files);
    const kept = new Map<NewFile, string | null>();
    try {
        // Before the renames, so that bin and manifest follow each other closely.
        for (const output of outputs) kept.set(output, await keep(output.path, files));
        for (const output of outputs) await put(output, files);
    } catch (error) {
        // A second error must not hide the first one.
        for (const [output, old] of [...kept].reverse()) {
            if (!(await isOurs(output))) continue;
            await (old === null ? files.rm(output.path, { force: true }) : files.rename(old, output.path)).catch(
                () => {},
            );
        }
        throw error;
    } finally {
        const left = [...kept.values()].filter((old) => old !== null);
        await Promise.all(left.map((old) => files.rm(old, { force: true }).catch(() => {})));
    }
    let own = 0;
    for (const output of outputs) if (await isOurs(output)) own++;
    return own === outputs.length ? 'ours' : own === 0 ? 'theirs' : 'mixed';
}

/** Windows cannot rename over a file that a program has open (EPERM or EBUSY), but can mostly rename that file. */
async function put({ path, temporary }: NewFile, files: FileSystem): Promise<void> {
    const aside = temporaryPath(dirname(path));
    try {
        await files.rename(temporary, path);
    } catch (error) {
        if (!['EPERM', 'EBUSY'].includes((error as NodeJS.ErrnoException).code!)) throw error;
        await files.rename(path, aside).catch(() => {
            throw error;
        });
        await files.rename(temporary, path).finally(() => files.rm(aside, { force: true }).catch(() => {}));
    }
}

/**
 * Gives the file at `path` a second name: a hard link, or a copy on file systems without links. If there is no space
 * for a copy, the file loses its first name.
 *
 * @returns The name; null if there is no file.
 */
async function keep(path: string, files: FileSystem): Promise<string | null> {
    const old = temporaryPath(dirname(path));
    let failure: unknown;
    for (const way of [files.link, files.copyFile, files.rename]) {
        try {
            await way(path, old);
            return old;
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
            failure = error;
        }
    }
    throw failure;
}

/**
 * Whether the file at the path is the one that was `written`: by inode and time, or otherwise by its bytes, because not
 * every file system keeps these. A missing file counts as ours: nobody has replaced it.
 */
async function isFile({ path, bytes }: NewFile, written: BigIntStats, files: FileSystem): Promise<boolean> {
    const found = await files.stat(path, { bigint: true }).catch(() => null);
    if (found === null) return true;
    const { dev, ino, mtimeNs, size } = written;
    if (found.size !== size) return false;
    if (found.dev === dev && found.ino === ino && found.mtimeNs === mtimeNs) return true;
    const content = await files.readFile(path).catch(() => null);
    return content === null || Buffer.compare(content, bytes) === 0;
}
