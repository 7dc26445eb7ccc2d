// SPDX-License-Identifier: MIT

import { randomBytes } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import type { JobReport } from './batch/job';

/** Writes what became of each input as JSON: of a file all or nothing. A pipe or device is written to, never replaced. */
export async function writeReport(path: string, inputs: readonly JobReport[]): Promise<void> {
    const failed = inputs.filter(({ error }) => error !== null).length;
    const report = { format: 'poselane-report', version: 1, baked: inputs.length - failed, failed, inputs };
    const text = `${JSON.stringify(report, null, 2)}\n`;
    const found = await stat(path).catch(() => null);
    if (found !== null && !found.isFile()) return writeFile(path, text);
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
        await writeFile(temporary, text, { flag: 'wx' });
        await rename(temporary, path);
    } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
    }
}
