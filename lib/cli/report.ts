// SPDX-License-Identifier: MIT

import type { BakeOptions } from '../bake';
import { sha256Of } from '../bake/sha256';
import type { JobReport } from './batch/job';
import { exitCodeOf } from './exit-codes';
import { messageOf } from './flags';
import type { Shard } from './inputs';
import type { Target } from './output-folders';
import { packageVersion } from './version';

/** Those of the recipes, in the order of the inputs, where a config has several. */
export type GivenOptions = BakeOptions & { readonly recipes?: readonly BakeOptions[] };

/** What `--report` writes, and `merge-reports` reads and writes. */
export interface Report {
    readonly format: 'poselane-report';
    readonly version: 1;
    /** The same for all shards of a batch: what `merge-reports` knows them by. */
    readonly batch: {
        /** The package's version. */
        readonly poselane: string;
        /** As they were given. */
        readonly options: GivenOptions;
        /** How many inputs all shards have. */
        readonly inputs: number;
        /** Of the inputs' names in order, as a JSON array. */
        readonly sha256: string;
    };
    /** Null where all inputs are here. */
    readonly shard: Shard | null;
    readonly baked: number;
    readonly failed: number;
    readonly notBegun: number;
    readonly inputs: readonly ReportEntry[];
}

/** What became of an input. */
export interface ReportEntry extends Omit<JobReport, 'page' | 'backend'> {
    readonly status: 'baked' | 'failed' | 'not-begun';
    /** Of the outputs. */
    readonly folder: string;
    readonly page: { readonly path: string; readonly byteLength: number } | null;
    /** Null for what was not begun. */
    readonly backend: string | null;
}

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
 * @param batch What the command was told; its inputs are those of all shards.
 * @param targets Of the inputs.
 * @param reports By the number of the input; none of one that was not begun.
 * @param ended What ended the command before all were begun.
 */
export async function reportText(
    batch: { readonly options: GivenOptions; readonly inputs: readonly string[]; readonly shard: Shard | null },
    targets: readonly Target[],
    reports: readonly (JobReport | undefined)[],
    ended: unknown,
): Promise<string> {
    const entries = targets.map(({ path: input, folder }, number): ReportEntry => {
        const found = reports[number];
        if (found === undefined) return { input, status: 'not-begun', folder, ...notBegun(ended) };
        const page = found.page && { path: found.page.path, byteLength: found.page.byteLength };
        return { status: found.error === null ? 'baked' : 'failed', folder, ...found, page };
    });
    const common = {
        poselane: packageVersion(),
        options: batch.options,
        inputs: batch.inputs.length,
        sha256: await hashOfNames(batch.inputs),
    };
    return textOfReport(common, batch.shard, entries);
}

/** The hash of inputs' names by which shards of other inputs are found out. */
export function hashOfNames(inputs: readonly string[]): Promise<string> {
    return sha256Of([Buffer.from(JSON.stringify(inputs))]);
}

/** A report as a file has it. */
export function textOfReport(batch: Report['batch'], shard: Shard | null, inputs: readonly ReportEntry[]): string {
    const count = (status: string) => inputs.filter((entry) => entry.status === status).length;
    const counts = { baked: count('baked'), failed: count('failed'), notBegun: count('not-begun') };
    const report: Report = { format: 'poselane-report', version: 1, batch, shard, ...counts, inputs };
    return `${JSON.stringify(report, null, 2)}\n`;
}
