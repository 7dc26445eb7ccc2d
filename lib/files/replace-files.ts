// SPDX-License-Identifier: MIT

import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import type { FileSystem } from './file-system';
import { temporaryPath } from './output-files';

/** A file that is complete under a temporary name. */
export interface NewFile {
    readonly path: string;
    readonly temporary: string;
    readonly bytes: Uint8Array;
}

/** Whose files are in place in the end: another process may write the same ones. */
export type Outcome = 'ours' | 'theirs' | 'mixed';

/**
 * Puts files in place, in their order, each by a rename: a path that has a file has one at every moment. Where anything fails,
 * the earlier files are back.
 *
 * @returns `theirs` where another process has replaced all of them since, `mixed` where it has replaced some. Every process
 * looks after its last rename, so the one that renames last of all sees a mixture that would stay.
 */
export async function replaceFiles(outputs: readonly NewFile[], files: FileSystem): Promise<Outcome> {
    const stats = await Promise.all(outputs.map(({ temporary }) => files.stat(temporary, { bigint: true })));
    const written = new Map(outputs.map((output, i) => [output, stats[i]!]));
    const isOurs = (output: NewFile) => isFile(output, written.get(output)!, files);
    const kept = new Map<NewFile, string | null>();
    try {
        // Beforehand, so that a bin and its manifest follow one another closely.
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

/** Windows renames nothing over a file that a program has open (EPERM or EBUSY), but mostly lets that file be renamed. */
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
 * Gives the file at `path` a second name: a hard link, or a copy where the file system has no links. Where there is no room for
 * a copy, the file loses its first name.
 *
 * @returns The name; null where there is no file.
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
 * Whether the file at the path is the one that was `written`: by number and time, or else, because not every file system keeps
 * these, by its bytes. A file that was taken away counts: nobody has replaced it.
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
