// SPDX-License-Identifier: MIT

/** Does a task; null where the lane is of no use any more, and the task is another's. */
export type Lane<T, R> = (task: T) => Promise<R | null>;

/**
 * Does tasks on several lanes, each of which does one after the other.
 *
 * @param source Read no further than there are free lanes, and while fewer results than lanes wait to be taken.
 * @param stop Called when nobody wants more results: what runs may end.
 * @param signal Ends everything, also while the source is waited for.
 * @returns The results as they come.
 * @throws What the source or a lane throws, or the signal's reason, when no lane is running any more; results that nobody took are
 * lost. A source that never answers is left alone.
 */
export async function* spread<T, R>(
    source: Iterable<T> | AsyncIterable<T>,
    lanes: readonly Lane<T, R>[],
    stop: () => void,
    signal?: AbortSignal,
): AsyncGenerator<R, void, undefined> {
    const tasks = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    const usable = new Set(lanes);
    const returned: T[] = [];
    const results: R[] = [];
    let state: 'reading' | 'exhausted' | 'stopped' = 'reading';
    const isStopped = () => state === 'stopped';
    let failure: { readonly error: unknown } | undefined;

    const waiting: (() => void)[] = [];
    /** Wakes what waits for something to happen here. */
    const change = () => {
        for (const go of waiting.splice(0)) go();
    };
    const changed = () => new Promise<void>((go) => waiting.push(go));
    /** Ends the wait for the source. */
    let leave = () => {};
    const end = () => {
        if (isStopped()) return;
        // Not waited for: a generator that does not answer `next` answers this no sooner.
        // One that is running, and ended all this itself, refuses at once.
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
        // No race with one promise for all: that would keep each task as long as it is pending.
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
        do {
            await Promise.all(Array.from(usable, (lane) => follow(lane).catch(fail)));
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
