// SPDX-License-Identifier: MIT

import { randomBytes } from 'node:crypto';
import * as nodeFiles from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkSignal } from '../checks/hooks';
import { describe, isUint8Array } from '../checks/views';
import { typeError } from '../errors';
import type { BakeOutput } from './skin';

/** Paths of one output's files. */
export interface WrittenBake {
    /** Path of the manifest. */
    readonly json: string;
    /** Path of the bin. */
    readonly bin: string;
}

/** Options of {@link writeBake}. */
export interface WriteOptions {
    /** Ends the writing, until the files are being put in place. */
    signal?: AbortSignal;
    /**
     * The file system; for tests that let it fail.
     * @internal
     */
    files?: Pick<typeof nodeFiles, 'mkdir' | 'open' | 'rename' | 'rm' | 'stat'>;
}

/** A file besides the pairs of manifest and bin. */
export interface BakeFile {
    /** Without a folder. */
    readonly name: string;
    /** All of it. */
    readonly bytes: Uint8Array;
}

/** What is written: of a `BakeResult`. */
export interface Writable {
    /** Pairs of manifest and bin. */
    readonly outputs: readonly Pick<BakeOutput, 'stem' | 'json' | 'bin'>[];
    /** Default: none. */
    readonly files?: readonly BakeFile[];
}

/** A write takes less than 2 GiB at once. */
const CHUNK_BYTES = 64 * 1024 * 1024;

/**
 * Writes a bake into a folder, which is created where it is missing. All files are first written under temporary
 * names and then renamed, the manifests last, so that whoever finds a manifest finds what it describes.
 * An earlier bake is moved aside meanwhile. Where anything fails, no file of this call is left, and that bake is back.
 *
 * @param bake What `bakeFile` gave, or its `outputs` alone.
 * @param folder Where to; created where it is missing.
 * @param options A signal that ends it.
 * @returns The paths of manifests and bins, in the order of the outputs. Other files are in the folder under their names.
 * @throws TypeError `ERR_ARGUMENT_TYPE`, the file system's error, or the signal's reason.
 */
export async function writeBake(
    bake: Writable | Writable['outputs'],
    folder: string,
    options: WriteOptions = {},
): Promise<WrittenBake[]> {
    const { outputs, files: others = [] } = checkBake(bake);
    if (typeof folder !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `writeBake: folder must be a path, got ${describe(folder)}`);
    }
    if (typeof options !== 'object' || options === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `writeBake: options must be an object, got ${describe(options)}`);
    }
    // Not in the head of the function: the declarations do not have the internal one.
    const { signal, files = nodeFiles } = options;
    checkSignal('writeBake', signal);
    const token = randomBytes(6).toString('hex');
    const placed = (name: string) => ({
        path: join(folder, name),
        temporary: join(folder, `.${name}.${token}.tmp`),
        old: join(folder, `.${name}.${token}.old`),
    });
    const bins = outputs.map(({ stem, bin }) => ({ ...placed(`${stem}.bake.bin`), bytes: bin }));
    const described = [...bins, ...others.map(({ name, bytes }) => ({ ...placed(name), bytes }))];
    const manifests = outputs.map(({ stem, json }) => ({ ...placed(`${stem}.bake.json`), bytes: Buffer.from(json) }));
    const left: string[] = [];
    const aside: { path: string; old: string }[] = [];
    try {
        await makeFolder(resolve(folder), files);
        for (const { path, temporary, bytes } of [...described, ...manifests]) {
            await refuseFolder(path, files);
            left.push(temporary);
            await writeBytes(temporary, bytes, files, signal).catch((error) => {
                throw withPath(error, path);
            });
        }
        signal?.throwIfAborted();
        for (const { path, old } of [...manifests, ...described]) {
            if (await moveAside(path, old, files)) aside.push({ path, old });
        }
        for (const { path, temporary } of [...described, ...manifests]) {
            await files.rename(temporary, path);
            left.push(path);
        }
    } catch (error) {
        // What cannot be undone either must not hide the first error.
        for (const path of left) await files.rm(path, { force: true }).catch(() => {});
        for (const { path, old } of aside.reverse()) await files.rename(old, path).catch(() => {});
        throw error;
    }
    for (const { old } of aside) await files.rm(old, { force: true });
    return outputs.map((_, i) => ({ json: manifests[i]!.path, bin: bins[i]!.path }));
}

