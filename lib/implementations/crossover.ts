// SPDX-License-Identifier: MIT

/**
 * Up to how many elements `strict/typescript` is faster than a call into the addon, which costs about as much whatever
 * the list is. The plain functions use it for such lists; the bits are the same. Only where that is more than two
 * elements: less is not worth a second path.
 *
 * Measured by bench/crossover.mjs, which writes bench/crossover.json; of several runs the least. The slerps, products
 * and hierarchies cost more in TypeScript than in a call from the second or third element on.
 */

import type { Limits } from './arguments';

/** Calls with all checks. */
export const CALL_CROSSOVER: Limits = {
    lerpJoints: 4,
    convertJointQuatsToJointMats: 7,
    convertJointMatsToJointQuats: 3,
    normalizeJoints: 10,
    lerpQuats: 7,
};

/** Runs of bound functions, which cost less in both. */
export const BOUND_CROSSOVER: Limits = {
    lerpJoints: 3,
    convertJointQuatsToJointMats: 6,
    convertJointMatsToJointQuats: 3,
    normalizeJoints: 8,
    lerpQuats: 4,
};
