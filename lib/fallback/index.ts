// SPDX-License-Identifier: MIT

import type { CheckedKernels } from '../backend/raw';
import { convertJointMatsToJointQuats } from './convertJointMatsToJointQuats';
import { convertJointQuatsToJointMats } from './convertJointQuatsToJointMats';
import { lerpJoints } from './lerpJoints';
import { slerpJoints } from './slerpJoints';
import { transformJoints } from './transformJoints';
import { transformSkeleton } from './transformSkeleton';
import { untransformSkeleton } from './untransformSkeleton';

/** The implementation `paper/typescript`. */
export const typescriptKernels: CheckedKernels = {
    slerpJoints,
    lerpJoints,
    convertJointQuatsToJointMats,
    convertJointMatsToJointQuats,
    transformSkeleton,
    untransformSkeleton,
    transformJoints,
};
