// SPDX-License-Identifier: MIT

/**
 * The rules of the joint-list functions, once, for every implementation. Each function throws a typed error that names
 * the argument, what was given and what is needed, or returns the number of joints to process; it writes nothing.
 *
 * The TypeScript kernels run behind these checks. The addon makes the same checks itself, because it must not trust
 * anything that it did not read in the same call, and only says no; these functions then find the words.
 */

import type { Convention } from '../backend/contract';
import { rangeError, typeError } from '../errors';
import { JOINT_MAT_FLOATS, MAX_COUNT } from './layout';
import {
    checkCount,
    checkOperands,
    checkRoom,
    checkSeparate,
    floatList,
    jointMatList,
    jointQuatList,
    type List,
    resolveCount,
    wholeElements,
} from './lists';
import { checkFloat32Array, checkInt32Array, checkNumber, describe, lengthOf } from './views';

/** Which joints a call is for. */
export interface Selected {
    /** How many; with an index, how many of its elements. */
    readonly count: number;
    /** Only joints below this are touched. */
    readonly used: number;
}

/** The first joints, or those of an index, which shares memory with none of the lists. */
function checkSelection(routine: string, lists: readonly List[], index: unknown, numJoints: unknown): Selected {
    checkCount(routine, 'numJoints', numJoints);
    if (index === null || index === undefined) {
        const count = resolveCount(routine, lists, numJoints);
        return { count, used: count };
    }
    checkInt32Array(routine, 'index', index);
    const count = numJoints ?? lengthOf(index);
    if (count > lengthOf(index)) {
        throw rangeError(
            'ERR_BUFFER_LENGTH',
            `${routine}: index holds ${lengthOf(index)} elements, needs at least ${count} (numJoints)`,
        );
    }
    const used = checkIndex(routine, lists, index, count);
    for (const { argument, view, floats } of lists) {
        checkSeparate(
            routine,
            { argument, view, elements: used * floats },
            { argument: 'index', view: index, elements: count },
        );
    }
    return { count, used };
}

/** `slerpJoints`, `lerpJoints`. */
export function checkBlend(
    routine: string,
    joints: unknown,
    blendJoints: unknown,
    lerp: unknown,
    index: unknown,
    numJoints: unknown,
): Selected {
    checkFloat32Array(routine, 'joints', joints);
    checkFloat32Array(routine, 'blendJoints', blendJoints);
    checkNumber(routine, 'lerp', lerp);
    const [to, from] = [jointQuatList('joints', joints), jointQuatList('blendJoints', blendJoints)];
    const selected = checkSelection(routine, [to, from], index, numJoints);
    checkOperands(routine, to, [from], selected.used);
    return selected;
}

/** `slerpJointsPerJoint`. */
export function checkBlendPerJoint(
    routine: string,
    joints: unknown,
    blendJoints: unknown,
    lerps: unknown,
    index: unknown,
    numJoints: unknown,
): Selected {
    checkFloat32Array(routine, 'joints', joints);
    checkFloat32Array(routine, 'blendJoints', blendJoints);
    checkFloat32Array(routine, 'lerps', lerps);
    const [to, from, weights] = [
        jointQuatList('joints', joints),
        jointQuatList('blendJoints', blendJoints),
        floatList('lerps', lerps),
    ] as const;
    const selected = checkSelection(routine, [to, from, weights], index, numJoints);
    checkOperands(routine, to, [from], selected.used);
    checkOperands(routine, to, [weights], selected.used, false);
    return selected;
}

/** `normalizeJoints`. */
export function checkNormalize(routine: string, joints: unknown, index: unknown, numJoints: unknown): Selected {
    checkFloat32Array(routine, 'joints', joints);
    return checkSelection(routine, [jointQuatList('joints', joints)], index, numJoints);
}

/** Every index must name a joint of both lists. Returns the greatest index + 1. */
function checkIndex(routine: string, lists: readonly List[], index: Int32Array, count: number): number {
    const room = Math.min(...lists.map((list) => Math.floor(lengthOf(list.view) / list.floats)));
    let used = 0;
    for (let i = 0; i < count; i++) {
        const joint = index[i]!;
        if (joint < 0 || joint >= room) {
            throw rangeError(
                'ERR_INDEX_RANGE',
                `${routine}: index[${i}] is ${joint}, ` +
                    (room === 0 ? 'but the shorter list holds no joint' : `needs 0 to ${room - 1}`),
            );
        }
        if (joint >= used) used = joint + 1;
    }
    return used;
}

/** What `options` says, read once and before anything is checked: accessors in it could change the buffers. */
function readOptions(options: unknown): { numJoints: unknown; convention: unknown } {
    if (typeof options !== 'object' || options === null) return { numJoints: undefined, convention: undefined };
    const { numJoints, convention } = options as { numJoints?: unknown; convention?: unknown };
    return { numJoints, convention };
}

