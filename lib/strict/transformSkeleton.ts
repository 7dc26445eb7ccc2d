// SPDX-License-Identifier: MIT

import { multiply } from './transformJoints';

/**
 * Matrices relative to the parent become relative to the model, parents first ("The Skeleton Assembly Line").
 *
 * @param jointMats JointMats, 12 floats each, changed in place.
 * @param parents The parent of each joint, before it in the list; -1: a root, which stays as it is.
 */
export function transformSkeleton(
    jointMats: Float32Array,
    parents: Int32Array,
    firstJoint: number,
    lastJoint: number,
): void {
    for (let i = firstJoint; i <= lastJoint; i++) {
        const parent = parents[i]!;
        if (parent >= 0) multiply(jointMats, i * 12, jointMats, parent * 12, jointMats, i * 12);
    }
}
