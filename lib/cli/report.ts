// SPDX-License-Identifier: MIT

import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { realPlace, sweepLeftovers, temporaryPath } from '../bake/output-files';
import { makeFolder } from '../bake/write';
import { UsageError } from '../errors';
import type { JobReport } from './batch/job';
import { exitCodeOf } from './exit-codes';
import { messageOf } from './flags';

/** A stream that a bake may be written to. */
const OUTPUT = /\.(bake\.(json|bin)|baked\.(glb|vat))$/i;

/**
 * Before any work, rather than after it.
 *
 * @param out Folder of the output, which is made where it is missing; null for a dry run.
 * @throws UsageError where the report would be written over a bake or a folder, or into one that does not exist.
 */
export async function refuseReport(path: string, out: string | null): Promise<void> {
    if (path === '') throw new UsageError('--report: the name of the file is empty');
    if (path === '-') throw new UsageError("--report: standard output has the results: name a file ('./-')");
    const file = await realPlace(path);
    const folder = dirname(file);
    const made = out === null ? '' : await realPlace(out);
    const isFolder = (await stat(path).catch(() => null))?.isDirectory();
    if (isFolder || `${made}${sep}`.startsWith(file + sep)) {
        throw new UsageError(`--report: '${path}' is a folder: name a file`);
    }
    if (folder === made) {
        if (OUTPUT.test(file)) throw new UsageError(`--report: '${path}' has the name of a bake`);
        return;
    }
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory() && !made.startsWith(folder + sep)) {
        throw new UsageError(`--report: '${dirname(resolve(path))}' is not a folder`);
    }
}

/** The entry of an input that was not begun, because an error ended the command before. */
function notBegun(ended: unknown) {
    const message = `not begun: ${messageOf(ended)}`;
    const error = { message, code: 'NOT_BEGUN', pointer: null, exitCode: exitCodeOf(ended) };
    return { outputs: [], files: [], stats: null, warnings: [], error, backend: null, milliseconds: 0 };
}

/**
 * Writes what became of each input as JSON: of a file all or nothing. A pipe or device is written to, never replaced.
 *
 * @param reports By the number of the input; none of one that was not begun.
 * @param ended What ended the command before all were begun.
 */
export async function writeReport(
    path: string,
    inputs: readonly string[],
    reports: readonly (JobReport | undefined)[],
    ended: unknown,
): Promise<void> {
    const entries = inputs.map((input, number) => {
        const found = reports[number];
        if (found === undefined) return { input, status: 'not-begun', ...notBegun(ended) };
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
    const real = await realpath(path).catch(() => null); // what /dev/stdout leads to may have no path
    if (found !== null && (real === null || !found.isFile())) return writeFile(path, text);
    const file = await realPlace(path);
    const folder = dirname(file);
    await makeFolder(folder); // not there yet where every input failed
    await sweepLeftovers(folder);
    const temporary = temporaryPath(folder);
    try {
        await writeFile(temporary, text, { flag: 'wx' });
        await rename(temporary, file);
    } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
    }
}
