// SPDX-License-Identifier: MIT

import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { UsageError } from '../../base/errors';
import { followSignal } from '../../base/follow-signal';
import { type CachePlace, isLasting, openCache } from '../../cache/cache';
import { isServer } from '../../cache/place';
import { EXIT, ExitError } from '../exit-codes';
import { messageOf } from '../flags';
import {
    groupDigits,
    type Io,
    oneLine,
    plural,
    threeDigits,
    writeBatchWarnings,
    writeError,
    writeLine,
    writeText,
    writeWarnings,
    yellow,
} from '../io';
import { writeWhole } from '../output-file';
import { missingFolders, removeEmpty, type Target } from '../output-folders';
import { createProgress } from '../progress';
import { type GivenOptions, reportText } from '../report-json';
import type { Job, JobResult } from './job';
import { type AnyJob, KINDS } from './kinds';
import type { BatchArguments } from './options';
import { runJobs } from './run';

export interface Batch<R extends JobResult> {
    readonly command: Job['command'];
    readonly given: BatchArguments;
    /** Library options as given, for `--report`. */
    readonly options: GivenOptions;
    /** Inputs of all shards. */
    readonly inputs: readonly string[];
    readonly targets: readonly Target[];
    /** Jobs in the order of their numbers. */
    readonly jobs: readonly AnyJob[];
    /** New folders, which are removed again if they stay empty. */
    readonly missing: readonly string[];
    /** Results by input, of earlier rounds too. */
    readonly results: Map<string, R>;
    /** Start, as `performance.now()` gives it. */
    readonly started: number;
    linesOf(result: R, target: Target): string[];
    /** A warning of several files is printed for the file with the largest such number, or for the first file. */
    errorOf?(result: R): number;
    sumOf(results: readonly R[]): string;
    /**
     * Work after all jobs.
     *
     * @param latest Results in the order of the targets; undefined for jobs that did not begin.
     * @param ended The error that ended the command.
     * @returns A line to print, or null.
     */
    finish?(latest: readonly (R | undefined)[], ended: unknown): Promise<string | null>;
}

export function threadsFor({ jobs }: BatchArguments): number {
    return jobs ?? availableParallelism();
}

/** @throws ExitError as `judge`; the error that ended the command. */
export async function runBatch<R extends JobResult>(batch: Batch<R>, io: Io): Promise<void> {
    const { command, given, targets, jobs, results } = batch;
    const { done, unit } = KINDS[command];
    const several = batch.inputs.length > 1;
    const silent = given.quiet === true || given.json === true;
    const byInput = new Map(targets.map((target) => [target.path, target]));
    const progress = given.quiet ? null : createProgress(io.stderr, labelOf(jobs), jobs.length, unit);
    const resultsOf = () => jobs.flatMap(({ input }) => results.get(input) ?? []);
    const { print, printWarnings } = printerFor(batch, io, several, silent);
    const stop = followSignal(io.signal);
    let ended: unknown;
    try {
        await runJobs<R>(jobs, Math.max(Math.min(threadsFor(given), jobs.length), 1), {
            signal: stop.signal,
            onProgress: ({ units, jobs, trial }) => progress?.update(units, jobs, trial),
            onEnd: ({ input, error }) => {
                if (error === null || !given.failFast || !several) return;
                stop.abort(new ExitError(EXIT.someFailed, `--fail-fast: '${input}' could not be ${done}`));
            },
            onResult: ({ input }, result) => {
                results.set(input, result);
                if (io.signal?.aborted) return;
                progress?.pause();
                print(result, byInput.get(input)!);
            },
        });
        judge(command, resultsOf(), batch.inputs.length);
    } catch (error) {
        ended = error;
    }
    stop.abort();
    progress?.stop();
    printWarnings();
    if (!given.dryRun) await removeEmpty(batch.missing);
    const finish = async <T>(writing: Promise<T>): Promise<T | null> =>
        writing.catch((error) => {
            if (ended === undefined) ended = error;
            else writeError(io, messageOf(error)); // the first error counts
            return null;
        });
    const latest = targets.map(({ path }) => results.get(path));
    const whole = { command, options: batch.options, inputs: batch.inputs, shard: given.shard ?? null };
    const report = given.report || given.json ? await reportText(whole, targets, latest, ended) : '';
    if (given.report !== undefined) await finish(writeWhole('--report', given.report, report));
    const line = batch.finish === undefined ? null : await finish(batch.finish(latest, ended));
    if (line !== null && !silent) writeLine(io.stdout, line);
    if (given.json) writeText(io.stdout, report);
    if (several && jobs.length > 0 && !silent && !io.signal?.aborted)
        writeLine(io.stdout, totalsOf(batch, resultsOf()));
    if (ended !== undefined) throw ended;
}

