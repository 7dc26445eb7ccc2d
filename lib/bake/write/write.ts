// SPDX-License-Identifier: MIT

import { dirname, join, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { checkSignal, describe, lengthOf } from '../../base/arguments';
import { stateError, typeError, UsageError } from '../../base/errors';
import { type FileSystem, fileSystem } from '../../files/file-system';
import { isInPlace } from '../../files/in-place';
import { makeFolder } from '../../files/make-folder';
import { findOverlaps, sweepLeftovers, temporaryPath } from '../../files/output-files';
import { type NewFile, replaceFiles } from '../../files/replace-files';
import { filesOf } from './baked-files';
import { type BakeFile, checkBake, type Writable } from './check-bake';
import { type ContainerOptions, containerOf, namesOf } from './container';

export type { BakeFile, Writable };

/** Paths of one output's files. */
export interface WrittenBake {
    /** Path of the manifest, or of the GLB with both. `verifyBake` takes it. */
    readonly json: string;
    /** Path of the bin, or of the GLB with both. */
    readonly bin: string;
}

/** Options of {@link writeBake}. */
export interface WriteOptions extends ContainerOptions {
    /** Cancels the writing, until files are moved into place. */
    signal?: AbortSignal;
    /**
     * The file system; for tests that let it fail.
     * @internal
     */
    files?: FileSystem;
}

/** One write call takes less than 2 GiB. */
const CHUNK_BYTES = 64 * 1024 * 1024;
/** Maximum number of retries if another process writes the same files. */
const ROUNDS = 10;
/** Longest pause before a retry, milliseconds. */
const PAUSE = 50;

/**
 * Writes a bake into a folder: each manifest and its bin, or with `container: 'glb'` one file for both. All files are
 * first written under temporary names and then renamed, each bin just before its manifest. So a manifest always has its
 * bin, and an older manifest stays until the new one replaces it. Between the two renames, the new bin is next to the
 * old manifest; readers detect this by length and hash.
 * If anything fails, no file of this call is left, and an earlier bake is restored. If all files exist with the same
 * bytes, nothing is written; only their modification time changes.
 * Calls for the same folder wait for one another. If two processes write the same files, one of them wins completely.
 * Temporary files of killed processes are removed from the folder.
 *
 * @param bake Result of `bakeFile`, or only its `outputs`. With only `outputs`, files of the input can be overwritten,
 * because nothing names them.
 * @param folder Where to write. Created if it is missing.
 * @param options How manifests and bins are stored, and a signal that cancels the call.
 * @returns Paths of manifests and bins, in the order of the outputs. Other files have their own names in the folder.
 * @throws Before anything is written: TypeError `ERR_ARGUMENT_TYPE`, also for a stem or name that leads out of the
 * folder, and for two files with one name; TypeError `ERR_DETACHED_BUFFER`; RangeError `ERR_BINARY_DIFFERS` for a bin
 * whose length differs from its manifest; UsageError if a file of the bake's own input would be overwritten. Later:
 * Error `ERR_BUFFER_CHANGED` for bytes that shrank meanwhile; the file system's error; the signal's reason.
 * @example
 * const [written] = await writeBake(await bakeFile('hero.glb'), 'out');
 * console.log(written!.json, written!.bin); // out/hero.bake.json out/hero.bake.bin
 */
export async function writeBake(
    bake: Writable | Writable['outputs'],
    folder: string,
    options: WriteOptions = {},
): Promise<WrittenBake[]> {
    const container = containerOf('writeBake', options);
    const { outputs, files: others = [], inputs = [] } = checkBake('writeBake', bake, container, sep);
    if (typeof folder !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `writeBake: folder must be a path, got ${describe(folder)}`);
    }
    // Not a parameter: declarations omit the internal option.
    const { signal, files = fileSystem() } = options;
    checkSignal('writeBake', signal);
    const written = outputs.map(({ stem }) => {
        const [bin, json = bin] = namesOf(stem, container).map((name) => join(folder, name)) as [string, string?];
        return { json, bin };
    });
    const all = filesOf({ outputs, files: others }, container).map(({ name, bytes }) => ({
        path: join(folder, name),
        bytes,
    }));
    const lengths = all.map(({ bytes }) => lengthOf(bytes));
    await refuseInputs(
        all.map(({ path }) => path),
        inputs,
    );
    for (const path of new Set([folder, ...all.map(({ path }) => dirname(path))]))
        await makeFolder(resolve(path), files);
    await sweepLeftovers(folder);
    await Promise.all(all.map(({ path }) => refuseFolder(path, files)));
    if (await areThere(all, files, signal)) return written;
    for (let round = 0; round < ROUNDS; round++) {
        if (round > 0) await setTimeout(Math.random() * PAUSE);
        const placed = all.map((file, i) => ({ ...file, length: lengths[i]!, temporary: temporaryPath(folder) }));
        try {
            for (const file of placed) await writeFile(file, files, signal);
            signal?.throwIfAborted();
            if ((await inTurn(resolve(folder), () => replaceFiles(placed, files))) !== 'mixed') return written;
        } catch (error) {
            await Promise.all(placed.map(({ temporary }) => files.rm(temporary, { force: true }).catch(() => {})));
            throw error;
        }
    }
    const message = `EBUSY: another process keeps writing the same files, '${folder}'`;
    throw Object.assign(new Error(message), { code: 'EBUSY', path: folder });
}

