// SPDX-License-Identifier: MIT

/**
 * The parts of the routines' functions (routines.ts): the choice between addon and kernel, and the conversion of
 * arguments for the addon.
 */

import type { NativeFunction } from '../addon/addon';
import { stateError } from '../base/errors';
import type { Kernel, MaxIndex, RoutineDescription, Target } from './description';

/**
 * The error if the addon refused but the checks find no fault. Either another thread changed the buffers in between, or
 * two SharedArrayBuffer objects share the same memory. JavaScript cannot detect the latter without effects on other
 * threads.
 */
export function changedMeanwhile(name: string): Error {
    return stateError(
        'ERR_BUFFER_CHANGED',
        `${name}: the buffers changed during the call, or share memory through two SharedArrayBuffers`,
    );
}

const NO_ADDON: NativeFunction = () => false;

export const maxIndex: MaxIndex = (index, count) => {
    let max = -1;
    for (let i = 0; i < count; i++) {
        const joint = index[i]! >>> 0;
        if (joint > max) max = joint;
    }
    return max;
};

/** A TypeScript kernel behind the checks. */
export const inTypescript = (kernel: Kernel, terms = 0): Target => ({
    native: NO_ADDON,
    typescriptUpTo: Infinity,
    typescriptFloats: Infinity,
    kernelFor: () => kernel,
    maxIndex,
    terms,
});

/**
 * The addon's function.
 *
 * @param kernel A kernel with the same bits. It runs calls that the addon refuses but the checks accept, and lists of
 * up to `typescriptUpTo` elements. Without a kernel, such calls throw.
 */
export function inAddon(
    { name, lists }: RoutineDescription,
    native: NativeFunction,
    terms: number,
    kernel?: Kernel,
    typescriptUpTo = 0,
): Target {
    const refused = () => {
        throw changedMeanwhile(name);
    };
    const typescriptFloats = typescriptUpTo * lists[0]!.floats;
    return { ...inTypescript(kernel ?? refused, terms), native, typescriptUpTo, typescriptFloats };
}

/** The addon's numbers for "as many as the buffers hold" and "up to the last joint", and a number that it refuses. */
export const ALL = -1;
export const UP_TO_LAST = -3;
const INVALID = -2;

/** A 32-bit integer that is at least `min`, `otherwise` if left out, else INVALID, for which the checks name the fault. */
export const integerOr = (value: unknown, otherwise: number, min: number): number =>
    value === undefined
        ? otherwise
        : typeof value === 'number' && value === (value | 0) && value >= min
          ? value
          : INVALID;

export const countOr = (value: unknown): number => integerOr(value, ALL, 0);

/**
 * Whether to pass a call to the addon: its list of floats, or its index, is longer than the limit for TypeScript. Other
 * objects with a large `length` are passed too, and the addon refuses them.
 */
export function isLong(list: { readonly length: number }, max: number): boolean {
    if (max === 0) return true;
    try {
        return list.length > max;
    } catch {
        return false; // Not a list, or a proxy whose trap throws. The checks create the error.
    }
}

/** The convention as a boolean for the addon. Invalid values become undefined, which the addon refuses. */
export const isGltf = (convention: unknown): boolean | undefined =>
    convention === 'gltf' ? true : convention === undefined || convention === 'id' ? false : undefined;
