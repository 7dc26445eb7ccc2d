// SPDX-License-Identifier: MIT

import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import type { JobReport } from './batch/job';

/** Writes what became of each input as JSON, all of it or nothing. */
export async function writeReport(path: string, inputs: readonly JobReport[]): Promise<void> {
    const failed = inputs.filter(({ error }) => error !== null).length;
    const report = { format: 'poselane-report', version: 1, baked: inputs.length - failed, failed, inputs };
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
        await writeFile(temporary, `${JSON.stringify(report, null, 2)}\n`, { flag: 'wx' });
        await rename(temporary, path);
    } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
    }
}
