// SPDX-License-Identifier: MIT

/**
 * Public functions on joint lists over a backend's kernels: checks before the TypeScript ones, words after the addon's
 * refusals. The addon also refuses empty lists, because it cannot tell them from lists whose buffers are gone.
 *
 * Each function is written out, although some are alike: the compiler puts in line what a place in the source calls,
 * as long as it is always the same.
 */

import type { CheckedKernels, Convention, NativeKernels } from '../backend/contract';
import {
    checkBlend,
    checkBlendPerJoint,
    checkConvertToMats,
    checkConvertToQuats,
    checkNormalize,
    checkSkeleton,
    checkTransformJoints,
} from '../checks/joints';
import { JOINT_MAT_FLOATS, JOINT_QUAT_FLOATS } from '../checks/layout';
import {
    quickBlend,
    quickBlendPerJoint,
    quickConvert,
    quickNormalize,
    quickSkeleton,
    quickTransformJoints,
} from '../checks/quick';
import { ALL, changedMeanwhile, INVALID, integerOr, type Limits, readOptions, UP_TO_LAST } from './arguments';
import type { JointKernels } from './kernels';

type JointCalls = Partial<JointKernels>;

/** TypeScript kernels behind the checks that know all faults by name. */
export function checkedJointCalls(kernels: Partial<CheckedKernels>): JointCalls {
    const {
        slerpJoints,
        lerpJoints,
        convertJointQuatsToJointMats,
        convertJointMatsToJointQuats,
        transformSkeleton,
        untransformSkeleton,
        transformJoints,
        slerpJointsPerJoint,
        normalizeJoints,
    } = kernels;
    const calls: JointCalls = {};
    if (slerpJoints) {
        calls.slerpJoints = (joints, blendJoints, lerp, index, numJoints) => {
            const { count } = checkBlend('slerpJoints', joints, blendJoints, lerp, index, numJoints);
            slerpJoints(joints, blendJoints, Math.fround(lerp), index ?? null, count);
        };
    }
    if (lerpJoints) {
        calls.lerpJoints = (joints, blendJoints, lerp, index, numJoints) => {
            const { count } = checkBlend('lerpJoints', joints, blendJoints, lerp, index, numJoints);
            lerpJoints(joints, blendJoints, Math.fround(lerp), index ?? null, count);
        };
    }
    if (convertJointQuatsToJointMats) {
        calls.convertJointQuatsToJointMats = (jointMats, jointQuats, options) => {
            const routine = 'convertJointQuatsToJointMats';
            const { numJoints, convention } = checkConvertToMats(routine, jointMats, jointQuats, options);
            convertJointQuatsToJointMats(jointMats, jointQuats, numJoints, convention);
        };
    }
    if (convertJointMatsToJointQuats) {
        calls.convertJointMatsToJointQuats = (jointQuats, jointMats, options) => {
            const routine = 'convertJointMatsToJointQuats';
            const { numJoints, convention } = checkConvertToQuats(routine, jointQuats, jointMats, options);
            convertJointMatsToJointQuats(jointQuats, jointMats, numJoints, convention);
        };
    }
    if (transformSkeleton) {
        calls.transformSkeleton = (jointMats, parents, firstJoint, lastJoint) => {
            const range = checkSkeleton('transformSkeleton', jointMats, parents, firstJoint, lastJoint);
            transformSkeleton(jointMats, parents, range.firstJoint, range.lastJoint);
        };
    }
    if (untransformSkeleton) {
        calls.untransformSkeleton = (jointMats, parents, firstJoint, lastJoint) => {
            const range = checkSkeleton('untransformSkeleton', jointMats, parents, firstJoint, lastJoint);
            untransformSkeleton(jointMats, parents, range.firstJoint, range.lastJoint);
        };
    }
    if (transformJoints) {
        calls.transformJoints = (result, joints1, joints2, numJoints) => {
            const count = checkTransformJoints('transformJoints', result, joints1, joints2, numJoints);
            transformJoints(result, joints1, joints2, count);
        };
    }
    if (slerpJointsPerJoint) {
        calls.slerpJointsPerJoint = (joints, blendJoints, lerps, index, numJoints) => {
            const routine = 'slerpJointsPerJoint';
            const { count } = checkBlendPerJoint(routine, joints, blendJoints, lerps, index, numJoints);
            slerpJointsPerJoint(joints, blendJoints, lerps, index ?? null, count);
        };
    }
    if (normalizeJoints) {
        calls.normalizeJoints = (joints, index, numJoints) => {
            const { count } = checkNormalize('normalizeJoints', joints, index, numJoints);
            normalizeJoints(joints, index ?? null, count);
        };
    }
    return calls;
}

