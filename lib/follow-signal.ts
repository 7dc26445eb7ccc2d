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
