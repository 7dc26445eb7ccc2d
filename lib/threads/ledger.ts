// SPDX-License-Identifier: MIT

/**
 * Memory shared between a task's sender and its thread: whether to stop, and the progress. Shared numbers, so that a
 * busy thread need not answer messages.
 */
export type Ledger = Int32Array<SharedArrayBuffer>;

const INTERRUPTED = 0;
const BEGUN = 1;
const DONE = 2;
const TOTAL = 3;
/** The rate on trial, before frames are evaluated. */
const TRIAL = 4;
const NUMBERS = 5;

export function createLedger(): Ledger {
    return new Int32Array(new SharedArrayBuffer(NUMBERS * Int32Array.BYTES_PER_ELEMENT));
}

export function interrupt(ledger: Ledger): void {
    Atomics.store(ledger, INTERRUPTED, 1);
}

export function isInterrupted(ledger: Ledger): boolean {
    return Atomics.load(ledger, INTERRUPTED) !== 0;
}

export function noteProgress(ledger: Ledger, done: number, total: number): void {
    Atomics.store(ledger, DONE, done);
    Atomics.store(ledger, TOTAL, total);
}

/** Records the rate on trial; 0 when all trials are over. */
export function noteTrial(ledger: Ledger, rate: number): void {
    Atomics.store(ledger, TRIAL, rate);
}

export function noteBegun(ledger: Ledger): void {
    Atomics.store(ledger, BEGUN, 1);
}

export function hasBegun(ledger: Ledger): boolean {
    return Atomics.load(ledger, BEGUN) !== 0;
}

/** The progress of a task. `trial` is 0 if no rate is on trial. */
export function readProgress(ledger: Ledger): { done: number; total: number; trial: number } {
    return { done: Atomics.load(ledger, DONE), total: Atomics.load(ledger, TOTAL), trial: Atomics.load(ledger, TRIAL) };
}
