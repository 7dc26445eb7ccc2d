// SPDX-License-Identifier: MIT

/** The rules of the functions on quaternion and float lists; see checks/joints.ts. */

import { rangeError, typeError } from '../errors';
import { QUAT_FLOATS } from './layout';
import { checkCount, checkOperands, checkSeparate, floatList, type List, quatList, resolveCount } from './lists';
import { checkFloat32Array, checkNumber, describe, lengthOf } from './views';

/** `slerpQuats` and the interpolations of the scalar family. Returns the number of quaternions. */
export function checkBlendQuats(
    routine: string,
    result: unknown,
    from: unknown,
    to: unknown,
    t: unknown,
    count: unknown,
): number {
    checkFloat32Array(routine, 'result', result);
    checkFloat32Array(routine, 'from', from);
    checkFloat32Array(routine, 'to', to);
    checkNumber(routine, 't', t);
    checkCount(routine, 'count', count);
    const [out, ...operands] = [quatList('result', result), quatList('from', from), quatList('to', to)] as const;
    const resolved = resolveCount(routine, [out, ...operands], count);
    checkOperands(routine, out, operands, resolved);
    return resolved;
}

/** `slerpQuatsPerQuat`. Returns the number of quaternions. */
export function checkQuatsPerQuat(
    routine: string,
    result: unknown,
    from: unknown,
    to: unknown,
    t: unknown,
    count: unknown,
): number {
    checkFloat32Array(routine, 'result', result);
    checkFloat32Array(routine, 'from', from);
    checkFloat32Array(routine, 'to', to);
    checkFloat32Array(routine, 't', t);
    checkCount(routine, 'count', count);
    const [out, ...operands] = [quatList('result', result), quatList('from', from), quatList('to', to)] as const;
    const times = floatList('t', t);
    const resolved = resolveCount(routine, [out, ...operands, times], count);
    checkOperands(routine, out, operands, resolved);
    checkOperands(routine, out, [times], resolved, false);
    return resolved;
}

function checkLength(routine: string, argument: string, view: Float32Array, needed: number, why: string): void {
    if (lengthOf(view) !== needed) {
        throw rangeError(
            'ERR_BUFFER_LENGTH',
            `${routine}: ${argument} holds ${lengthOf(view)} floats, needs ${needed} (${why})`,
        );
    }
}

/** `slerpQuatTimes`. Returns the number of times. */
export function checkQuatTimes(routine: string, result: unknown, q0: unknown, q1: unknown, t: unknown): number {
    checkFloat32Array(routine, 'result', result);
    checkFloat32Array(routine, 'q0', q0);
    checkFloat32Array(routine, 'q1', q1);
    checkFloat32Array(routine, 't', t);
    checkLength(routine, 'q0', q0, QUAT_FLOATS, 'one quaternion');
    checkLength(routine, 'q1', q1, QUAT_FLOATS, 'one quaternion');
    const count = lengthOf(t);
    checkLength(routine, 'result', result, count * QUAT_FLOATS, `a quaternion for each of the ${count} times of t`);
    checkSeparate(
        routine,
        { argument: 'result', view: result, elements: count * QUAT_FLOATS },
        { argument: 't', view: t, elements: count },
    );
    return count;
}

/** `reciprocalSqrt`, `sinZeroHalfPI`, `atanPositive`: lists of the same length. Returns the length. */
export function checkFunction(routine: string, result: unknown, operands: Readonly<Record<string, unknown>>): number {
    checkFloat32Array(routine, 'result', result);
    const lists: List[] = [];
    for (const [argument, view] of Object.entries(operands)) {
        checkFloat32Array(routine, argument, view);
        lists.push(floatList(argument, view));
    }
    const out = floatList('result', result);
    const count = resolveCount(routine, [out, ...lists], undefined);
    checkOperands(routine, out, lists, count);
    return count;
}

/** The `terms` option of `implementation()`: 1 … `most`. */
export function checkTerms(name: string, terms: unknown, most: number): number {
    if (most === 0) {
        throw rangeError('ERR_COUNT_RANGE', `implementation: ${name} has no terms to choose, got ${describe(terms)}`);
    }
    if (typeof terms !== 'number') {
        throw typeError('ERR_ARGUMENT_TYPE', `implementation: terms must be a number, got ${describe(terms)}`);
    }
    if (!Number.isInteger(terms) || terms < 1 || terms > most) {
        throw rangeError(
            'ERR_COUNT_RANGE',
            `implementation: terms must be an integer from 1 to ${most}, got ${describe(terms)}`,
        );
    }
    return terms;
}
