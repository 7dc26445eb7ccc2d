// SPDX-License-Identifier: MIT

/**
 * The version of the bits that every `strict` implementation gives, in lists, in the Rig and in bakes, where `recipe.kernel`
 * says it. It names results, not code: other bits for any input get another version. Compare it with the one beside stored results
 * or hashes. When it changes: CHANGELOG.md; the orders of operations: docs/tables/strict-orders.md and docs/rig.md.
 */
export const STRICT_VERSION = 'strict@1';
