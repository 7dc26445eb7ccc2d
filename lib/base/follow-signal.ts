// SPDX-License-Identifier: MIT

/**
 * A controller whose signal is aborted with the caller's, too. Whoever makes one aborts it when all is done: the caller's signal may live
 * for long, and would keep a listener each time.
 */
export function followSignal(caller: AbortSignal | undefined): AbortController {
    const controller = new AbortController();
    const follow = () => controller.abort(caller!.reason);
    if (caller?.aborted) follow();
    caller?.addEventListener('abort', follow, { once: true, signal: controller.signal });
    return controller;
}

/**
 * The result of what a caller's function gave, which may never settle.
 *
 * @throws The signal's reason, as soon as it is aborted.
 */
export function unlessAborted<T>(result: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
        const abort = () => reject(signal!.reason);
        if (signal?.aborted) abort();
        signal?.addEventListener('abort', abort, { once: true });
        const done = () => signal?.removeEventListener('abort', abort);
        Promise.resolve(result).finally(done).then(resolve, reject);
    });
}
