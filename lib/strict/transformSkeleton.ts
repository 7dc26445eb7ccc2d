// SPDX-License-Identifier: MIT
// Twin: native/kernels/transform_skeleton.h

/**
 *     joint = parent · joint, parents first
 *
 * Converts matrices from parent space to model space. "The Skeleton Assembly Line" (2005), section 3.
 */

import { multiply } from './transformJoints';

/**
 * @param jointMats JointMats, 12 floats each, changed in place.
 * @param parents The parent of each joint, before it in the list; -1: a root, which does not change.
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