async function refuseInputs(outputs: readonly string[], inputs: readonly string[]): Promise<void> {
    if (inputs.length === 0) return;
    const overlapOf = await findOverlaps(outputs);
    for (const input of inputs) {
        const output = await overlapOf(input);
        if (output === undefined) continue;
        throw new UsageError(`writeBake: '${output}' is a file that was baked, '${input}': write into another folder`);
    }
}

/** The last call of this thread for each folder. `replaceFiles` detects other writers. */
const last = new Map<string, Promise<unknown>>();

async function inTurn<T>(folder: string, run: () => Promise<T>): Promise<T> {
    const turn = (last.get(folder) ?? Promise.resolve()).then(run);
    const settled = turn.catch(() => {});
    last.set(folder, settled);
    try {
        return await turn;
    } finally {
        if (last.get(folder) === settled) last.delete(folder);
    }
}

/** Renaming onto a folder fails. This check fails before other files are moved into place. */
async function refuseFolder(path: string, files: FileSystem): Promise<void> {
    const found = await files.stat(path).catch(() => null);
    if (found?.isDirectory()) {
        throw Object.assign(new Error(`EISDIR: a folder is in the way, '${path}'`), { code: 'EISDIR', path });
    }
}

async function areThere(
    all: readonly { readonly path: string; readonly bytes: Uint8Array }[],
    files: FileSystem,
    signal: AbortSignal | undefined,
): Promise<boolean> {
    for (const { path, bytes } of all) {
        const isRight = (piece: Uint8Array, at: number) =>
            Buffer.compare(piece, bytes.subarray(at, at + piece.length)) === 0;
        if (!(await isInPlace(path, bytes.length, isRight, { signal, files }))) return false;
    }
    return true;
}

/** Writes a file under its temporary name. Errors mention its final name. */
async function writeFile(
    { path, temporary, bytes, length }: NewFile & { readonly length: number },
    files: FileSystem,
    signal: AbortSignal | undefined,
): Promise<void> {
    const named = (error: NodeJS.ErrnoException): never => {
        const { message, code } = error;
        // Errors of an open file do not name it.
        const place = message.includes(temporary) ? message.replaceAll(temporary, path) : `${message} '${path}'`;
        throw Object.assign(new Error(place, { cause: error }), { code, path });
    };
    const open = () => files.open(temporary, 'wx');
    const file = await open()
        .catch(async (error) => {
            if (error.code !== 'ENOENT') throw error;
            // Another process may have created the folder and, because it was empty, removed it.
            await makeFolder(dirname(resolve(temporary)), files);
            return open();
        })
        .catch(named);
    try {
        for (let at = 0; at < length; ) {
            signal?.throwIfAborted();
            if (lengthOf(bytes) < length) {
                const what = `the bytes of '${path}' shrank from ${length} to ${lengthOf(bytes)} while they were written`;
                throw stateError('ERR_BUFFER_CHANGED', `writeBake: ${what}`);
            }
            const { bytesWritten } = await file.write(bytes, at, Math.min(CHUNK_BYTES, length - at)).catch(named);
            at += bytesWritten;
        }
    } finally {
        await file.close().catch(named);
    }
}
