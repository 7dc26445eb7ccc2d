// SPDX-License-Identifier: MIT

/**
 * Memory that whoever gives out a task shares with the thread that does it: whether to stop, and how far it is. Plain numbers in shared
 * memory, so that a busy thread need not answer messages.
 */
export type Ledger = Int32Array<SharedArrayBuffer>;

const INTERRUPTED = 0;
const BEGUN = 1;
const DONE = 2;
const TOTAL = 3;
/** The rate that is tried before there are frames. */
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

/** `done` of `total` frames are evaluated. */
export function noteProgress(ledger: Ledger, done: number, total: number): void {
    Atomics.store(ledger, DONE, done);
    Atomics.store(ledger, TOTAL, total);
}

/** It is looked whether `rate` frames a second are enough; 0 when that is over. */
export function noteTrial(ledger: Ledger, rate: number): void {
    Atomics.store(ledger, TRIAL, rate);
}

export function noteBegun(ledger: Ledger): void {
    Atomics.store(ledger, BEGUN, 1);
}

export function hasBegun(ledger: Ledger): boolean {
    return Atomics.load(ledger, BEGUN) !== 0;
}

/** How far a task is; `trial` is 0 where no rate is tried. */
export function readProgress(ledger: Ledger): { done: number; total: number; trial: number } {
    return { done: Atomics.load(ledger, DONE), total: Atomics.load(ledger, TOTAL), trial: Atomics.load(ledger, TRIAL) };
}
