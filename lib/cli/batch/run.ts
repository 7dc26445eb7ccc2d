// SPDX-License-Identifier: MIT

import { basename, join } from 'node:path';
import { nextTurn } from '../../base/next-turn';
import { createLedger, interrupt, type Ledger, noteProgress, noteTrial, readProgress } from '../../threads/ledger';
import { notingHooks } from '../../threads/serve';
import { type Lane, spread } from '../../threads/spread';
import { NoThread, openThreads, type Threads } from '../../threads/threads';
import type { Job, JobResult } from './job';
import { type AnyJob, KINDS } from './kinds';

export interface BatchProgress {
    /** Frames evaluated, or clips reduced. */
    readonly units: number;
    /** The number of finished jobs; a running job counts as the fraction that is done. */
    readonly jobs: number;
    /** The highest frame rate that a job is trying; 0 if none is searching for a rate. */
    readonly trial: number;
}

export interface BatchHooks<R extends JobResult> {
    readonly signal?: AbortSignal;
    /** Called about twenty times per second. */
    onProgress(progress: BatchProgress): void;
    /** Called for each begun job, as soon as it ends. */
    onEnd(result: R): void;
    /** Called for each begun job, in the order of `jobs`. */
    onResult(job: Job, result: R): void;
}

const LOOK_MILLISECONDS = 50;

/** This many jobs take longer than threads take to start. */
const MANY_JOBS = 64;

/** For fewer jobs, the other threads start only if more work is left, milliseconds. */
const WORTH_THREADS = 100;

/** With at most as many jobs per thread, a busy thread gets no second job: another thread might be free sooner. */
const FEW_JOBS = 4;

/** The number of jobs to look for in the cache at once. Servers are slow, and other threads hash the blobs. */
const JOBS_TO_FIND = 4;

/**
 * Runs jobs. A failed job does not stop the others. This thread takes jobs from the cache itself, and starts no other thread for them.
 * It starts none either for work that ends sooner than they would start. It runs some of few jobs, but none of many: while it runs one, it
 * sends none, and the others would wait.
 *
 * @param threads The maximum number of threads that run jobs. The files are the same bytes.
 * @throws The signal's reason, after all jobs have ended.
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
    const size = poolSize(jobs.length, threads);
    const now = !cached && jobs.length >= MANY_JOBS;
    let pool = several && now ? openPool(size) : undefined;
    let ended = 0;
    /** Milliseconds of the last job. */
    let pace = Infinity;
    let start = () => {};
    const started = now ? undefined : new Promise<void>((go) => (start = go));
    const look = () => {
        show();
        if ((jobs.length - ended) * pace > WORTH_THREADS) start();
    };
    const timer = several ? setInterval(look, LOOK_MILLISECONDS) : undefined;
    const stop = () => ledgers.forEach(interrupt);
    signal?.addEventListener('abort', stop, { once: true });
    const runHere = oneAtATime(
        async (job: AnyJob): Promise<Outcome> => ({
            job,
            result: signal?.aborted ? null : await runNoting(job, ledgers[job.number]!, signal, show),
        }),
    );
    const here: Lane<AnyJob, Outcome> = async (job) => (size.sends && pool ? null : runHere(job));
    const there = several
        ? Array.from({ length: size.count * size.ahead }, (_, lane): Lane<AnyJob, Outcome> => {
              return async (job) => {
                  pool ??= openPool(size);
                  if (pool === null || lane >= pool.count * size.ahead) return null;
                  const outcome = await runThere(pool, job, ledgers);
                  return outcome ?? (size.sends ? runHere(job) : null);
              };
          })
        : [];
    /** Results that wait for earlier ones. */
    const waiting = new Map<number, Outcome>();
    let next = 0;
    const settle = (outcome: Outcome) => {
        ended++;
        if (outcome.result !== null) {
            pace = outcome.result.milliseconds;
            hooks.onEnd(outcome.result as R);
        }
        waiting.set(outcome.job.number, outcome);
        for (let due = waiting.get(next); due !== undefined; due = waiting.get(++next)) {
            waiting.delete(next);
            if (due.result !== null) hooks.onResult(due.job, due.result as R);
        }
    };
    const find = async (job: AnyJob): Promise<AnyJob | null> => {
        await nextTurn(); // reading may block, so let other tasks run first
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
        const outcomes = spread(missing?.jobs() ?? jobs, [here, ...there], () => {}, undefined, started);
        for await (const outcome of outcomes) settle(outcome);
    } finally {
        await missing?.end();
        signal?.removeEventListener('abort', stop);
        clearInterval(timer);
        await pool?.close();
    }
    signal?.throwIfAborted();
}

/** A null result means that the job did not begin, because the signal is aborted. */
interface Outcome {
    readonly job: Job;
    readonly result: JobResult | null;
}

interface PoolSize {
    readonly count: number;
    /** How many jobs a thread holds. */
    readonly ahead: number;
    /** Whether the calling thread only sends jobs. */
    readonly sends: boolean;
}

/** The baker or reducer. This thread loads it while the other threads start. */
function worker(): typeof import('./work') {
    return require('./work');
}

/** Its path, both in the bundled command (dist/cli) and in this folder. */
function workerFile(): string {
    return join(__dirname, basename(__dirname) === 'batch' ? '../worker.js' : 'worker.js');
}

function poolSize(jobs: number, threads: number): PoolSize {
    if (jobs <= threads * FEW_JOBS) return { count: threads - 1, ahead: 1, sends: false };
    return { count: threads, ahead: 2, sends: true };
}

function openPool({ count, ahead }: PoolSize): Threads<AnyJob, JobResult> | null {
    // A missing backend ends the command, not each job.
    if (process.env.POSELANE_BACKEND) worker();
    return openThreads<AnyJob, JobResult>(workerFile(), count, { atOnce: true, ahead });
}

function oneAtATime<T, R>(run: (task: T) => Promise<R>): (task: T) => Promise<R> {
    let last: Promise<unknown> = Promise.resolve();
    return (task) => {
        const own = last.then(() => run(task));
        last = own.catch(() => {});
        return own;
    };
}

async function runThere(
    pool: Threads<AnyJob, JobResult>,
    job: AnyJob,
    ledgers: readonly Ledger[],
): Promise<Outcome | null> {
    const started = performance.now();
    try {
        return { job, result: await pool.run(job, ledgers[job.number]!) };
    } catch (error) {
        if (error instanceof NoThread) return null;
        // The thread most likely ran out of memory, and so would this one.
        return { job, result: worker().failureOf(job, error, performance.now() - started) };
    }
}

/**
 * The remaining jobs, in order, on demand.
 *
 * @param find Returns null for a job that is done. Called ahead of demand for some jobs.
 * @returns `end` waits for running calls.
 */
function missingOf(jobs: readonly AnyJob[], find: (job: AnyJob) => Promise<AnyJob | null>) {
    const running: Promise<AnyJob | null>[] = [];
    return {
        async *jobs(): AsyncGenerator<AnyJob, void, undefined> {
            for (let next = 0; next < jobs.length || running.length > 0; ) {
                while (next < jobs.length && running.length < JOBS_TO_FIND) {
                    const job = find(jobs[next++]!);
                    job.catch(() => {}); // awaited below, in order
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

async function runNoting(
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