function labelOf(jobs: readonly { readonly input: string }[]): string {
    return jobs.length === 1 ? oneLine(basename(jobs[0]!.input)) : '';
}

/**
 * Makes functions that print the result of a file, and the warnings of all files.
 *
 * In a batch, each failed file gets a line. Each distinct warning is printed once at the end, unless `verbose`.
 *
 * @param silent Whether to print only errors.
 */
function printerFor<R extends JobResult>(batch: Batch<R>, io: Io, several: boolean, silent: boolean) {
    const { given, linesOf, errorOf = () => 0 } = batch;
    const printed = new Set<string>();
    const warned: R[] = [];
    const printWarnings = () => {
        const files = warned.sort((a, b) => errorOf(b) - errorOf(a));
        writeBatchWarnings(
            io,
            files.map(({ input: file, warnings }) => ({ file, warnings })),
            '-v and --report list them',
        );
    };
    const print = (result: R, target: Target): void => {
        const { input, error, warnings, cache } = result;
        for (const warning of silent ? [] : (cache?.warnings ?? [])) {
            const { code, message } = warning;
            // Each thread notices that a server is down, perhaps for another reason.
            const what = isLasting(warning) ? code : message;
            if (!printed.has(what)) writeLine(io.stderr, 'poselane: ', yellow(`warning ${code}:`), ` ${message}`);
            printed.add(what);
        }
        if (error !== null && several && !wasCut(result)) writeError(io, error.message);
        if (error !== null || silent) return;
        if (several && !given.verbose) warned.push(result);
        else writeWarnings(io, input, warnings, '--report lists them');
        for (const line of linesOf(result, target)) writeLine(io.stdout, line);
    };
    return { print, printWarnings };
}

/** Whether an interruption ended the job, not a fault. */
export function wasCut({ error }: JobResult): boolean {
    return error?.exitCode === EXIT.interrupted;
}

/** @param begun Results of the inputs that were begun. */
function totalsOf<R extends JobResult>({ jobs, sumOf, started }: Batch<R>, begun: readonly R[]): string {
    const count = (of: (result: R) => boolean) => begun.filter(of).length;
    const counts = [
        [count((result) => result.error !== null && !wasCut(result)), 'failed'],
        [count(wasCut), 'cut off'],
        [jobs.length - begun.length, 'not begun'],
        [count(({ cache }) => cache?.hit === true), 'from the cache'],
    ] as const;
    const files = plural(groupDigits(jobs.length), 'file');
    const others = counts.flatMap(([count, noun]) => (count === 0 ? [] : `${groupDigits(count)} ${noun}`));
    const ends = others.length === 0 ? '' : `; ${others.join(', ')}`;
    return `${files}: ${sumOf(begun)}, ${threeDigits((performance.now() - started) / 1000)} s${ends}`;
}

/**
 * Ends the command with an error if a file failed.
 *
 * @param inputs The number of inputs of all shards. The exit code depends on it because a shard may have only one file.
 * @throws ExitError with the code of the only input, or with the code of batches.
 */
export function judge(command: Job['command'], results: readonly Pick<JobResult, 'error'>[], inputs: number): void {
    const failures = results.flatMap(({ error }) => error ?? []);
    if (failures.length === 0) return;
    if (inputs === 1) throw new ExitError(failures[0]!.exitCode, failures[0]!.message);
    const files = plural(groupDigits(results.length), 'file');
    throw new ExitError(
        EXIT.someFailed,
        `${groupDigits(failures.length)} of ${files} could not be ${KINDS[command].done}`,
    );
}

/** The cache that all threads share. Null without a cache. */
export async function cacheFor(given: BatchArguments): Promise<CachePlace | null> {
    const { cache, cacheReadOnly = false, cacheInsecure, cacheMaxEntry, dryRun } = given;
    if (cache === undefined) {
        const entry = cacheMaxEntry === undefined ? null : '--cache-max-entry';
        const flag = cacheReadOnly ? '--cache-read-only' : cacheInsecure ? '--cache-insecure' : entry;
        if (flag !== null) throw new UsageError(`${flag} has no effect without --cache; add it, or leave this out`);
        return null;
    }
    const options = {
        readOnly: cacheReadOnly || dryRun === true,
        insecure: cacheInsecure === true,
        maxEntryBytes: cacheMaxEntry,
    };
    openCache(cache, options); // checks the options before any job
    if (!isServer('--cache', cache)) await missingFolders('--cache', [cache]);
    return { place: cache, options };
}
