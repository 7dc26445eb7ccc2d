// SPDX-License-Identifier: MIT

import type { JobReport } from './batch/job';
import { exitCodeOf } from './exit-codes';
import { messageOf } from './flags';
import { writeWhole } from './output-file';

/** The entry of an input that was not begun, because an error ended the command before. */
function notBegun(ended: unknown) {
    const message = `not begun: ${messageOf(ended)}`;
    const error = { message, code: 'NOT_BEGUN', pointer: null, exitCode: exitCodeOf(ended) };
    return {
        outputs: [],
        files: [],
        page: null,
        stats: null,
        warnings: [],
        cache: null,
        error,
        backend: null,
        milliseconds: 0,
    };
}

/**
 * Writes what became of each input as JSON.
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
        const page = found.page && { path: found.page.path, byteLength: found.page.byteLength };
        return { status: found.error === null ? 'baked' : 'failed', ...found, page };
    });
    const count = (status: string) => entries.filter((entry) => entry.status === status).length;
    const counts = { baked: count('baked'), failed: count('failed'), notBegun: count('not-begun') };
    const report = { format: 'poselane-report', version: 1, ...counts, inputs: entries };
    await writeWhole('--report', path, `${JSON.stringify(report, null, 2)}\n`);
}
