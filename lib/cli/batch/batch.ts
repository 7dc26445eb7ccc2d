// SPDX-License-Identifier: MIT

/** What the commands that work on many files have in common. */

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
    /** For the report. */
    readonly options: GivenOptions;
    /** Those of all shards. */
    readonly inputs: readonly string[];
    /** Those of this process. */
    readonly targets: readonly Target[];
    /** By their numbers. */
    readonly jobs: readonly AnyJob[];
    /** Folders to take away again where nothing comes into them. */
    readonly missing: readonly string[];
    /** What became of inputs, earlier and now. */
    readonly results: Map<string, R>;
    /** From `performance.now`. */
    readonly started: number;
    /** What is told of a file that did not fail. */
    linesOf(result: R, target: Target): string[];
    /** A warning of several files is told with the one that has most of this; without it with the first. */
    errorOf?(result: R): number;
    /** What is told of all of them together. */
    sumOf(results: readonly R[]): string;
    /**
     * What is still to be done when all jobs have ended.
     *
     * @param latest By the targets; none of those that were not begun.
     * @param ended What ended the command.
     * @returns A line to tell; null for none.
     */
    finish?(latest: readonly (R | undefined)[], ended: unknown): Promise<string | null>;
}

/** How many jobs are done at once. */
export function threadsFor({ jobs }: BatchArguments): number {
    return jobs ?? availableParallelism();
}

/**
 * Runs the jobs, and tells what became of them.
 *
 * @throws ExitError as `judge`; what ended the command.
 */
export async function runBatch<R extends JobResult>(batch: Batch<R>, io: Io): Promise<void> {
    const { command, given, targets, jobs, results } = batch;
    const { done, unit } = KINDS[command];
    const several = batch.inputs.length > 1;
    const silent = given.quiet === true || given.json === true;
    const byInput = new Map(targets.map((target) => [target.path, target]));
    const progress = given.quiet ? null : createProgress(io.stderr, labelOf(jobs), jobs.length, unit);
    const resultsOf = () => jobs.flatMap(({ input }) => results.get(input) ?? []);
    const { tell, tellWarnings } = teller(batch, io, several, silent);
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
                tell(result, byInput.get(input)!);
            },
        });
        judge(command, resultsOf(), batch.inputs.length);
    } catch (error) {
        ended = error;
    }
    stop.abort();
    progress?.stop();
    tellWarnings();
    if (!given.dryRun) await removeEmpty(batch.missing);
    const finish = async <T>(writing: Promise<T>): Promise<T | null> =>
        writing.catch((error) => {
            if (ended === undefined) ended = error;
            else writeError(io, messageOf(error)); // must not hide the first one
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
 * Gives what tells of a file: the lines of one that did not fail, one for each of its warnings; of several files, one for a file
 * that failed. Of several, unless `verbose`, each warning is told once, at the end.
 *
 * @param silent Whether errors alone are told.
 */
function teller<R extends JobResult>(batch: Batch<R>, io: Io, several: boolean, silent: boolean) {
    const { given, linesOf, errorOf = () => 0 } = batch;
    const told = new Set<string>();
    const warned: R[] = [];
    const tellWarnings = () => {
        const files = warned.sort((a, b) => errorOf(b) - errorOf(a));
        writeBatchWarnings(
            io,
            files.map(({ input: file, warnings }) => ({ file, warnings })),
            '-v and --report list them',
        );
    };
    const tell = (result: R, target: Target): void => {
        const { input, error, warnings, cache } = result;
        for (const warning of silent ? [] : (cache?.warnings ?? [])) {
            const { code, message } = warning;
            // Each thread finds out for itself that a server is down, and the reasons may differ.
            const what = isLasting(warning) ? code : message;
            if (!told.has(what)) writeLine(io.stderr, 'poselane: ', yellow(`warning ${code}:`), ` ${message}`);
            told.add(what);
        }
        if (error !== null && several && !wasCut(result)) writeError(io, error.message);
        if (error !== null || silent) return;
        if (several && !given.verbose) warned.push(result);
        else writeWarnings(io, input, warnings, '--report lists them');
        for (const line of linesOf(result, target)) writeLine(io.stdout, line);
    };
    return { tell, tellWarnings };
}

/** Whether an interruption, and no fault, ended it. */
export function wasCut({ error }: JobResult): boolean {
    return error?.exitCode === EXIT.interrupted;
}

/**
 * The last line of a batch.
 *
 * @param begun Of inputs that were begun.
 */
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
 * @param inputs How many there are, those of other shards too: a shard cannot know how the rest of its batch fares, and may
 * have one file alone, so what it exits with must not depend on how many it was dealt.
 * @throws ExitError where a file failed: with the code of the only one, or with that of batches, even where all failed.
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

/** What the threads open. A dry run leaves nothing anywhere. */
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
    openCache(cache, options); // what is wrong for every file is no fault of any
    if (!isServer('--cache', cache)) await missingFolders('--cache', [cache]);
    return { place: cache, options };
}
