// SPDX-License-Identifier: MIT

import { closeSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Piscina } from 'piscina';
import type { Job, JobReport } from './job';
import {
    type BatchProgress,
    createLedger,
    hasBegun,
    interrupt,
    type Ledger,
    noteProgress,
    noteTrial,
    readProgress,
} from './ledger';

export interface BatchHooks {
    readonly signal?: AbortSignal;
    /** Called some ten times a second. */
    onProgress(progress: BatchProgress): void;
    /** Called for each job that was begun, as soon as it has ended. */
    onEnd(report: JobReport): void;
    /** Called for each job that was begun, in the order of `jobs`. */
    onReport(job: Job, report: JobReport): void;
}

/** Runs a job in this thread; null where it is not begun any more, because the signal is aborted. */
type RunHere = (job: Job) => Promise<JobReport | null>;

const LOOK_MILLISECONDS = 100;

/** Files that a worker may have open: some five for its event loop, and those that it loads, reads and writes. */
const WORKER_FILES = 8;

/**
 * Runs jobs; one that fails does not keep the others from running.
 *
 * @param threads With 1 in this thread, otherwise on so many workers, or as many as can be started. The files are the same bytes.
 * @throws The signal's reason, when no job is running any more.
 */
export async function runJobs(jobs: readonly Job[], threads: number, hooks: BatchHooks): Promise<void> {
    const ledger = createLedger(jobs.length);
    const show = () => hooks.onProgress(readProgress(ledger));
    const here: RunHere = async (job) => {
        const report = await runHere(job, ledger, hooks.signal, show);
        if (report !== null) hooks.onEnd(report);
        return report;
    };
    const pool = threads > 1 && !hooks.signal?.aborted ? createPool(threads, ledger) : null;
    if (pool !== null) await runOnWorkers(jobs, pool, ledger, hooks, here);
    else {
        for (const job of jobs) {
            const report = await here(job);
            if (report !== null) hooks.onReport(job, report);
        }
    }
    hooks.signal?.throwIfAborted();
}

/** The baker, which this thread needs only where it bakes itself. */
function baker(): typeof import('./job') {
    return require('./job');
}

/** Beside the command's one file in dist/cli, and above the folder of this one. */
function workerFile(): string {
    return join(__dirname, basename(__dirname) === 'batch' ? '../worker.js' : 'worker.js');
}

async function runHere(
    job: Job,
    ledger: Ledger,
    signal: AbortSignal | undefined,
    show: () => void,
): Promise<JobReport | null> {
    if (signal?.aborted) return null;
    const { failureOf, runJob } = baker();
    const started = performance.now();
    const onProgress = (done: number, total: number) => {
        noteProgress(ledger, job.number, done, total);
        show();
    };
    const onTrial = (rate: number) => {
        noteTrial(ledger, job.number, rate);
        show();
    };
    try {
        return await runJob(job, { signal, onProgress, onTrial });
    } catch (error) {
        return failureOf(job, error, performance.now() - started);
    } finally {
        noteTrial(ledger, job.number, 0);
    }
}

/** Null where there are not even two workers to be had. */
function createPool(threads: number, ledger: Ledger): Piscina | null {
    // A backend that does not exist, or not here, ends the command, and not each of its jobs.
    if (process.env.POSELANE_BACKEND) baker();
    const workers = Math.min(threads, Math.floor(filesToBeHad(threads * WORKER_FILES) / WORKER_FILES));
    if (workers < 2) return null;
    // Loaded here: most calls bake one file, and start faster without it.
    const { Piscina } = require('piscina') as typeof import('piscina');
    try {
        return new Piscina({
            filename: workerFile(),
            minThreads: workers,
            maxThreads: workers,
            workerData: ledger.memory,
        });
    } catch {
        return null; // the system has no more threads
    }
}

/** The number of files that this process can still open, up to `wanted`. Workers that cannot open theirs would fail all their jobs. */
function filesToBeHad(wanted: number): number {
    const open: number[] = [];
    try {
        while (open.length < wanted) open.push(openSync(__filename, 'r'));
    } catch {
        // The limit is reached.
    } finally {
        for (const file of open) closeSync(file);
    }
    return open.length;
}

/** Jobs that no worker has begun, because it could not start, are run here when the workers are gone. */
async function runOnWorkers(
    jobs: readonly Job[],
    pool: Piscina,
    ledger: Ledger,
    { signal, onProgress, onEnd, onReport }: BatchHooks,
    here: RunHere,
): Promise<void> {
    const timer = setInterval(() => onProgress(readProgress(ledger)), LOOK_MILLISECONDS);
    const stop = () => interrupt(ledger);
    signal?.addEventListener('abort', stop, { once: true });
    // Without a worker the jobs in the pool's queue would wait for ever: a pool that is destroyed refuses them.
    const giveUp = () => {
        if (pool.threads.length === 0) void pool.destroy();
    };
    pool.on('error', giveUp); // of a worker that ends without a job
    const answers = jobs.map((job) => pool.run(job) as Promise<JobReport | null>);
    for (const answer of answers) answer.then((report) => report && onEnd(report), giveUp);
    const over = Promise.allSettled(answers).then(() => pool.destroy());
    try {
        for (const [index, job] of jobs.entries()) {
            const started = performance.now();
            const report = await answers[index]!.catch(async (error) => {
                // A thread that ends while it bakes has run out of memory, most likely, and this one would, too.
                if (hasBegun(ledger, job.number)) {
                    const failure = baker().failureOf(job, error, performance.now() - started);
                    onEnd(failure);
                    return failure;
                }
                await over;
                return here(job);
            });
            if (report !== null) onReport(job, report);
        }
    } finally {
        signal?.removeEventListener('abort', stop);
        clearInterval(timer);
        await pool.destroy();
        await over;
    }
}
