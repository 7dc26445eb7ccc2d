// SPDX-License-Identifier: MIT

/** Milliseconds of work between two turns of the event loop. Other threads wait that long for their next task. */
const WORK = 10;

/** Runs work with short steps, between which the event loop runs. Throws the signal's reason. */
export async function inTurns<T>(steps: Iterator<void, T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
        await nextTurn();
        signal?.throwIfAborted();
        const end = performance.now() + WORK;
        do {
            const { done, value } = steps.next();
            if (done) return value;
        } while (performance.now() < end);
    }
}

export function nextTurn(): Promise<void> {
    // Browsers have no setImmediate.
    return new Promise((go) => ((globalThis.setImmediate as typeof setImmediate | undefined) ?? setTimeout)(go));
}
