// SPDX-License-Identifier: MIT

import { basename, join } from 'node:path';
import { nextTurn } from '../../base/next-turn';
import { createLedger, interrupt, type Ledger, noteProgress, noteTrial, readProgress } from '../../threads/ledger';
import { notingHooks } from '../../threads/serve';
import { type Lane, spread } from '../../threads/spread';
import { NoThread, openThreads, type Threads } from '../../threads/threads';
import type { Job, JobResult } from './job';
import { type AnyJob, KINDS } from './kinds';

/** The progress of all jobs. */
export interface BatchProgress {
    /** Frames evaluated, clips reduced. */
    readonly units: number;
    /** The number of jobs that are done, with fractions. */
    readonly jobs: number;
    /** The rate that a job which searches for one tries, the maximum of several; 0 where none does. */
    readonly trial: number;
}

export interface BatchHooks<R extends JobResult> {
    readonly signal?: AbortSignal;
    /** Called some ten times a second. */
    onProgress(progress: BatchProgress): void;
    /** Called for each job that was begun, as soon as it has ended. */
    onEnd(result: R): void;
    /** Called for each job that was begun, in the order of `jobs`. */
    onResult(job: Job, result: R): void;
}

const LOOK_MILLISECONDS = 100;

/** Below so many jobs for each thread none is sent to a thread that is still busy: another one might have been free sooner. */
const JOBS_TO_SEND_AHEAD = 4;

/** So many jobs are looked for in the cache at once: a server takes its time for each, and blobs are hashed on other threads. */
const JOBS_TO_FIND = 4;

/**
 * Runs jobs; one that fails does not keep the others from running. Those that a cache has are done by this thread, and no other
 * one is started for them.
 *
 * @param threads With 1 in this thread, otherwise on so many, this one among them, or as many as can be started. The files are the
 * same bytes.
 * @throws The signal's reason, when no job is running any more.
 */
export async function runJobs<R extends JobResult>(
    jobs: readonly AnyJob[],
    threads: number,
    hooks: BatchHooks<R>,
): Promise<void> {
    const { signal } = hooks;
    const ledgers = jobs.map(createLedger);
    const show = () => hooks.onProgress(progressOf(ledgers));
    const cached = jobs.some(({ cache }) => cache !== null);
    const several = threads > 1 && !signal?.aborted;
    // Without a cache now, so that the others start while this thread loads what it needs.
    let pool = several && !cached ? openPool(jobs.length, threads) : undefined;
    const timer = several ? setInterval(show, LOOK_MILLISECONDS) : undefined;
    const stop = () => ledgers.forEach(interrupt);
    signal?.addEventListener('abort', stop, { once: true });
    const here: Lane<AnyJob, Outcome> = async (job) => ({
        job,
        result: signal?.aborted ? null : await runHere(job, ledgers[job.number]!, signal, show),
    });
    const there = several
        ? Array.from({ length: (threads - 1) * aheadOf(jobs.length, threads) }, (_, lane): Lane<AnyJob, Outcome> => {
              return async (job) => {
                  pool ??= openPool(jobs.length, threads);
                  return pool !== null && lane < pool.count * pool.ahead ? runThere(pool, job, ledgers) : null;
              };
          })
        : [];
    /** Results whose turn has not come. */
    const waiting = new Map<number, Outcome>();
    let next = 0;
    const settle = (outcome: Outcome) => {
        if (outcome.result !== null) hooks.onEnd(outcome.result as R);
        waiting.set(outcome.job.number, outcome);
        for (let due = waiting.get(next); due !== undefined; due = waiting.get(++next)) {
            waiting.delete(next);
            if (due.result !== null) hooks.onResult(due.job, due.result as R);
        }
    };
    const find = async (job: AnyJob): Promise<AnyJob | null> => {
        await nextTurn(); // where files are waited for, nothing else would have one
        if (signal?.aborted) return job;
        const ledger = ledgers[job.number]!;
        const found = await worker().findJob(job, notingHooks(ledger, signal, show));
        if (!('error' in found)) return found;
        const units = KINDS[job.command].unitsOf(found) || 1;
        noteProgress(ledger, units, units);
        settle({ job, result: found });
        return null;
    };
    const missing = cached ? missingOf(jobs, find) : null;
    try {
        for await (const outcome of spread(missing?.jobs() ?? jobs, [here, ...there], () => {})) settle(outcome);
    } finally {
        await missing?.end();
        signal?.removeEventListener('abort', stop);
        clearInterval(timer);
        await pool?.close();
    }
    signal?.throwIfAborted();
}

