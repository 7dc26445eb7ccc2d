// SPDX-License-Identifier: MIT

/** A controller that follows the caller's signal. Abort it after the work, or that signal keeps a listener. */
export function followSignal(caller: AbortSignal | undefined): AbortController {
    const controller = new AbortController();
    const follow = () => controller.abort(caller!.reason);
    if (caller?.aborted) follow();
    caller?.addEventListener('abort', follow, { once: true, signal: controller.signal });
    return controller;
}

/** Awaits the result of a caller's function, which may never settle. Throws the signal's reason at once. */
export function unlessAborted<T>(result: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
        const abort = () => reject(signal!.reason);
        if (signal?.aborted) abort();
        signal?.addEventListener('abort', abort, { once: true });
        const done = () => signal?.removeEventListener('abort', abort);
        Promise.resolve(result).finally(done).then(resolve, reject);
    });
}
