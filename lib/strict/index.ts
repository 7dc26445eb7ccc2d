// SPDX-License-Identifier: MIT

import { convertJointMatsToJointQuats } from './convertJointMatsToJointQuats';
import { convertJointQuatsToJointMats } from './convertJointQuatsToJointMats';
import { lerpJoints } from './lerpJoints';
import { lerpQuats } from './lerpQuats';
import { normalizeJoints } from './normalizeJoints';
import { slerpJoints } from './slerpJoints';
import { slerpJointsPerJoint } from './slerpJointsPerJoint';
import { slerpQuats } from './slerpQuats';
import { slerpQuatsPerQuat } from './slerpQuatsPerQuat';
import { slerpQuatTimes } from './slerpQuatTimes';
import { transformJoints } from './transformJoints';
import { transformSkeleton } from './transformSkeleton';
import { untransformSkeleton } from './untransformSkeleton';

/**
 * The implementation `strict/typescript`: every operation rounded to float32, in the order of docs/tables/strict-orders.md,
 * so that the bits are those of the other `strict` implementations. They run behind checks made elsewhere.
 */
export const strictKernels = {
    slerpJoints,
    slerpJointsPerJoint,
    lerpJoints,
    normalizeJoints,
    convertJointQuatsToJointMats,
    convertJointMatsToJointQuats,
    transformSkeleton,
    untransformSkeleton,
    transformJoints,
    slerpQuats,
    slerpQuatsPerQuat,
    slerpQuatTimes,
    lerpQuats,
};
