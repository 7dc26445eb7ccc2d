// SPDX-License-Identifier: MIT

import type { JobReport } from './batch/job';
import { exitCodeOf } from './exit-codes';
import { messageOf } from './flags';
import type { Target } from './output-folders';

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
 * What became of each input: `--report` and `--json`.
 *
 * @param targets Of the inputs.
 * @param reports By the number of the input; none of one that was not begun.
 * @param ended What ended the command before all were begun.
 */
export function reportText(
    targets: readonly Target[],
    reports: readonly (JobReport | undefined)[],
    ended: unknown,
): string {
    const entries = targets.map(({ path: input, folder }, number) => {
        const found = reports[number];
        if (found === undefined) return { input, status: 'not-begun', folder, ...notBegun(ended) };
        const page = found.page && { path: found.page.path, byteLength: found.page.byteLength };
        return { status: found.error === null ? 'baked' : 'failed', folder, ...found, page };
    });
    const count = (status: string) => entries.filter((entry) => entry.status === status).length;
    const counts = { baked: count('baked'), failed: count('failed'), notBegun: count('not-begun') };
    const report = { format: 'poselane-report', version: 1, ...counts, inputs: entries };
    return `${JSON.stringify(report, null, 2)}\n`;
}
