// SPDX-License-Identifier: MIT

import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { temporaryPath } from '../bake/temporary';
import { makeFolder } from '../bake/write';
import { UsageError } from '../errors';
import type { JobReport } from './batch/job';

/** What a bake may be written to. */
const OUTPUT = /\.(bake\.(json|bin)|baked\.glb)$/i;

/**
 * Before any work, rather than after it.
 *
 * @param out Folder of the output, which is made where it is missing; null for a dry run.
 * @throws UsageError where the report would be written over an input or a bake, or into a folder that does not exist.
 */
export async function refuseReport(path: string, inputs: readonly string[], out: string | null): Promise<void> {
    const file = resolve(path);
    if (path === '') throw new UsageError('--report: the name of the file is empty');
    if (inputs.some((input) => resolve(input) === file)) throw new UsageError(`--report: '${path}' is an input`);
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

/** Writes what became of each input as JSON: of a file all or nothing. A pipe or device is written to, never replaced. */
export async function writeReport(path: string, inputs: readonly JobReport[]): Promise<void> {
    const failed = inputs.filter(({ error }) => error !== null).length;
    const report = { format: 'poselane-report', version: 1, baked: inputs.length - failed, failed, inputs };
    const text = `${JSON.stringify(report, null, 2)}\n`;
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
