// SPDX-License-Identifier: MIT

/** Runs a task. Null if the lane no longer works and another one must take the task. */
export type Lane<T, R> = (task: T) => Promise<R | null>;

/**
 * Runs tasks on several lanes, one at a time on each.
 *
 * @param source Read only while lanes are free, and while fewer results than lanes are waiting.
 * @param stop Called when no more results are wanted: running tasks can end.
 * @param signal Cancels everything, also while waiting for the source.
 * @param join When the lanes after the first one start. At the latest, they start when the first one ends.
 * @returns Results in the order in which they finish.
 * @throws Errors of the source or a lane, or the signal's reason, after the last lane has ended. Waiting results are
 * lost. A source that never answers is abandoned.
 */
export async function* spread<T, R>(
    source: Iterable<T> | AsyncIterable<T>,
    lanes: readonly Lane<T, R>[],
    stop: () => void,
    signal?: AbortSignal,
    join?: Promise<unknown>,
): AsyncGenerator<R, void, undefined> {
    const tasks = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    const usable = new Set(lanes);
    const returned: T[] = [];
    const results: R[] = [];
    let state: 'reading' | 'exhausted' | 'stopped' = 'reading';
    const isStopped = () => state === 'stopped';
    let failure: { readonly error: unknown } | undefined;

    const waiting: (() => void)[] = [];
    const change = () => {
        for (const go of waiting.splice(0)) go();
    };
    const changed = () => new Promise<void>((go) => waiting.push(go));
    let leave = () => {};
    const end = () => {
        if (isStopped()) return;
        // Not awaited: a generator that does not answer `next` would not answer this sooner. A generator that is
        // running and itself ended the iteration rejects at once.
        if (state === 'reading') void (async () => tasks.return?.())().catch(() => {});
        state = 'stopped';
        stop();
        leave();
        change();
    };

    const read = async (): Promise<{ readonly task: T } | null> => {
        if (isStopped()) return null;
        if (returned.length > 0) return { task: returned.pop()! };
        if (state === 'exhausted') return null;
        // Not a race with one shared promise: that would keep every task alive until it settles.
        const next = await new Promise<IteratorResult<T> | undefined>((go, refuse) => {
            leave = () => go(undefined);
            Promise.resolve(tasks.next()).then(go, refuse);
        });
        if (next?.done) state = 'exhausted';
        return next === undefined || next.done ? null : { task: next.value };
    };
    let last: Promise<unknown> = Promise.resolve();
    const take = () => {
        const turn = last.then(read);
        last = turn.catch(() => {});
        return turn;
    };
    const follow = async (lane: Lane<T, R>) => {
        for (let next = await take(); next !== null; next = await take()) {
            const result = await lane(next.task);
            if (isStopped()) return;
            if (result === null) {
                usable.delete(lane);
                returned.push(next.task);
                return;
            }
            results.push(result);
            change();
            while (results.length >= lanes.length && !isStopped()) await changed();
        }
    };
    const fail = (error: unknown) => {
        failure ??= { error };
        end();
    };
    const abort = () => fail(signal!.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let over = false;
    const followAll = async () => {
        let endFirst = () => {};
        const joined = join && Promise.race([join, new Promise<void>((go) => (endFirst = go))]);
        const run = async (lane: Lane<T, R>) => {
            if (lane !== lanes[0]) await joined;
            await follow(lane).catch(fail);
            endFirst();
        };
        do {
            await Promise.all(Array.from(usable, run));
        } while (returned.length > 0 && usable.size > 0 && !isStopped());
        over = true;
        change();
    };
    const all = followAll();
    try {
        while (!isStopped() && (!over || results.length > 0)) {
            if (results.length === 0) await changed();
            else {
                const result = results.shift()!;
                change();
                yield result;
            }
        }
    } finally {
        end();
        await all;
        signal?.removeEventListener('abort', abort);
    }
    if (failure !== undefined) throw failure.error;
}
