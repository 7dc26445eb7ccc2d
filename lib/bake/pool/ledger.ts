// SPDX-License-Identifier: MIT

/**
 * Memory that the thread of the command line shares with those that bake: whether to stop, and how far each job is. Plain
 * numbers in shared memory, so that a busy thread need not answer messages.
 */
export interface Ledger {
    readonly memory: SharedArrayBuffer;
    readonly numbers: Int32Array;
}

const INTERRUPTED = 0;
const FIRST_JOB = 1;
/** Numbers of each job: frames done, frames in all, the rate that is tried before there are frames, and whether it has begun. */
const NUMBERS = 4;

export function createLedger(jobs: number): Ledger {
    return openLedger(new SharedArrayBuffer((FIRST_JOB + jobs * NUMBERS) * Int32Array.BYTES_PER_ELEMENT));
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
    Atomics.store(numbers, FIRST_JOB + job * NUMBERS, done);
    Atomics.store(numbers, FIRST_JOB + job * NUMBERS + 1, total);
}

/** Job number `job` looks whether `rate` frames a second are enough; 0 when it is done. */
export function noteTrial({ numbers }: Ledger, job: number, rate: number): void {
    Atomics.store(numbers, FIRST_JOB + job * NUMBERS + 2, rate);
}

/** A thread has begun with job number `job`. */
export function noteBegun({ numbers }: Ledger, job: number): void {
    Atomics.store(numbers, FIRST_JOB + job * NUMBERS + 3, 1);
}

export function hasBegun({ numbers }: Ledger, job: number): boolean {
    return Atomics.load(numbers, FIRST_JOB + job * NUMBERS + 3) !== 0;
}

/** The progress of all jobs. */
export interface BatchProgress {
    /** Frames evaluated. */
    readonly frames: number;
    /** The number of jobs that are done, with fractions. */
    readonly jobs: number;
    /** The rate that a job which searches for one tries, the maximum of several; 0 where none does. */
    readonly trial: number;
}

export function readProgress({ numbers }: Ledger): BatchProgress {
    let frames = 0;
    let jobs = 0;
    let trial = 0;
    for (let at = FIRST_JOB; at < numbers.length; at += NUMBERS) {
        const done = Atomics.load(numbers, at);
        const total = Atomics.load(numbers, at + 1);
        frames += done;
        if (total > 0) jobs += done / total;
        else trial = Math.max(trial, Atomics.load(numbers, at + 2));
    }
    return { frames, jobs, trial };
}