/** Before a file is touched. */
function checkBake(bake: Writable | Writable['outputs']): Writable {
    const refuse = (what: string): never => {
        throw typeError('ERR_ARGUMENT_TYPE', `writeBake: bake must be what bakeFile gives, got ${what}`);
    };
    if (typeof bake !== 'object' || bake === null) return refuse(describe(bake));
    const { outputs, files = [] }: Writable = isList(bake) ? { outputs: bake } : bake;
    if (!Array.isArray(outputs) || !Array.isArray(files)) return refuse(describe(bake));
    for (const [i, output] of outputs.entries()) {
        if (isText(output?.stem) && isText(output.json) && isUint8Array(output.bin)) continue;
        refuse(`outputs[${i}] without stem, json or bin`);
    }
    for (const [i, file] of files.entries()) {
        if (!isText(file?.name) || !isUint8Array(file.bytes)) refuse(`files[${i}] without name or bytes`);
    }
    return { outputs, files };
}

function isText(value: unknown): boolean {
    return typeof value === 'string';
}

/** `Array.isArray` does not tell read-only lists apart. */
function isList(bake: Writable | Writable['outputs']): bake is Writable['outputs'] {
    return Array.isArray(bake);
}

/**
 * The folder and those above it. Not by `mkdir`'s `recursive`, which never returns where a folder that exists refuses
 * a new one with ENOENT, as /proc does.
 */
export async function makeFolder(
    folder: string,
    files: Pick<typeof nodeFiles, 'mkdir' | 'stat'> = nodeFiles,
): Promise<void> {
    const found = await files.stat(folder).catch(() => null);
    if (found?.isDirectory()) return;
    if (found === null && dirname(folder) !== folder) await makeFolder(dirname(folder), files);
    await files.mkdir(folder).catch((error) => {
        // Somebody else may have made it meanwhile; a file of that name is not that.
        if (error.code !== 'EEXIST' || found !== null) throw error;
    });
}

/** Whether there was a file to move. */
async function moveAside(path: string, old: string, files: NonNullable<WriteOptions['files']>): Promise<boolean> {
    try {
        await files.rename(path, old);
        return true;
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
    }
}

/** Renaming onto a folder fails; better before the other files are in place. */
async function refuseFolder(path: string, files: NonNullable<WriteOptions['files']>): Promise<void> {
    const found = await files.stat(path).catch(() => null);
    if (found?.isDirectory()) {
        throw Object.assign(new Error(`EISDIR: a folder is in the way, '${path}'`), { code: 'EISDIR', path });
    }
}

/** What fails once a file is open, a full disk for one, does not say of itself which file it was. */
function withPath(error: unknown, path: string): unknown {
    if (!(error instanceof Error)) return error;
    const { code, path: known } = error as NodeJS.ErrnoException;
    if (code === undefined || known !== undefined) return error;
    return Object.assign(new Error(`${error.message} '${path}'`, { cause: error }), { code, path });
}

async function writeBytes(
    path: string,
    bytes: Uint8Array,
    files: NonNullable<WriteOptions['files']>,
    signal: AbortSignal | undefined,
): Promise<void> {
    const file = await files.open(path, 'wx').catch(async (error) => {
        if (error.code !== 'ENOENT') throw error;
        // Whoever made the folder, and had nothing to put into it, may have taken it away again meanwhile.
        await makeFolder(dirname(resolve(path)), files);
        return files.open(path, 'wx');
    });
    try {
        let at = 0;
        while (at < bytes.byteLength) {
            signal?.throwIfAborted();
            const { bytesWritten } = await file.write(bytes, at, Math.min(CHUNK_BYTES, bytes.byteLength - at));
            at += bytesWritten;
        }
    } finally {
        await file.close();
    }
}
