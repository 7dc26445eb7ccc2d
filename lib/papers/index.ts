// SPDX-License-Identifier: MIT

import { atanPositive } from './atanPositive';
import * as blueprints from './blueprints';
import { convertJointMatsToJointQuats } from './convertJointMatsToJointQuats';
import { convertJointQuatsToJointMats } from './convertJointQuatsToJointMats';
import * as eberly from './eberly';
import * as intel from './intel';
import { lerp, lerpQuats } from './lerp';
import { lerpJoints } from './lerpJoints';
import { reciprocalSqrt } from './reciprocalSqrt';
import { sinZeroHalfPI } from './sinZeroHalfPI';
import { slerp, slerpQuats, slerpTimes } from './slerp';
import { slerpJoints } from './slerpJoints';
import { slerpOptimized, slerpOptimizedExact } from './slerpOptimized';
import { slerpTransformed } from './slerpTransformed';
import { transformJoints } from './transformJoints';
import { transformSkeleton } from './transformSkeleton';
import { untransformSkeleton } from './untransformSkeleton';

function overList(of: (x: number) => number) {
    return (result: Float32Array, x: Float32Array, count: number): void => {
        for (let i = 0; i < count; i++) result[i] = of(x[i]!);
    };
}

/** The implementation `paper/typescript`. */
export const paperKernels = {
    slerpJoints,
    lerpJoints,
    convertJointQuatsToJointMats,
    convertJointMatsToJointQuats,
    transformSkeleton,
    untransformSkeleton,
    transformJoints,
    slerpQuats,
    lerpQuats,
    slerpQuatTimes: slerpTimes,
    slerp,
    slerpTransformed,
    slerpOptimized,
    slerpOptimizedExact,
    lerp,
    reciprocalSqrt: overList(reciprocalSqrt),
    sinZeroHalfPI: overList(sinZeroHalfPI),
    atanPositive(result: Float32Array, y: Float32Array, x: Float32Array, count: number): void {
        for (let i = 0; i < count; i++) result[i] = atanPositive(y[i]!, x[i]!);
    },
};

/** The implementation `blueprint/typescript`. */
export const blueprintKernels = {
    convertJointQuatsToJointMats: blueprints.convertJointQuatsToJointMats,
    convertJointMatsToJointQuats: blueprints.convertJointMatsToJointQuats,
};

/** The implementation `intel/typescript`. */
export const intelKernels = { slerpQuats: intel.slerpQuats };

/** The implementation `eberly/typescript`. */
export const eberlyKernels = {
    slerp: eberly.slerp,
    slerpQuats: eberly.slerpQuats,
    slerpQuatTimes: eberly.slerpQuatTimes,
};
