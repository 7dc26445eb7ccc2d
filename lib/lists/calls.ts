// SPDX-License-Identifier: MIT

/** What the functions of the routines (routines.ts) are made of: where they run, and how they take their arguments to the addon. */

import type { NativeFunction } from '../addon/addon';
import { stateError } from '../errors';
import type { Kernel, RoutineDescription, Target } from './description';

/**
 * The addon refused, yet nothing wrong is to be seen: another thread changed the buffers in between, or two of them are
 * the same shared memory behind two SharedArrayBuffer objects. JavaScript could find that out only by what other threads
 * would notice: by writing there, or waking those that wait there.
 */
export function changedMeanwhile(name: string): Error {
    return stateError(
        'ERR_BUFFER_CHANGED',
        `${name}: the buffers changed during the call, or share memory through two SharedArrayBuffers`,
    );
}

const NO_ADDON: NativeFunction = () => false;

/** A TypeScript kernel behind the checks. */
export const inTypescript = (kernel: Kernel, terms = 0): Target => ({
    native: NO_ADDON,
    above: Infinity,
    kernel,
    terms,
});

/**
 * The addon's function.
 *
 * @param kernel With the same bits: for calls that the addon refuses and the checks do not, and for lists of up to `upTo` elements.
 * Left out: such calls are an error.
 */
export function inAddon(
    { name, lists }: RoutineDescription,
    native: NativeFunction,
    terms: number,
    kernel?: Kernel,
    upTo = 0,
): Target {
    const refused = () => {
        throw changedMeanwhile(name);
    };
    return { native, above: upTo * lists[0]!.floats, kernel: kernel ?? refused, terms };
}

/** What the addon takes for "as many as the buffers hold", for "up to the last joint", and what it refuses. */
export const ALL = -1;
export const UP_TO_LAST = -3;
const INVALID = -2;

/** A 32-bit integer that is at least `min`, `otherwise` where none was given, else INVALID: then the checks name the fault. */
export const integerOr = (value: unknown, otherwise: number, min: number): number =>
    value === undefined
        ? otherwise
        : typeof value === 'number' && value === (value | 0) && value >= min
          ? value
          : INVALID;

export const countOr = (value: unknown): number => integerOr(value, ALL, 0);

/**
 * Whether a list is one for the addon: it has more floats than `above`. What else calls itself long comes to the addon, too, which
 * refuses it.
 */
export function isLong(list: { readonly length: number }, above: number): boolean {
    if (above === 0) return true;
    try {
        return list.length > above;
    } catch {
        return false; // No list at all, or a proxy's trap: the checks find the words.
    }
}

/** The convention as the addon takes it; it refuses undefined, which another value becomes. */
export const isGltf = (convention: unknown): boolean | undefined =>
    convention === 'gltf' ? true : convention === undefined || convention === 'id' ? false : undefined;
