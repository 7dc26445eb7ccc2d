// SPDX-License-Identifier: MIT

/** What the checks of all routines on lists of joints, matrices and quaternions have in common. */

import { rangeError, typeError } from '../errors';
import { JOINT_MAT_FLOATS, JOINT_QUAT_FLOATS, MAX_COUNT, QUAT_FLOATS } from './layout';
import { describe, lengthOf, overlaps, usedBytes } from './views';

/** `undefined` or an integer in 0 … 2^31 - 1. */
export function checkCount(routine: string, argument: string, value: unknown): asserts value is number | undefined {
    if (value === undefined) return;
    if (typeof value !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `${routine}: ${argument} must be a number, got ${describe(value)}`);
    }
    if (!Number.isInteger(value) || value < 0 || value > MAX_COUNT) {
        throw rangeError(
            'ERR_COUNT_RANGE',
            `${routine}: ${argument} must be an integer from 0 to ${MAX_COUNT}, got ${describe(value)}`,
        );
    }
}

/** A list of elements of so many floats each. */
export interface List {
    readonly argument: string;
    readonly view: Float32Array;
    readonly floats: number;
    /** What an element is, in the plural. */
    readonly noun: string;
}

export const jointQuatList = (argument: string, view: Float32Array): List => ({
    argument,
    view,
    floats: JOINT_QUAT_FLOATS,
    noun: 'joints',
});

export const jointMatList = (argument: string, view: Float32Array): List => ({
    argument,
    view,
    floats: JOINT_MAT_FLOATS,
    noun: 'joints',
});

export const quatList = (argument: string, view: Float32Array): List => ({
    argument,
    view,
    floats: QUAT_FLOATS,
    noun: 'quaternions',
});

export const floatList = (argument: string, view: Float32Array): List => ({
    argument,
    view,
    floats: 1,
    noun: 'numbers',
});

/** Throws unless the list holds at least `count` elements. */
export function checkRoom(routine: string, list: List, count: number): void {
    const length = lengthOf(list.view);
    if (length < count * list.floats) {
        throw rangeError(
            'ERR_BUFFER_LENGTH',
            `${routine}: ${list.argument} holds ${length} floats, needs at least ${count * list.floats} ` +
                `(${count} ${list.noun} of ${list.floats})`,
        );
    }
}

/** How many elements the list holds; throws unless that is a whole number. */
export function wholeElements(routine: string, list: List): number {
    const length = lengthOf(list.view);
    if (length % list.floats !== 0) {
        throw rangeError(
            'ERR_BUFFER_LENGTH',
            `${routine}: ${list.argument} holds ${length} floats, needs a multiple of ${list.floats} ` +
                'where no count is given',
        );
    }
    const count = length / list.floats;
    if (count > MAX_COUNT) {
        throw rangeError('ERR_COUNT_RANGE', `${routine}: ${list.argument} holds more than ${MAX_COUNT} ${list.noun}`);
    }
    return count;
}

/** An explicit count needs only enough room; without one, all lists must hold the same whole number of elements. */
export function resolveCount(routine: string, lists: readonly List[], given: number | undefined): number {
    if (given === undefined) {
        const first = lists[0]!;
        const count = wholeElements(routine, first);
        for (const list of lists) {
            const other = wholeElements(routine, list);
            if (other !== count) {
                throw rangeError(
                    'ERR_BUFFER_LENGTH',
                    `${routine}: ${list.argument} holds ${other} ${list.noun}, needs ${count} like ${first.argument} ` +
                        'where no count is given',
                );
            }
        }
        return count;
    }
    for (const list of lists) checkRoom(routine, list, given);
    return given;
}

function overlapError(routine: string, a: string, b: string, unlessSameStart: boolean): Error {
    return rangeError(
        'ERR_BUFFER_OVERLAP',
        `${routine}: ${a} and ${b} share memory, ${
            unlessSameStart ? 'which is allowed only where both start at the same byte' : 'needs separate memory'
        }`,
    );
}

/** The elements (4 bytes each) of an argument that a call uses. */
export interface Used {
    readonly argument: string;
    readonly view: Float32Array | Int32Array;
    readonly elements: number;
}

/** Throws where the two share memory, save by starting at the same byte where that is allowed. */
export function checkSeparate(routine: string, a: Used, b: Used, allowSameStart = false): void {
    const rangeA = usedBytes(a.view, a.elements);
    const rangeB = usedBytes(b.view, b.elements);
    if (overlaps(rangeA, rangeB) && !(allowSameStart && rangeA.start === rangeB.start)) {
        throw overlapError(routine, a.argument, b.argument, allowSameStart);
    }
}

/** The destination is separate from each of the operands or, where that is allowed, starts where it does. */
export function checkOperands(
    routine: string,
    destination: List,
    operands: readonly List[],
    count: number,
    allowSameStart = true,
): void {
    const used = ({ argument, view, floats }: List): Used => ({ argument, view, elements: count * floats });
    for (const operand of operands) checkSeparate(routine, used(destination), used(operand), allowSameStart);
}
