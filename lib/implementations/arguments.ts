// SPDX-License-Identifier: MIT

/** How optional numbers reach the addon, and what to say when it refuses for no reason that is still there. */

import { ROUTINES, type Routine } from '../backend/contract';
import { MAX_COUNT } from '../checks/layout';
import { stateError } from '../errors';

/** What the addon takes for "as many as the buffers hold". */
export const ALL = -1;

/** What the addon refuses, so that the checks in TypeScript get to name the fault. */
export const INVALID = -2;

/** What the addon takes for "up to the last joint that the buffer holds". (A last joint of -1 already means "none".) */
export const UP_TO_LAST = -3;

/** A 32-bit integer that is at least `least`, `whenUndefined` where none was given, otherwise INVALID. */
export function integerOr(value: unknown, whenUndefined: number, least: number): number {
    if (value === undefined) return whenUndefined;
    return typeof value === 'number' && value === (value | 0) && value >= least ? value : INVALID;
}

/**
 * The addon refused, yet nothing wrong is to be seen: another thread changed the buffers in between, or two of them are
 * the same shared memory behind two SharedArrayBuffer objects. JavaScript could find that out only by what other threads
 * would notice: by writing there, or waking those that wait there.
 */
export function changedMeanwhile(routine: string): Error {
    return stateError(
        'ERR_BUFFER_CHANGED',
        `${routine}: the buffers changed during the call, or share memory through two SharedArrayBuffers`,
    );
}

/** Up to how many elements, by routine, the TypeScript kernels are to be used; for other routines they are not. */
export type Limits = { readonly [R in Routine]?: number };

/** All that there can be. */
export const UNLIMITED: Limits = Object.fromEntries(ROUTINES.map((routine) => [routine, MAX_COUNT]));

/** What options say, each read once: an accessor could answer differently the second time. `null`: no object. */
export function readOptions(options: unknown): { numJoints: unknown; convention: unknown } | null {
    if (typeof options !== 'object' || options === null) return null;
    const { numJoints, convention } = options as { numJoints?: unknown; convention?: unknown };
    return { numJoints, convention };
}
