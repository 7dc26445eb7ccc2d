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
import { JOINT_MAT_FLOATS, JOINT_QUAT_FLOATS, MAX_COUNT } from './layout';
import { checkCount, checkRoom, checkSeparate, type List, resolveCount, wholeElements } from './lists';
import { checkFloat32Array, checkInt32Array, describe, lengthOf } from './views';

const quats = (argument: string, view: Float32Array): List => ({
    argument,
    view,
    floats: JOINT_QUAT_FLOATS,
    noun: 'joints',
});
const mats = (argument: string, view: Float32Array): List => ({
    argument,
    view,
    floats: JOINT_MAT_FLOATS,
    noun: 'joints',
});

/** `slerpJoints`, `lerpJoints`. */
export function checkBlend(
    routine: string,
    joints: unknown,
    blendJoints: unknown,
    lerp: unknown,
    index: unknown,
    numJoints: unknown,
): number {
    checkFloat32Array(routine, 'joints', joints);
    checkFloat32Array(routine, 'blendJoints', blendJoints);
    if (typeof lerp !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: lerp must be a number, got ${describe(lerp)}`);
    }
    checkCount(routine, 'numJoints', numJoints);
    const lists = [quats('joints', joints), quats('blendJoints', blendJoints)];
    let used: number;
    let count: number;
    if (index === null || index === undefined) {
        count = resolveCount(routine, lists, numJoints);
        used = count;
    } else {
        checkInt32Array(routine, 'index', index);
        count = numJoints ?? lengthOf(index);
        if (count > lengthOf(index)) {
            throw rangeError(
                'ERR_BUFFER_LENGTH',
                `${routine}: index holds ${lengthOf(index)} elements, needs at least ${count} (numJoints)`,
            );
        }
        used = checkIndex(routine, lists, index, count);
        const indexElements = { argument: 'index', view: index, elements: count };
        for (const list of lists) {
            checkSeparate(
                routine,
                { argument: list.argument, view: list.view, elements: used * JOINT_QUAT_FLOATS },
                indexElements,
            );
        }
    }
    const elements = used * JOINT_QUAT_FLOATS;
    checkSeparate(
        routine,
        { argument: 'joints', view: joints, elements },
        { argument: 'blendJoints', view: blendJoints, elements },
        true,
    );
    return count;
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
    checkSeparate(
        routine,
        { argument: to.argument, view: to.view, elements: count * to.floats },
        { argument: from.argument, view: from.view, elements: count * from.floats },
    );
    return count;
}

export interface ConvertArguments {
    readonly numJoints: number;
    readonly convention: Convention;
}

/** `convertJointQuatsToJointMats`. */
export function checkConvertToMats(jointMats: unknown, jointQuats: unknown, options: unknown): ConvertArguments {
    const routine = 'convertJointQuatsToJointMats';
    const given = readOptions(options);
    checkFloat32Array(routine, 'jointMats', jointMats);
    checkFloat32Array(routine, 'jointQuats', jointQuats);
    const { numJoints, convention } = checkOptions(routine, options, given);
    const count = checkConvert(routine, mats('jointMats', jointMats), quats('jointQuats', jointQuats), numJoints);
    return { numJoints: count, convention };
}

/** `convertJointMatsToJointQuats`. */
export function checkConvertToQuats(jointQuats: unknown, jointMats: unknown, options: unknown): ConvertArguments {
    const routine = 'convertJointMatsToJointQuats';
    const given = readOptions(options);
    checkFloat32Array(routine, 'jointQuats', jointQuats);
    checkFloat32Array(routine, 'jointMats', jointMats);
    const { numJoints, convention } = checkOptions(routine, options, given);
    const count = checkConvert(routine, quats('jointQuats', jointQuats), mats('jointMats', jointMats), numJoints);
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
    const list = mats('jointMats', jointMats);
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
export function checkTransformJoints(result: unknown, joints1: unknown, joints2: unknown, numJoints: unknown): number {
    const routine = 'transformJoints';
    checkFloat32Array(routine, 'result', result);
    checkFloat32Array(routine, 'joints1', joints1);
    checkFloat32Array(routine, 'joints2', joints2);
    checkCount(routine, 'numJoints', numJoints);
    const lists = [mats('result', result), mats('joints1', joints1), mats('joints2', joints2)];
    const count = resolveCount(routine, lists, numJoints);
    const elements = count * JOINT_MAT_FLOATS;
    for (const [argument, view] of [
        ['joints1', joints1],
        ['joints2', joints2],
    ] as const) {
        checkSeparate(routine, { argument: 'result', view: result, elements }, { argument, view, elements }, true);
    }
    return count;
}
