// SPDX-License-Identifier: MIT

/**
 * A thread of the pool: it runs one job at a time. This file is as deep as lib/cli/main.ts, because each of the two becomes one
 * file in dist, and looks for the addon and others the same number of folders above.
 */

import { workerData } from 'node:worker_threads';
import { failureOf, type Job, type JobReport, runJob } from './batch/job';
import { isInterrupted, noteBegun, noteProgress, noteTrial, openLedger } from './batch/ledger';
import { interruption } from './exit-codes';

const ledger = openLedger(workerData as SharedArrayBuffer);

/** Milliseconds between looks at whether to stop. */
const LOOK_MILLISECONDS = 25;

/**
 * A report even of what fails: errors of our own classes would not survive the way to another thread. Null of a job that is
 * not begun, because the command was interrupted before.
 */
export default async function work(job: Job): Promise<JobReport | null> {
    if (isInterrupted(ledger)) return null;
    noteBegun(ledger, job.number);
    const started = performance.now();
    const controller = new AbortController();
    const look = () => {
        if (isInterrupted(ledger)) controller.abort(interruption());
    };
    const timer = setInterval(look, LOOK_MILLISECONDS);
    try {
        return await runJob(job, {
            signal: controller.signal,
            onProgress: (done, total) => {
                noteProgress(ledger, job.number, done, total);
                look();
            },
            onTrial: (rate) => {
                noteTrial(ledger, job.number, rate);
                look();
            },
        });
    } catch (error) {
        return failureOf(job, error, performance.now() - started);
    } finally {
        noteTrial(ledger, job.number, 0);
        clearInterval(timer);
    }
}
