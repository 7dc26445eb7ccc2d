// SPDX-License-Identifier: MIT

import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { temporaryPath } from '../bake/temporary';
import { makeFolder } from '../bake/write';
import { UsageError } from '../errors';
import type { JobReport } from './batch/job';
import { EXIT } from './exit-codes';

/** What a bake may be written to. */
const OUTPUT = /\.(bake\.(json|bin)|baked\.glb)$/i;

/**
 * Before any work, rather than after it.
 *
 * @param out Folder of the output, which is made where it is missing; null for a dry run.
 * @throws UsageError where the report would be written over an input, a bake or a folder, or into one that does not exist.
 */
export async function refuseReport(path: string, inputs: readonly string[], out: string | null): Promise<void> {
    const file = resolve(path);
    if (path === '') throw new UsageError('--report: the name of the file is empty');
    if (inputs.some((input) => resolve(input) === file)) throw new UsageError(`--report: '${path}' is an input`);
    if (path === '-') throw new UsageError("--report: standard output has the results: name a file ('./-')");
    const isFolder = (await stat(file).catch(() => null))?.isDirectory();
    if (isFolder || (out !== null && `${resolve(out)}${sep}`.startsWith(file + sep))) {
        throw new UsageError(`--report: '${path}' is a folder: name a file`);
    }
    const folder = dirname(file);
    if (out !== null && folder === resolve(out)) {
        if (OUTPUT.test(file)) throw new UsageError(`--report: '${path}' has the name of a bake`);
        return;
    }
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory() && !(out !== null && resolve(out).startsWith(folder + sep))) {
        throw new UsageError(`--report: '${folder}' is not a folder`);
    }
}

/** Of an input that was not begun, because the command ended before. */
const NOT_BEGUN = {
    outputs: [],
    files: [],
    stats: null,
    warnings: [],
    error: { message: 'not begun: interrupted', code: 'NOT_BEGUN', pointer: null, exitCode: EXIT.interrupted },
    backend: null,
    milliseconds: 0,
};

/**
 * Writes what became of each input as JSON: of a file all or nothing. A pipe or device is written to, never replaced.
 *
 * @param reports By the number of the input; none of one that was not begun.
 */
export async function writeReport(
    path: string,
    inputs: readonly string[],
    reports: readonly (JobReport | undefined)[],
): Promise<void> {
    const entries = inputs.map((input, number) => {
        const found = reports[number];
        if (found === undefined) return { input, status: 'not-begun', ...NOT_BEGUN };
        return { status: found.error === null ? 'baked' : 'failed', ...found };
    });
    const count = (status: string) => entries.filter((entry) => entry.status === status).length;
    const counts = { baked: count('baked'), failed: count('failed'), notBegun: count('not-begun') };
    const report = { format: 'poselane-report', version: 1, ...counts, inputs: entries };
    await write(path, `${JSON.stringify(report, null, 2)}\n`).catch((cause) => {
        throw Object.assign(new Error(`--report '${path}': ${cause.message}`, { cause }), { code: cause.code });
    });
}

async function write(path: string, text: string): Promise<void> {
    const found = await stat(path).catch(() => null);
    if (found !== null && !found.isFile()) return writeFile(path, text);
    await makeFolder(dirname(resolve(path))); // not there yet where every input failed
    const temporary = temporaryPath(dirname(path));
    try {
        await writeFile(temporary, text, { flag: 'wx' });
        await rename(temporary, path);
    } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
    }
}
