// SPDX-License-Identifier: MIT

/** `node:timers/promises` in a page, as far as measurements need it. */
export const setTimeout = (milliseconds) => new Promise((resolve) => globalThis.setTimeout(resolve, milliseconds));
