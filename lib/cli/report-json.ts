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

/** Library options. `recipes` has those of several config recipes, in the order of the inputs. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** The JSON of `--report`, which `merge-reports` reads and writes. */
export interface Report {
    readonly format: 'poselane-report';
    readonly version: 1;
    /** The same in all shards of a batch: `merge-reports` compares it. */
    readonly batch: {
        readonly command: Job['command'];
        readonly poselane: string;
        readonly options: GivenOptions;
        readonly inputs: number;
        /** SHA-256 of the JSON array of input names, in order. */
        readonly sha256: string;
    };
    readonly shard: Shard | null;
    /** The count of the command: `baked` or `reduced`. */
    readonly baked?: number;
    readonly reduced?: number;
    readonly failed: number;
    readonly notBegun: number;
    readonly inputs: readonly ReportEntry[];
}

export interface ReportEntry
    extends Omit<JobResult, 'backend'>,
        Partial<Pick<BakeJobResult, 'outputs' | 'stats'>>,
        Partial<Pick<ReduceJobResult, 'reduction'>> {
    readonly status: 'baked' | 'reduced' | 'failed' | 'not-begun';
    readonly folder: string;
    readonly page?: { readonly path: string; readonly byteLength: number } | null | undefined;
    /** Null if it did not begin. */
    readonly backend: string | null;
}

/** The entry of an input that did not begin because an error ended the command. */
function notBegun(command: Job['command'], ended: unknown) {
    const message = `not begun: ${messageOf(ended)}`;
    const error = { message, code: 'NOT_BEGUN', pointer: null, exitCode: exitCodeOf(ended) };
    return { ...KINDS[command].nothing, error, backend: null, milliseconds: 0 };
}

/**
 * The JSON of `--report` and `--json`.
 *
 * @param batch The command, its options, and the inputs of all shards.
 * @param targets Targets of the inputs.
 * @param results In the order of the targets; undefined for inputs that did not begin.
 * @param ended The error that ended the command early.
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

/** Hash of the input names. It tells shards of different inputs apart. */
export function hashOfNames(inputs: readonly string[]): Promise<string> {
    return sha256Of([Buffer.from(JSON.stringify(inputs))]);
}

export function textOfReport(batch: Report['batch'], shard: Shard | null, inputs: readonly ReportEntry[]): string {
    const count = (status: string) => inputs.filter((entry) => entry.status === status).length;
    const { done } = KINDS[batch.command];
    const counts = { [done]: count(done), failed: count('failed'), notBegun: count('not-begun') };
    const report: Report = { format: 'poselane-report', version: 1, batch, shard, ...counts, inputs };
    return jsonText(report);
}
