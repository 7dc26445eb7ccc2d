// SPDX-License-Identifier: MIT

/**
 * Public functions on joint lists over a backend's kernels: checks before the TypeScript ones, words after the addon's
 * refusals. The addon also refuses empty lists, because it cannot tell them from lists whose buffers are gone.
 */

import type { CheckedKernels, NativeKernels } from '../backend/contract';
import {
    checkBlend,
    checkConvertToMats,
    checkConvertToQuats,
    checkSkeleton,
    checkTransformJoints,
} from '../checks/joints';
import { ALL, changedMeanwhile, INVALID, integerOr, UP_TO_LAST } from './arguments';
import type { JointKernels } from './kernels';

/** The public functions of TypeScript kernels. */
export function bindTypescriptJoints(kernels: CheckedKernels): JointKernels {
    return {
        slerpJoints(joints, blendJoints, lerp, index, numJoints) {
            const count = checkBlend('slerpJoints', joints, blendJoints, lerp, index, numJoints);
            kernels.slerpJoints(joints, blendJoints, lerp, index ?? null, count);
        },
        lerpJoints(joints, blendJoints, lerp, index, numJoints) {
            const count = checkBlend('lerpJoints', joints, blendJoints, lerp, index, numJoints);
            kernels.lerpJoints(joints, blendJoints, lerp, index ?? null, count);
        },
        convertJointQuatsToJointMats(jointMats, jointQuats, options) {
            const { numJoints, convention } = checkConvertToMats(jointMats, jointQuats, options);
            kernels.convertJointQuatsToJointMats(jointMats, jointQuats, numJoints, convention);
        },
        convertJointMatsToJointQuats(jointQuats, jointMats, options) {
            const { numJoints, convention } = checkConvertToQuats(jointQuats, jointMats, options);
            kernels.convertJointMatsToJointQuats(jointQuats, jointMats, numJoints, convention);
        },
        transformSkeleton(jointMats, parents, firstJoint, lastJoint) {
            const range = checkSkeleton('transformSkeleton', jointMats, parents, firstJoint, lastJoint);
            kernels.transformSkeleton(jointMats, parents, range.firstJoint, range.lastJoint);
        },
        untransformSkeleton(jointMats, parents, firstJoint, lastJoint) {
            const range = checkSkeleton('untransformSkeleton', jointMats, parents, firstJoint, lastJoint);
            kernels.untransformSkeleton(jointMats, parents, range.firstJoint, range.lastJoint);
        },
        transformJoints(result, joints1, joints2, numJoints) {
            const count = checkTransformJoints(result, joints1, joints2, numJoints);
            kernels.transformJoints(result, joints1, joints2, count);
        },
    };
}

function bindNativeBlend(
    routine: 'slerpJoints' | 'lerpJoints',
    call: NonNullable<NativeKernels['slerpJoints']>,
): JointKernels['slerpJoints'] {
    return (joints, blendJoints, lerp, index, numJoints) => {
        if (call(joints, blendJoints, lerp, index ?? null, integerOr(numJoints, ALL, 0)) !== undefined) {
            const count = checkBlend(routine, joints, blendJoints, lerp, index, numJoints);
            if (count > 0) throw changedMeanwhile(routine);
        }
    };
}

function bindNativeConvert(
    routine: string,
    call: NonNullable<NativeKernels['convertJointQuatsToJointMats']>,
    check: typeof checkConvertToMats,
): JointKernels['convertJointQuatsToJointMats'] {
    return (to, from, options) => {
        // Each option is read once: an accessor could answer differently the second time.
        let numJoints: unknown;
        let convention: unknown;
        const isObject = typeof options === 'object' && options !== null;
        if (isObject) {
            numJoints = options.numJoints;
            convention = options.convention;
        }
        const known = convention === undefined || convention === 'id' || convention === 'gltf';
        const valid = known && (isObject || options === undefined);
        if (call(to, from, valid ? integerOr(numJoints, ALL, 0) : INVALID, convention === 'gltf') !== undefined) {
            const resolved = check(to, from, isObject ? { numJoints, convention } : options);
            if (resolved.numJoints > 0) throw changedMeanwhile(routine);
        }
    };
}

function bindNativeSkeleton(
    routine: 'transformSkeleton' | 'untransformSkeleton',
    call: NonNullable<NativeKernels['transformSkeleton']>,
): JointKernels['transformSkeleton'] {
    return (jointMats, parents, firstJoint, lastJoint) => {
        const first = integerOr(firstJoint, 1, 0);
        const last = integerOr(lastJoint, UP_TO_LAST, -1);
        if (call(jointMats, parents, first, last) !== undefined) {
            const range = checkSkeleton(routine, jointMats, parents, firstJoint, lastJoint);
            if (range.firstJoint <= range.lastJoint) throw changedMeanwhile(routine);
        }
    };
}

/** The public functions of the routines that a native implementation has. */
export function bindNativeJoints(kernels: NativeKernels): Partial<JointKernels> {
    const bound: Partial<JointKernels> = {};
    if (kernels.slerpJoints) bound.slerpJoints = bindNativeBlend('slerpJoints', kernels.slerpJoints);
    if (kernels.lerpJoints) bound.lerpJoints = bindNativeBlend('lerpJoints', kernels.lerpJoints);
    if (kernels.convertJointQuatsToJointMats) {
        bound.convertJointQuatsToJointMats = bindNativeConvert(
            'convertJointQuatsToJointMats',
            kernels.convertJointQuatsToJointMats,
            checkConvertToMats,
        );
    }
    if (kernels.convertJointMatsToJointQuats) {
        bound.convertJointMatsToJointQuats = bindNativeConvert(
            'convertJointMatsToJointQuats',
            kernels.convertJointMatsToJointQuats,
            checkConvertToQuats,
        );
    }
    if (kernels.transformSkeleton) {
        bound.transformSkeleton = bindNativeSkeleton('transformSkeleton', kernels.transformSkeleton);
    }
    if (kernels.untransformSkeleton) {
        bound.untransformSkeleton = bindNativeSkeleton('untransformSkeleton', kernels.untransformSkeleton);
    }
    const transformJoints = kernels.transformJoints;
    if (transformJoints) {
        bound.transformJoints = (result, joints1, joints2, numJoints) => {
            if (transformJoints(result, joints1, joints2, integerOr(numJoints, ALL, 0)) !== undefined) {
                const count = checkTransformJoints(result, joints1, joints2, numJoints);
                if (count > 0) throw changedMeanwhile('transformJoints');
            }
        };
    }
    return bound;
}
