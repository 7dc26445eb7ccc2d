// SPDX-License-Identifier: MIT

import type { BakeHooks } from '../base/progress';
import { isInterrupted, type Ledger, noteBegun, noteProgress, noteTrial } from './ledger';

/** What a thread of the pool is sent. Plain data. */
export interface Task<T> {
    readonly work: T;
    readonly ledger: Ledger;
}

/** Milliseconds between looks at whether to stop. */
const LOOK_MILLISECONDS = 25;

/** The hooks of a bake that tell a ledger how far it is. */
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
 * The function of a worker's file that Piscina calls.
 *
 * @param run Does a task. What it throws reaches the other thread without its class and code.
 * @param interruption The reason of the signal that it gets.
 * @returns A function that does one task after the other, however many are sent; null for one that is interrupted before it begins.
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
