// SPDX-License-Identifier: MIT

import { closeSync, openSync } from 'node:fs';
import type { Piscina } from 'piscina';
import type { ArgumentErrorCode } from '../base/errors';
import { hasBegun, type Ledger } from './ledger';
import type { Task } from './serve';

export interface Threads<T, R> {
    readonly count: number;
    /**
     * Runs a task. Null for one that was interrupted before it began.
     *
     * @throws NoThread if no thread could start. After a thread has begun the task, its error, mostly that it ran out
     * of memory.
     */
    run(work: T, ledger: Ledger): Promise<R | null>;
    close(): Promise<void>;
}

export class NoThread extends Error {
    readonly code = 'ERR_NO_THREAD' satisfies ArgumentErrorCode;
}

/** Files that a worker may have open: about five for its event loop, and those that it loads, reads and writes. */
const WORKER_FILES = 8;

/**
 * Starts threads.
 *
 * @param worker The file that they run. Its default export is the result of `serve`.
 * @param wanted Number of threads. If they cannot all start, there are fewer.
 * @param options `atOnce`: whether to start all now, instead of each on demand. `ahead`: number of tasks sent to a
 * thread at once.
 * @returns Null if no thread can start.
 */
export function openThreads<T, R>(
    worker: string,
    wanted: number,
    { atOnce, ahead }: { atOnce: boolean; ahead: number },
): Threads<T, R> | null {
    const count = Math.min(wanted, Math.floor(filesToBeHad(wanted * WORKER_FILES) / WORKER_FILES));
    if (count < 1) return null;
    // Loaded on demand: most calls bake one file, and start faster without it.
    const { Piscina } = require('piscina') as typeof import('piscina');
    let pool: Piscina;
    try {
        pool = new Piscina({
            filename: worker,
            minThreads: atOnce ? count : 1,
            maxThreads: count,
            idleTimeout: Infinity,
            concurrentTasksPerWorker: ahead,
        });
    } catch {
        return null; // the system has no more threads
    }
    // Piscina replaces threads that are ending when it is destroyed again.
    let closing: Promise<void> | undefined;
    // Without workers, queued tasks would wait forever. Destroying the pool rejects them.
    const giveUp = () => {
        if (pool.threads.length === 0 && closing === undefined) void pool.destroy();
    };
    pool.on('error', giveUp); // of a worker that ends without a task
    return {
        count,
        async run(work, ledger) {
            const task: Task<T> = { work, ledger };
            try {
                return await pool.run(task);
            } catch (error) {
                giveUp();
                throw hasBegun(ledger) ? error : new NoThread('no thread could be started', { cause: error });
            }
        },
        close: () => (closing ??= pool.destroy()),
    };
}

/**
 * Number of files that this process can still open, up to `wanted`. Workers that cannot open theirs would fail all
 * their tasks.
 */
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