function checkOptions(
    routine: string,
    options: unknown,
    { numJoints, convention = 'id' }: { numJoints: unknown; convention: unknown },
): { numJoints: number | undefined; convention: Convention } {
    if (options !== undefined && (typeof options !== 'object' || options === null)) {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: options must be an object, got ${describe(options)}`);
    }
    checkCount(routine, 'options.numJoints', numJoints);
    if (convention !== 'id' && convention !== 'gltf') {
        throw typeError(
            'ERR_ARGUMENT_TYPE',
            `${routine}: options.convention must be 'id' or 'gltf', got ${describe(convention)}`,
        );
    }
    return { numJoints, convention };
}

function checkConvert(routine: string, to: List, from: List, numJoints: number | undefined): number {
    const count = resolveCount(routine, [to, from], numJoints);
    checkOperands(routine, to, [from], count, false);
    return count;
}

export interface ConvertArguments {
    readonly numJoints: number;
    readonly convention: Convention;
}

/** `convertJointQuatsToJointMats`. */
export function checkConvertToMats(
    routine: string,
    jointMats: unknown,
    jointQuats: unknown,
    options: unknown,
): ConvertArguments {
    const given = readOptions(options);
    checkFloat32Array(routine, 'jointMats', jointMats);
    checkFloat32Array(routine, 'jointQuats', jointQuats);
    const { numJoints, convention } = checkOptions(routine, options, given);
    const count = checkConvert(
        routine,
        jointMatList('jointMats', jointMats),
        jointQuatList('jointQuats', jointQuats),
        numJoints,
    );
    return { numJoints: count, convention };
}

/** `convertJointMatsToJointQuats`. */
export function checkConvertToQuats(
    routine: string,
    jointQuats: unknown,
    jointMats: unknown,
    options: unknown,
): ConvertArguments {
    const given = readOptions(options);
    checkFloat32Array(routine, 'jointQuats', jointQuats);
    checkFloat32Array(routine, 'jointMats', jointMats);
    const { numJoints, convention } = checkOptions(routine, options, given);
    const count = checkConvert(
        routine,
        jointQuatList('jointQuats', jointQuats),
        jointMatList('jointMats', jointMats),
        numJoints,
    );
    return { numJoints: count, convention };
}

export interface JointRange {
    readonly firstJoint: number;
    /** Inclusive; less than `firstJoint` where there is nothing to do. */
    readonly lastJoint: number;
}

function checkJointNumber(routine: string, argument: string, value: unknown, least: number): void {
    if (value === undefined) return;
    if (typeof value !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${argument} must be a number, got ${describe(value)}`);
    }
    if (!Number.isInteger(value) || value < least || value > MAX_COUNT) {
        throw rangeError(
            'ERR_COUNT_RANGE',
            `${routine}: ${argument} must be an integer from ${least} to ${MAX_COUNT}, got ${describe(value)}`,
        );
    }
}

/** `transformSkeleton`, `untransformSkeleton`. */
export function checkSkeleton(
    routine: string,
    jointMats: unknown,
    parents: unknown,
    firstJoint: unknown,
    lastJoint: unknown,
): JointRange {
    checkFloat32Array(routine, 'jointMats', jointMats);
    checkInt32Array(routine, 'parents', parents);
    checkJointNumber(routine, 'firstJoint', firstJoint, 0);
    checkJointNumber(routine, 'lastJoint', lastJoint, -1);
    const list = jointMatList('jointMats', jointMats);
    const first = (firstJoint as number | undefined) ?? 1;
    const last = (lastJoint as number | undefined) ?? wholeElements(routine, list) - 1;
    if (first > last) return { firstJoint: first, lastJoint: last };
    checkRoom(routine, list, last + 1);
    if (lengthOf(parents) < last + 1) {
        throw rangeError(
            'ERR_BUFFER_LENGTH',
            `${routine}: parents holds ${lengthOf(parents)} elements, needs at least ${last + 1} (one for each joint up to ${last})`,
        );
    }
    checkSeparate(
        routine,
        { argument: 'jointMats', view: jointMats, elements: (last + 1) * JOINT_MAT_FLOATS },
        { argument: 'parents', view: parents, elements: last + 1 },
    );
    for (let i = first; i <= last; i++) {
        const parent = parents[i]!;
        if (parent < -1 || parent > last) {
            throw rangeError(
                'ERR_PARENT_RANGE',
                `${routine}: parents[${i}] is ${parent}, needs -1 (a root) or a joint before ${i}`,
            );
        }
        if (parent >= i) {
            throw rangeError(
                'ERR_PARENT_ORDER',
                `${routine}: parents[${i}] is ${parent}, needs to come before its child (less than ${i}), or -1 for a root`,
            );
        }
    }
    return { firstJoint: first, lastJoint: last };
}

/** `transformJoints`. */
export function checkTransformJoints(
    routine: string,
    result: unknown,
    joints1: unknown,
    joints2: unknown,
    numJoints: unknown,
): number {
    checkFloat32Array(routine, 'result', result);
    checkFloat32Array(routine, 'joints1', joints1);
    checkFloat32Array(routine, 'joints2', joints2);
    checkCount(routine, 'numJoints', numJoints);
    const [product, ...operands] = [
        jointMatList('result', result),
        jointMatList('joints1', joints1),
        jointMatList('joints2', joints2),
    ] as const;
    const count = resolveCount(routine, [product, ...operands], numJoints);
    checkOperands(routine, product, operands, count);
    return count;
}
