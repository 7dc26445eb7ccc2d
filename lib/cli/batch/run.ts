// SPDX-License-Identifier: MIT

import { basename, join } from 'node:path';
import type { Job, JobReport } from './job';
import {
    type BatchProgress,
    createLedger,
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
    /** Called for each job, in the order of `jobs`. */
    onReport(report: JobReport): void;
}

const LOOK_MILLISECONDS = 100;

/**
 * Runs jobs; one that fails does not keep the others from running.
 *
 * @param threads With 1 in this thread, otherwise on so many workers. The files are the same bytes.
 * @throws The signal's reason, when no job is running any more.
 */
export async function runJobs(jobs: readonly Job[], threads: number, hooks: BatchHooks): Promise<void> {
    const ledger = createLedger(jobs.length);
    const show = () => hooks.onProgress(readProgress(ledger));
    if (threads === 1) {
        for (const job of jobs) {
            const report = await runHere(job, ledger, hooks.signal, show);
            hooks.signal?.throwIfAborted();
            hooks.onReport(report);
        }
        return;
    }
    const timer = setInterval(show, LOOK_MILLISECONDS);
    try {
        await runOnWorkers(jobs, threads, ledger, hooks);
    } finally {
        clearInterval(timer);
    }
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
): Promise<JobReport> {
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

async function runOnWorkers(
    jobs: readonly Job[],
    threads: number,
    ledger: Ledger,
    { signal, onReport }: BatchHooks,
): Promise<void> {
    signal?.throwIfAborted();
    // A backend that does not exist, or not here, ends the command, and not each of its jobs.
    if (process.env.POSELANE_BACKEND) baker();
    // Here and not above: most calls bake one file, and start faster without it.
    const { Piscina } = require('piscina') as typeof import('piscina');
    const pool = new Piscina({
        filename: workerFile(),
        minThreads: threads,
        maxThreads: threads,
        workerData: ledger.memory,
    });
    const stop = () => interrupt(ledger);
    signal?.addEventListener('abort', stop, { once: true });
    try {
        const running = jobs.map((job) => {
            const started = performance.now();
            // Where a thread ends without an answer, for want of memory.
            return (pool.run(job) as Promise<JobReport>).catch((error) =>
                baker().failureOf(job, error, performance.now() - started),
            );
        });
        for (const job of running) {
            const report = await job;
            if (!signal?.aborted) onReport(report);
        }
    } finally {
        signal?.removeEventListener('abort', stop);
        await pool.destroy();
    }
    signal?.throwIfAborted();
}
