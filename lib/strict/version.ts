// SPDX-License-Identifier: MIT

/**
 * Version of the results of all `strict` implementations: lists, the Rig and bakes (`recipe.kernel`). It changes if any
 * input gives other bits. Compare it with the version stored with results or hashes. CHANGELOG.md lists its changes;
 * docs/tables/strict-orders.md and docs/tables/rig-orders.md list the orders of operations.
 */
export const STRICT_VERSION = 'strict@1';
