// SPDX-License-Identifier: MIT

import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { UsageError } from '../base/errors';
import { makeFolder } from '../files/make-folder';
import { findOverlaps, realPlace, sweepLeftovers, temporaryPath } from '../files/output-files';
import { refuseUrl } from './inputs';

const OUTPUT = /\.(bake\.(glb|json|bin)|baked\.glb|baked\.vat)$/i;

/**
 * Checks an output file before any work.
 *
 * @param option The option that names it.
 * @param out Output folder of a bake, which is created if missing; or null.
 * @throws UsageError if the file would replace a bake or a folder, or its folder is missing.
 */
export async function refuseFile(option: string, path: string, out: string | null): Promise<void> {
    if (path === '') throw new UsageError(`${option}: the name of the file is empty`);
    if (path === '-') throw new UsageError(`${option}: standard output has the results: name a file ('./-')`);
    refuseUrl(option, path);
    const file = await realPlace(path);
    const folder = dirname(file);
    const made = out === null ? '' : await realPlace(out);
    const isFolder = (await stat(path).catch(() => null))?.isDirectory();
    if (isFolder || `${made}${sep}`.startsWith(file + sep)) {
        throw new UsageError(`${option}: '${path}' is a folder: name a file`);
    }
    const inside = folder === made || (made !== '' && folder.startsWith(made + sep));
    if (inside && OUTPUT.test(file)) throw new UsageError(`${option}: '${path}' has the name of a bake`);
    if (folder === made) return;
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory() && !made.startsWith(folder + sep)) {
        throw new UsageError(`${option}: '${dirname(resolve(path))}' is not a folder`);
    }
}

/**
 * @param inputs All files that are read.
 * @throws UsageError if the file is one of them, under any name.
 */
export async function refuseInput(option: string, path: string, inputs: readonly string[]): Promise<void> {
    const overlapOf = await findOverlaps([path]);
    for (const input of inputs) {
        if ((await overlapOf(input)) === undefined) continue;
        throw new UsageError(`${option}: '${path}' would overwrite '${input}', which is read`);
    }
}

/**
 * Writes a file completely or not at all. A pipe or device is written to, not replaced.
 *
 * @throws The file system's error, with the option; the signal's reason.
 */
export async function writeWhole(
    option: string,
    path: string,
    data: string | Uint8Array,
    signal?: AbortSignal,
): Promise<void> {
    await write(path, data, signal).catch((cause) => {
        signal?.throwIfAborted();
        throw Object.assign(new Error(`${option} '${path}': ${cause.message}`, { cause }), { code: cause.code });
    });
}

async function write(path: string, data: string | Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    const found = await stat(path).catch(() => null);
    const real = await realpath(path).catch(() => null); // the target of /dev/stdout may have no path
    if (found !== null && (real === null || !found.isFile())) return writeFile(path, data, { signal });
    const file = await realPlace(path);
    const folder = dirname(file);
    await makeFolder(folder); // missing if every input failed
    await sweepLeftovers(folder);
    const temporary = temporaryPath(folder);
    try {
        await writeFile(temporary, data, { flag: 'wx', signal });
        signal?.throwIfAborted();
        await rename(temporary, file);
    } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
    }
}
