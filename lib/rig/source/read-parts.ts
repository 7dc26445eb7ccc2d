// SPDX-License-Identifier: MIT

/**
 * Reads the arguments of `Rig.create`: each function throws a typed error that names the argument. Lists are copied.
 */

import { checkFloat32Array, isArray, isFloat32Array, lengthOf, wrongType } from '../../base/arguments';
import { checkLive } from '../../base/call-arguments';
import { rangeError, typeError } from '../../base/errors';

/** A list of numbers of any kind: array or typed array. Copied. */
export type Numbers = readonly number[] | Float32Array | Int32Array | Uint16Array;

export const ROUTINE = 'Rig.create';

export function checkLength(argument: string, length: number, needed: number, why: string): void {
    if (length === needed) return;
    throw rangeError('ERR_RIG_INVALID', `${ROUTINE}: ${argument} has ${length} elements, must have ${needed} (${why})`);
}

/** The error of an argument of another type than it `needs`. */
export const notA = (argument: string, needs: string, value: unknown) => wrongType(ROUTINE, argument, needs, value);

export function objectAt<T extends object>(argument: string, value: T): T {
    if (typeof value !== 'object' || value === null) throw notA(argument, 'an object', value);
    return value;
}

export function listAt(argument: string, value: unknown): readonly unknown[] {
    if (!isArray(value)) throw notA(argument, 'an array', value);
    for (let i = 0; i < value.length; i++) {
        if (i in value) continue;
        const what = `${argument}[${i}] is missing from an array of ${value.length}`;
        throw typeError('ERR_ARGUMENT_TYPE', `${ROUTINE}: ${what}`);
    }
    return value;
}

export function stringAt(argument: string, value: unknown): string {
    if (typeof value !== 'string') throw notA(argument, 'a string', value);
    return value;
}

/** A copy: an array of numbers, or a typed array of them. */
export function numbersAt(argument: string, value: unknown): number[] {
    const isView = ArrayBuffer.isView(value) && !(value instanceof DataView);
    if (!isView && !isArray(value)) throw notA(argument, 'a list of numbers', value);
    if (isView) checkLive(ROUTINE, argument, value as ArrayBufferView);
    const list = value as ArrayLike<unknown>;
    const length = isView ? lengthOf(value) : list.length;
    const numbers: number[] = [];
    // By index: a subclass may have changed the iterator.
    for (let i = 0; i < length; i++) {
        const number = list[i];
        if (typeof number !== 'number') throw notA(`${argument}[${i}]`, 'a number', number);
        numbers.push(number);
    }
    return numbers;
}

export function floatsAt(argument: string, value: unknown): Float32Array {
    if (!isFloat32Array(value)) return Float32Array.from(numbersAt(argument, value));
    checkFloat32Array(ROUTINE, argument, value);
    return new Float32Array(value);
}