/**
 * TypeScript kernels behind the quick checks, for lists of up to `limits` joints, whatever the machine's best code is.
 * Everything else is left to `otherwise`, which gives the same results. Returns only the functions that have a limit.
 */
export function quickJointCalls(kernels: Partial<CheckedKernels>, limits: Limits, otherwise: JointCalls): JointCalls {
    const calls: JointCalls = {};
    const {
        slerpJoints,
        lerpJoints,
        convertJointQuatsToJointMats,
        convertJointMatsToJointQuats,
        transformSkeleton,
        untransformSkeleton,
        transformJoints,
        slerpJointsPerJoint,
        normalizeJoints,
    } = kernels;
    if (slerpJoints && limits.slerpJoints) {
        const limit = limits.slerpJoints;
        const other = otherwise.slerpJoints!;
        calls.slerpJoints = (joints, blendJoints, lerp, index, numJoints) => {
            const count = quickBlend(joints, blendJoints, lerp, index, numJoints, limit);
            if (count > 0) slerpJoints(joints, blendJoints, Math.fround(lerp), null, count);
            else other(joints, blendJoints, lerp, index, numJoints);
        };
    }
    if (lerpJoints && limits.lerpJoints) {
        const limit = limits.lerpJoints;
        const other = otherwise.lerpJoints!;
        calls.lerpJoints = (joints, blendJoints, lerp, index, numJoints) => {
            const count = quickBlend(joints, blendJoints, lerp, index, numJoints, limit);
            if (count > 0) lerpJoints(joints, blendJoints, Math.fround(lerp), null, count);
            else other(joints, blendJoints, lerp, index, numJoints);
        };
    }
    if (convertJointQuatsToJointMats && limits.convertJointQuatsToJointMats) {
        const limit = limits.convertJointQuatsToJointMats;
        const other = otherwise.convertJointQuatsToJointMats!;
        calls.convertJointQuatsToJointMats = (jointMats, jointQuats, options) => {
            let count: number;
            if (options === undefined) {
                count = quickConvert(
                    jointMats,
                    JOINT_MAT_FLOATS,
                    jointQuats,
                    JOINT_QUAT_FLOATS,
                    options,
                    options,
                    limit,
                );
                if (count > 0) convertJointQuatsToJointMats(jointMats, jointQuats, count, 'id');
                else other(jointMats, jointQuats);
                return;
            }
            const given = readOptions(options);
            if (given === null) return other(jointMats, jointQuats, options);
            const { numJoints, convention } = given;
            count = quickConvert(
                jointMats,
                JOINT_MAT_FLOATS,
                jointQuats,
                JOINT_QUAT_FLOATS,
                numJoints,
                convention,
                limit,
            );
            if (count > 0)
                convertJointQuatsToJointMats(jointMats, jointQuats, count, (convention ?? 'id') as Convention);
            else other(jointMats, jointQuats, given as typeof options);
        };
    }
    if (convertJointMatsToJointQuats && limits.convertJointMatsToJointQuats) {
        const limit = limits.convertJointMatsToJointQuats;
        const other = otherwise.convertJointMatsToJointQuats!;
        calls.convertJointMatsToJointQuats = (jointQuats, jointMats, options) => {
            let count: number;
            if (options === undefined) {
                count = quickConvert(
                    jointQuats,
                    JOINT_QUAT_FLOATS,
                    jointMats,
                    JOINT_MAT_FLOATS,
                    options,
                    options,
                    limit,
                );
                if (count > 0) convertJointMatsToJointQuats(jointQuats, jointMats, count, 'id');
                else other(jointQuats, jointMats);
                return;
            }
            const given = readOptions(options);
            if (given === null) return other(jointQuats, jointMats, options);
            const { numJoints, convention } = given;
            count = quickConvert(
                jointQuats,
                JOINT_QUAT_FLOATS,
                jointMats,
                JOINT_MAT_FLOATS,
                numJoints,
                convention,
                limit,
            );
            if (count > 0)
                convertJointMatsToJointQuats(jointQuats, jointMats, count, (convention ?? 'id') as Convention);
            else other(jointQuats, jointMats, given as typeof options);
        };
    }
    if (transformSkeleton && limits.transformSkeleton) {
        const limit = limits.transformSkeleton;
        const other = otherwise.transformSkeleton!;
        calls.transformSkeleton = (jointMats, parents, firstJoint, lastJoint) => {
            const last = quickSkeleton(jointMats, parents, firstJoint, lastJoint, limit);
            if (last >= 0) transformSkeleton(jointMats, parents, firstJoint ?? 1, last);
            else other(jointMats, parents, firstJoint, lastJoint);
        };
    }
    if (untransformSkeleton && limits.untransformSkeleton) {
        const limit = limits.untransformSkeleton;
        const other = otherwise.untransformSkeleton!;
        calls.untransformSkeleton = (jointMats, parents, firstJoint, lastJoint) => {
            const last = quickSkeleton(jointMats, parents, firstJoint, lastJoint, limit);
            if (last >= 0) untransformSkeleton(jointMats, parents, firstJoint ?? 1, last);
            else other(jointMats, parents, firstJoint, lastJoint);
        };
    }
    if (transformJoints && limits.transformJoints) {
        const limit = limits.transformJoints;
        const other = otherwise.transformJoints!;
        calls.transformJoints = (result, joints1, joints2, numJoints) => {
            const count = quickTransformJoints(result, joints1, joints2, numJoints, limit);
            if (count > 0) transformJoints(result, joints1, joints2, count);
            else other(result, joints1, joints2, numJoints);
        };
    }
    if (slerpJointsPerJoint && limits.slerpJointsPerJoint) {
        const limit = limits.slerpJointsPerJoint;
        const other = otherwise.slerpJointsPerJoint!;
        calls.slerpJointsPerJoint = (joints, blendJoints, lerps, index, numJoints) => {
            const count = quickBlendPerJoint(joints, blendJoints, lerps, index, numJoints, limit);
            if (count > 0) slerpJointsPerJoint(joints, blendJoints, lerps, null, count);
            else other(joints, blendJoints, lerps, index, numJoints);
        };
    }
    if (normalizeJoints && limits.normalizeJoints) {
        const limit = limits.normalizeJoints;
        const other = otherwise.normalizeJoints!;
        calls.normalizeJoints = (joints, index, numJoints) => {
            const count = quickNormalize(joints, index, numJoints, limit);
            if (count > 0) normalizeJoints(joints, null, count);
            else other(joints, index, numJoints);
        };
    }
    return calls;
}

