// SPDX-License-Identifier: MIT

/** To be loaded first. */
globalThis.forceWebGL = true;
