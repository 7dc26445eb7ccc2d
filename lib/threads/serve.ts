// SPDX-License-Identifier: MIT

import type { BakeHooks } from '../base/progress';
import { isInterrupted, type Ledger, noteBegun, noteProgress, noteTrial } from './ledger';

/** A task for a thread of the pool. Plain data. */
export interface Task<T> {
    readonly work: T;
    readonly ledger: Ledger;
}

/** Milliseconds between checks whether to stop. */
const LOOK_MILLISECONDS = 25;

/** Hooks of a bake that record progress in a ledger. */
export function notingHooks(ledger: Ledger, signal: AbortSignal | undefined, look: () => void): BakeHooks {
    return {
        signal,
        onProgress(done, total) {
            noteProgress(ledger, done, total);
            look();
        },
        onTrial(rate) {
            noteTrial(ledger, rate);
            look();
        },
    };
}

/**
 * Makes the function of a worker file that Piscina calls.
 *
 * @param run Runs a task. Its errors reach the other thread without class and code.
 * @param interruption The reason of the signal that `run` gets.
 * @returns A function that runs tasks one after another, even if several are sent. It returns null for a task that is
 * interrupted before it begins.
 */
export function serve<T, R>(run: (work: T, hooks: BakeHooks) => Promise<R>, interruption: () => Error) {
    const work = async ({ work, ledger }: Task<T>): Promise<R | null> => {
        if (isInterrupted(ledger)) return null;
        noteBegun(ledger);
        const controller = new AbortController();
        const look = () => {
            if (isInterrupted(ledger)) controller.abort(interruption());
        };
        const timer = setInterval(look, LOOK_MILLISECONDS);
        try {
            return await run(work, notingHooks(ledger, controller.signal, look));
        } finally {
            noteTrial(ledger, 0);
            clearInterval(timer);
        }
    };
    let last: Promise<unknown> = Promise.resolve();
    return (task: Task<T>): Promise<R | null> => {
        const answer = last.then(() => work(task));
        last = answer.catch(() => {});
        return answer;
    };
}
