// SPDX-License-Identifier: MIT

/** The part of `node:timers/promises` that measurements need, in a page. */
export const setTimeout = (milliseconds) => new Promise((resolve) => globalThis.setTimeout(resolve, milliseconds));
