// SPDX-License-Identifier: MIT

/**
 * The version of the bits that every `strict` implementation gives, in lists, in the Rig and in bakes, where it is `recipe.kernel`. It
 * names results, not code: other bits for any input get another version. Compare it with the one beside stored results or hashes.
 * CHANGELOG.md lists its changes; docs/tables/strict-orders.md and docs/rig.md list the orders of operations.
 */
export const STRICT_VERSION = 'strict@1';