/** What a native conversion does after a refusal. */
function explainConvert(
    routine: string,
    check: typeof checkConvertToMats,
    to: unknown,
    from: unknown,
    options: unknown,
): void {
    if (check(routine, to, from, options).numJoints > 0) throw changedMeanwhile(routine);
}

/** The addon's count for `options`: what is wrong with them is for the checks to say. */
const countOption = (numJoints: unknown, convention: unknown): number =>
    convention === undefined || convention === 'id' || convention === 'gltf' ? integerOr(numJoints, ALL, 0) : INVALID;

/** The routines that a native implementation has. */
export function nativeJointCalls(kernels: NativeKernels): JointCalls {
    const {
        slerpJoints,
        lerpJoints,
        convertJointQuatsToJointMats,
        convertJointMatsToJointQuats,
        transformSkeleton,
        untransformSkeleton,
        transformJoints,
        slerpJointsPerJoint,
        normalizeJoints,
    } = kernels;
    const calls: JointCalls = {};
    if (slerpJoints) {
        calls.slerpJoints = (joints, blendJoints, lerp, index, numJoints) => {
            const count = integerOr(numJoints, ALL, 0);
            if (slerpJoints(joints, blendJoints, lerp, index ?? null, count) === undefined) return;
            const selected = checkBlend('slerpJoints', joints, blendJoints, lerp, index, numJoints);
            if (selected.count > 0) throw changedMeanwhile('slerpJoints');
        };
    }
    if (lerpJoints) {
        calls.lerpJoints = (joints, blendJoints, lerp, index, numJoints) => {
            const count = integerOr(numJoints, ALL, 0);
            if (lerpJoints(joints, blendJoints, lerp, index ?? null, count) === undefined) return;
            const selected = checkBlend('lerpJoints', joints, blendJoints, lerp, index, numJoints);
            if (selected.count > 0) throw changedMeanwhile('lerpJoints');
        };
    }
    if (convertJointQuatsToJointMats) {
        calls.convertJointQuatsToJointMats = (jointMats, jointQuats, options) => {
            const routine = 'convertJointQuatsToJointMats';
            if (options === undefined) {
                if (convertJointQuatsToJointMats(jointMats, jointQuats, ALL, false) === undefined) return;
                return explainConvert(routine, checkConvertToMats, jointMats, jointQuats, options);
            }
            const given = readOptions(options);
            if (given === null) return explainConvert(routine, checkConvertToMats, jointMats, jointQuats, options);
            const { numJoints, convention } = given;
            const count = countOption(numJoints, convention);
            if (convertJointQuatsToJointMats(jointMats, jointQuats, count, convention === 'gltf') === undefined) return;
            explainConvert(routine, checkConvertToMats, jointMats, jointQuats, given);
        };
    }
    if (convertJointMatsToJointQuats) {
        calls.convertJointMatsToJointQuats = (jointQuats, jointMats, options) => {
            const routine = 'convertJointMatsToJointQuats';
            if (options === undefined) {
                if (convertJointMatsToJointQuats(jointQuats, jointMats, ALL, false) === undefined) return;
                return explainConvert(routine, checkConvertToQuats, jointQuats, jointMats, options);
            }
            const given = readOptions(options);
            if (given === null) return explainConvert(routine, checkConvertToQuats, jointQuats, jointMats, options);
            const { numJoints, convention } = given;
            const count = countOption(numJoints, convention);
            if (convertJointMatsToJointQuats(jointQuats, jointMats, count, convention === 'gltf') === undefined) return;
            explainConvert(routine, checkConvertToQuats, jointQuats, jointMats, given);
        };
    }
    if (transformSkeleton) {
        calls.transformSkeleton = (jointMats, parents, firstJoint, lastJoint) => {
            const first = integerOr(firstJoint, 1, 0);
            const last = integerOr(lastJoint, UP_TO_LAST, -1);
            if (transformSkeleton(jointMats, parents, first, last) === undefined) return;
            const range = checkSkeleton('transformSkeleton', jointMats, parents, firstJoint, lastJoint);
            if (range.firstJoint <= range.lastJoint) throw changedMeanwhile('transformSkeleton');
        };
    }
    if (untransformSkeleton) {
        calls.untransformSkeleton = (jointMats, parents, firstJoint, lastJoint) => {
            const first = integerOr(firstJoint, 1, 0);
            const last = integerOr(lastJoint, UP_TO_LAST, -1);
            if (untransformSkeleton(jointMats, parents, first, last) === undefined) return;
            const range = checkSkeleton('untransformSkeleton', jointMats, parents, firstJoint, lastJoint);
            if (range.firstJoint <= range.lastJoint) throw changedMeanwhile('untransformSkeleton');
        };
    }
    if (transformJoints) {
        calls.transformJoints = (result, joints1, joints2, numJoints) => {
            if (transformJoints(result, joints1, joints2, integerOr(numJoints, ALL, 0)) === undefined) return;
            const count = checkTransformJoints('transformJoints', result, joints1, joints2, numJoints);
            if (count > 0) throw changedMeanwhile('transformJoints');
        };
    }
    if (slerpJointsPerJoint) {
        calls.slerpJointsPerJoint = (joints, blendJoints, lerps, index, numJoints) => {
            const count = integerOr(numJoints, ALL, 0);
            if (slerpJointsPerJoint(joints, blendJoints, lerps, index ?? null, count) === undefined) return;
            const routine = 'slerpJointsPerJoint';
            const selected = checkBlendPerJoint(routine, joints, blendJoints, lerps, index, numJoints);
            if (selected.count > 0) throw changedMeanwhile(routine);
        };
    }
    if (normalizeJoints) {
        calls.normalizeJoints = (joints, index, numJoints) => {
            if (normalizeJoints(joints, index ?? null, integerOr(numJoints, ALL, 0)) === undefined) return;
            const selected = checkNormalize('normalizeJoints', joints, index, numJoints);
            if (selected.count > 0) throw changedMeanwhile('normalizeJoints');
        };
    }
    return calls;
}
