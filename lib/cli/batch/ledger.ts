// SPDX-License-Identifier: MIT

/**
 * What the thread of the command line and those that bake share: whether to stop, and how far each job is. Plain
 * numbers in shared memory, so that a busy thread need not answer messages.
 */
export interface Ledger {
    readonly memory: SharedArrayBuffer;
    readonly numbers: Int32Array;
}

const INTERRUPTED = 0;
const FIRST_JOB = 1;

export function createLedger(jobs: number): Ledger {
    return openLedger(new SharedArrayBuffer((FIRST_JOB + jobs * 2) * Int32Array.BYTES_PER_ELEMENT));
}

export function openLedger(memory: SharedArrayBuffer): Ledger {
    return { memory, numbers: new Int32Array(memory) };
}

export function interrupt({ numbers }: Ledger): void {
    Atomics.store(numbers, INTERRUPTED, 1);
}

export function isInterrupted({ numbers }: Ledger): boolean {
    return Atomics.load(numbers, INTERRUPTED) !== 0;
}

/** Job number `job` has evaluated `done` of `total` frames. */
export function noteProgress({ numbers }: Ledger, job: number, done: number, total: number): void {
    Atomics.store(numbers, FIRST_JOB + job * 2, done);
    Atomics.store(numbers, FIRST_JOB + job * 2 + 1, total);
}

/** Frames evaluated by all jobs, and the jobs' progress, each 0 to 1, added up. */
export function readProgress({ numbers }: Ledger): { frames: number; jobs: number } {
    let frames = 0;
    let jobs = 0;
    for (let at = FIRST_JOB; at < numbers.length; at += 2) {
        const done = Atomics.load(numbers, at);
        const total = Atomics.load(numbers, at + 1);
        frames += done;
        if (total > 0) jobs += done / total;
    }
    return { frames, jobs };
}
