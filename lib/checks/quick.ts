// SPDX-License-Identifier: MIT

/**
 * The checks of joints.ts and quats.ts for what calls usually look like: live lists, in separate memory, without an
 * index, and not more than `most` elements. They cost a few nanoseconds, allocate nothing and run no user code. Each
 * returns how many elements to process, or -1: then the call may still be right, and whoever asked has to find out.
 */

import type { Convention } from '../backend/contract';
import { JOINT_MAT_FLOATS, JOINT_QUAT_FLOATS, QUAT_FLOATS } from './layout';
import { bufferOf, byteOffsetOf, isFloat32Array, isInt32Array, lengthOf } from './views';

/** 0 for what is no Float32Array, and for those whose buffers are gone. */
const floatsIn = (view: unknown): number => (isFloat32Array(view) ? lengthOf(view) : 0);
const intsIn = (view: unknown): number => (isInt32Array(view) ? lengthOf(view) : 0);

/** The number of elements of which the first list holds so many floats. */
function countOf(given: unknown, length: number, floats: number, most: number): number {
    const count = given === undefined ? length / floats : given;
    return typeof count === 'number' && count >= 1 && count <= most && count === (count | 0) ? count : -1;
}

/** Whether another list fits the count: without one given it holds exactly as many. */
const fits = (given: unknown, length: number, needed: number): boolean =>
    given === undefined ? length === needed : length >= needed;

/** Whether two lists of so many elements of 4 bytes are apart. Asks for buffers only where they could overlap. */
function areSeparate(a: unknown, lengthA: number, b: unknown, lengthB: number, allowSameStart: boolean): boolean {
    if (a === b) return allowSameStart;
    const [startA, startB] = [byteOffsetOf(a), byteOffsetOf(b)];
    if (startA + lengthA * 4 <= startB || startB + lengthB * 4 <= startA) return true;
    return (allowSameStart && startA === startB) || bufferOf(a) !== bufferOf(b);
}

export function quickBlend(
    joints: unknown,
    blendJoints: unknown,
    lerp: unknown,
    index: unknown,
    numJoints: unknown,
    most: number,
): number {
    const length = floatsIn(joints);
    const count = countOf(numJoints, length, JOINT_QUAT_FLOATS, most);
    const floats = count * JOINT_QUAT_FLOATS;
    return count > 0 &&
        (index === null || index === undefined) &&
        typeof lerp === 'number' &&
        fits(numJoints, length, floats) &&
        fits(numJoints, floatsIn(blendJoints), floats) &&
        areSeparate(joints, floats, blendJoints, floats, true)
        ? count
        : -1;
}

export function quickBlendPerJoint(
    joints: unknown,
    blendJoints: unknown,
    lerps: unknown,
    index: unknown,
    numJoints: unknown,
    most: number,
): number {
    const length = floatsIn(joints);
    const count = countOf(numJoints, length, JOINT_QUAT_FLOATS, most);
    const floats = count * JOINT_QUAT_FLOATS;
    return count > 0 &&
        (index === null || index === undefined) &&
        fits(numJoints, length, floats) &&
        fits(numJoints, floatsIn(blendJoints), floats) &&
        fits(numJoints, floatsIn(lerps), count) &&
        areSeparate(joints, floats, blendJoints, floats, true) &&
        areSeparate(joints, floats, lerps, count, false)
        ? count
        : -1;
}

export function quickNormalize(joints: unknown, index: unknown, numJoints: unknown, most: number): number {
    const length = floatsIn(joints);
    const count = countOf(numJoints, length, JOINT_QUAT_FLOATS, most);
    return count > 0 && (index === null || index === undefined) && fits(numJoints, length, count * JOINT_QUAT_FLOATS)
        ? count
        : -1;
}

/** @param convention Whatever `options` has; undefined: none. */
export function quickConvert(
    to: unknown,
    floatsTo: number,
    from: unknown,
    floatsFrom: number,
    numJoints: unknown,
    convention: unknown,
    most: number,
): number {
    const length = floatsIn(to);
    const count = countOf(numJoints, length, floatsTo, most);
    return count > 0 &&
        (convention === undefined || isConvention(convention)) &&
        fits(numJoints, length, count * floatsTo) &&
        fits(numJoints, floatsIn(from), count * floatsFrom) &&
        areSeparate(to, count * floatsTo, from, count * floatsFrom, false)
        ? count
        : -1;
}

function isConvention(value: unknown): value is Convention {
    return value === 'id' || value === 'gltf';
}

/** Returns the last joint, or -1. */
export function quickSkeleton(
    jointMats: unknown,
    parents: unknown,
    firstJoint: unknown,
    lastJoint: unknown,
    most: number,
): number {
    const length = floatsIn(jointMats);
    const joints = countOf(typeof lastJoint === 'number' ? lastJoint + 1 : lastJoint, length, JOINT_MAT_FLOATS, most);
    const first = firstJoint === undefined ? 1 : firstJoint;
    if (
        joints < 1 ||
        typeof first !== 'number' ||
        first !== (first | 0) ||
        first < 0 ||
        first >= joints ||
        !fits(lastJoint, length, joints * JOINT_MAT_FLOATS) ||
        intsIn(parents) < joints ||
        !areSeparate(jointMats, joints * JOINT_MAT_FLOATS, parents, joints, false)
    ) {
        return -1;
    }
    for (let i = first; i < joints; i++) {
        const parent = (parents as Int32Array)[i]!;
        if (parent < -1 || parent >= i) return -1;
    }
    return joints - 1;
}

export function quickTransformJoints(
    result: unknown,
    joints1: unknown,
    joints2: unknown,
    numJoints: unknown,
    most: number,
): number {
    return quickOperands(result, joints1, joints2, JOINT_MAT_FLOATS, numJoints, most);
}

export function quickBlendQuats(
    result: unknown,
    from: unknown,
    to: unknown,
    t: unknown,
    count: unknown,
    most: number,
): number {
    return typeof t === 'number' ? quickOperands(result, from, to, QUAT_FLOATS, count, most) : -1;
}

export function quickQuatsPerQuat(
    result: unknown,
    from: unknown,
    to: unknown,
    t: unknown,
    given: unknown,
    most: number,
): number {
    const count = quickOperands(result, from, to, QUAT_FLOATS, given, most);
    return count > 0 && fits(given, floatsIn(t), count) && areSeparate(result, count * QUAT_FLOATS, t, count, false)
        ? count
        : -1;
}

/** Two operands of the same kind as the result, which may start where either does. */
function quickOperands(
    result: unknown,
    a: unknown,
    b: unknown,
    floatsEach: number,
    given: unknown,
    most: number,
): number {
    const length = floatsIn(result);
    const count = countOf(given, length, floatsEach, most);
    const floats = count * floatsEach;
    return count > 0 &&
        fits(given, length, floats) &&
        fits(given, floatsIn(a), floats) &&
        fits(given, floatsIn(b), floats) &&
        areSeparate(result, floats, a, floats, true) &&
        areSeparate(result, floats, b, floats, true)
        ? count
        : -1;
}