/** The result is null where the job was not begun any more, because the signal is aborted. */
interface Outcome {
    readonly job: Job;
    readonly result: JobResult | null;
}

interface Pool extends Threads<AnyJob, JobResult> {
    readonly ahead: number;
}

/** The baker or reducer, which this thread loads while others start. */
function worker(): typeof import('./work') {
    return require('./work');
}

/** Beside the command's one file in dist/cli, and above the folder of this one. */
function workerFile(): string {
    return join(__dirname, basename(__dirname) === 'batch' ? '../worker.js' : 'worker.js');
}

/** While this thread works it sends no jobs, so that the others have the next one already. */
function aheadOf(jobs: number, threads: number): number {
    return jobs < threads * JOBS_TO_SEND_AHEAD ? 1 : 2;
}

function openPool(jobs: number, threads: number): Pool | null {
    // A backend that does not exist, or not here, ends the command, and not each of its jobs.
    if (process.env.POSELANE_BACKEND) worker();
    const ahead = aheadOf(jobs, threads);
    const pool = openThreads<AnyJob, JobResult>(workerFile(), threads - 1, { atOnce: true, ahead });
    return pool && { ...pool, ahead };
}

/** Null where no thread has begun it. */
async function runThere(pool: Pool, job: AnyJob, ledgers: readonly Ledger[]): Promise<Outcome | null> {
    const started = performance.now();
    try {
        return { job, result: await pool.run(job, ledgers[job.number]!) };
    } catch (error) {
        if (error instanceof NoThread) return null;
        // A thread that ends while it works has run out of memory, most likely, and this one would, too.
        return { job, result: worker().failureOf(job, error, performance.now() - started) };
    }
}

/**
 * The jobs that are left to do, in their order, as far as they are asked for.
 *
 * @param find Null for a job that is done. It is called for some ahead of those that were asked for.
 * @returns `end` waits for the calls that run.
 */
function missingOf(jobs: readonly AnyJob[], find: (job: AnyJob) => Promise<AnyJob | null>) {
    const running: Promise<AnyJob | null>[] = [];
    return {
        async *jobs(): AsyncGenerator<AnyJob, void, undefined> {
            for (let next = 0; next < jobs.length || running.length > 0; ) {
                while (next < jobs.length && running.length < JOBS_TO_FIND) {
                    const job = find(jobs[next++]!);
                    job.catch(() => {}); // it is waited for in its turn
                    running.push(job);
                }
                const missing = await running[0]!;
                running.shift();
                if (missing !== null) yield missing;
            }
        },
        end: () => Promise.allSettled(running),
    };
}

async function runHere(
    job: AnyJob,
    ledger: Ledger,
    signal: AbortSignal | undefined,
    show: () => void,
): Promise<JobResult> {
    try {
        return await worker().jobOrFailure(job, notingHooks(ledger, signal, show));
    } finally {
        noteTrial(ledger, 0);
    }
}

function progressOf(ledgers: readonly Ledger[]): BatchProgress {
    let units = 0;
    let jobs = 0;
    let trial = 0;
    for (const ledger of ledgers) {
        const now = readProgress(ledger);
        units += now.done;
        if (now.total > 0) jobs += now.done / now.total;
        else trial = Math.max(trial, now.trial);
    }
    return { units, jobs, trial };
}
