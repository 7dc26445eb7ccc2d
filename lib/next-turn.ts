// SPDX-License-Identifier: MIT

/** Lets the event loop run. */
export function nextTurn(): Promise<void> {
    // Browsers have no setImmediate.
    return new Promise((go) => ((globalThis.setImmediate as typeof setImmediate | undefined) ?? setTimeout)(go));
}
