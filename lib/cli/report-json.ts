// SPDX-License-Identifier: MIT

import { sha256Of } from '../files/sha256';
import type { BakeJobResult } from './batch/bake-job';
import type { Job, JobResult } from './batch/job';
import { KINDS } from './batch/kinds';
import type { ReduceJobResult } from './batch/reduce-job';
import { exitCodeOf } from './exit-codes';
import { messageOf } from './flags';
import type { Shard } from './inputs';
import { jsonText } from './io';
import type { Target } from './output-folders';
import { packageVersion } from './version';

/** Options of the library; `recipes` has those of a config's recipes, in the order of the inputs, where there are several. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** What `--report` writes, and `merge-reports` reads and writes. */
export interface Report {
    readonly format: 'poselane-report';
    readonly version: 1;
    /** The same for all shards of a batch: what `merge-reports` knows them by. */
    readonly batch: {
        readonly command: Job['command'];
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
    /** Which of these is there depends on the command. */
    readonly baked?: number;
    readonly reduced?: number;
    readonly failed: number;
    readonly notBegun: number;
    readonly inputs: readonly ReportEntry[];
}

/** What became of an input: what its command tells of it. */
export interface ReportEntry
    extends Omit<JobResult, 'backend'>,
        Partial<Pick<BakeJobResult, 'outputs' | 'stats'>>,
        Partial<Pick<ReduceJobResult, 'reduction'>> {
    readonly status: 'baked' | 'reduced' | 'failed' | 'not-begun';
    /** Of the outputs. */
    readonly folder: string;
    readonly page?: { readonly path: string; readonly byteLength: number } | null | undefined;
    /** Null for what was not begun. */
    readonly backend: string | null;
}

/** The entry of an input that was not begun, because an error ended the command before. */
function notBegun(command: Job['command'], ended: unknown) {
    const message = `not begun: ${messageOf(ended)}`;
    const error = { message, code: 'NOT_BEGUN', pointer: null, exitCode: exitCodeOf(ended) };
    return { ...KINDS[command].nothing, error, backend: null, milliseconds: 0 };
}

/**
 * What became of each input: `--report` and `--json`.
 *
 * @param batch What the command was told; its inputs are those of all shards.
 * @param targets Of the inputs.
 * @param results By the number of the input; none of one that was not begun.
 * @param ended What ended the command before all were begun.
 */
export async function reportText(
    batch: {
        readonly command: Job['command'];
        readonly options: GivenOptions;
        readonly inputs: readonly string[];
        readonly shard: Shard | null;
    },
    targets: readonly Target[],
    results: readonly (JobResult | undefined)[],
    ended: unknown,
): Promise<string> {
    const { command } = batch;
    const entries = targets.map(({ path: input, folder }, number): ReportEntry => {
        const found = results[number];
        if (found === undefined) return { input, status: 'not-begun', folder, ...notBegun(command, ended) };
        const { page: written } = found as Partial<BakeJobResult>;
        const page = written && { path: written.path, byteLength: written.byteLength };
        return { status: found.error === null ? KINDS[command].done : 'failed', folder, ...found, page };
    });
    const common = {
        command,
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
    const { done } = KINDS[batch.command];
    const counts = { [done]: count(done), failed: count('failed'), notBegun: count('not-begun') };
    const report: Report = { format: 'poselane-report', version: 1, batch, shard, ...counts, inputs };
    return jsonText(report);
}
