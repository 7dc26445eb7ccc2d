// SPDX-License-Identifier: MIT

/**
 * Reads the arguments of `Rig.create`: each function throws a typed error that names the argument. Lists are copied.
 */

import { checkFloat32Array, describe, isArray, isFloat32Array, isGone, lengthOf } from '../../base/arguments';
import { rangeError, typeError } from '../../base/errors';

/** A list of numbers of any kind: array or typed array. Copied. */
export type Numbers = readonly number[] | Float32Array | Int32Array | Uint16Array;

export const ROUTINE = 'Rig.create';

export function checkLength(argument: string, length: number, needed: number, why: string): void {
    if (length === needed) return;
    throw rangeError('ERR_RIG_INVALID', `${ROUTINE}: ${argument} has ${length} elements, must have ${needed} (${why})`);
}

export function objectAt<T extends object>(argument: string, value: T): T {
    if (typeof value !== 'object' || value === null) {
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: ${argument} must be an object, got ${describe(value)}`);
    }
    return value;
}

export function listAt(argument: string, value: unknown): readonly unknown[] {
    if (!isArray(value)) {
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: ${argument} must be an array, got ${describe(value)}`);
    }
    for (let i = 0; i < value.length; i++) {
        if (i in value) continue;
        throw typeError(
            'ERR_ARGUMENT_TYPE',
            `${ROUTINE}: ${argument}[${i}] is missing from an array of ${value.length}`,
        );
    }
    return value;
}

export function stringAt(argument: string, value: unknown): string {
    if (typeof value !== 'string') {
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: ${argument} must be a string, got ${describe(value)}`);
    }
    return value;
}

function checkLive(argument: string, view: ArrayBufferView): void {
    if (!isGone(view)) return;
    const what = `${argument} is a view of a detached or shrunk buffer`;
    throw typeError('ERR_DETACHED_BUFFER', `${ROUTINE}: ${what}, needs a live one`);
}

/** A copy: an array of numbers, or a typed array of them. */
export function numbersAt(argument: string, value: unknown): number[] {
    const isView = ArrayBuffer.isView(value) && !(value instanceof DataView);
    if (!isView && !isArray(value)) {
        throw typeError(
            'ERR_ARGUMENT_TYPE',
            `${ROUTINE}: ${argument} must be a list of numbers, got ${describe(value)}`,
        );
    }
    if (isView) checkLive(argument, value as ArrayBufferView);
    const list = value as ArrayLike<unknown>;
    const length = isView ? lengthOf(value) : list.length;
    const numbers: number[] = [];
    // By index: a subclass may have changed the iterator.
    for (let i = 0; i < length; i++) {
        const number = list[i];
        if (typeof number !== 'number') {
            const what = `${argument}[${i}] must be a number, got ${describe(number)}`;
            throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: ${what}`);
        }
        numbers.push(number);
    }
    return numbers;
}

export function floatsAt(argument: string, value: unknown): Float32Array {
    if (!isFloat32Array(value)) return Float32Array.from(numbersAt(argument, value));
    checkFloat32Array(ROUTINE, argument, value);
    return new Float32Array(value);
}
