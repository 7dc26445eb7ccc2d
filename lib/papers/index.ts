// SPDX-License-Identifier: MIT

import * as blueprints from './blueprints';
import * as eberly from './eberly';
import { convertJointMatsToJointQuats, convertJointQuatsToJointMats } from './from-quaternion-to-matrix-and-back';
import * as intel from './intel';
import {
    atanPositive,
    lerp,
    lerpJoints,
    lerpQuats,
    reciprocalSqrt,
    sinZeroHalfPI,
    slerp,
    slerpJoints,
    slerpOptimized,
    slerpOptimizedExact,
    slerpQuats,
    slerpTimes,
    slerpTransformed,
} from './slerping-clock-cycles';
import { transformJoints, transformSkeleton, untransformSkeleton } from './the-skeleton-assembly-line';

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
