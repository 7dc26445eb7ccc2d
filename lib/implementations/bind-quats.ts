// SPDX-License-Identifier: MIT

/** Public functions on quaternion and float lists over a backend's kernels; see bind-joints.ts. */

import type { CheckedKernels, NativeKernels } from '../backend/contract';
import { checkBlendQuats, checkFunction, checkQuatTimes } from '../checks/quats';
import { ALL, changedMeanwhile, integerOr } from './arguments';
import type { BlendQuats, QuatKernels, ScalarKernels } from './kernels';

type Bound = Partial<QuatKernels & ScalarKernels>;

/** The interpolations of two lists: all of them have the same arguments. */
const BLENDS = [
    'slerpQuats',
    'lerpQuats',
    'slerp',
    'slerpTransformed',
    'slerpOptimized',
    'slerpOptimizedExact',
    'lerp',
] as const;
const FUNCTIONS = ['reciprocalSqrt', 'sinZeroHalfPI'] as const;

/**
 * The public functions of TypeScript kernels.
 *
 * @param terms How many terms of their series; 0 for kernels that have only one form.
 */
export function bindTypescriptQuats(kernels: Partial<CheckedKernels>, terms: number): Bound {
    const bound: Bound = {};
    for (const routine of BLENDS) {
        const kernel = kernels[routine];
        if (!kernel) continue;
        bound[routine] = (result, from, to, t, count) => {
            const resolved = checkBlendQuats(routine, result, from, to, t, count);
            kernel(result, from, to, Math.fround(t), resolved, terms);
        };
    }
    const { slerpQuatTimes, atanPositive } = kernels;
    if (slerpQuatTimes) {
        bound.slerpQuatTimes = (result, q0, q1, t) => {
            checkQuatTimes(result, q0, q1, t);
            slerpQuatTimes(result, q0, q1, t, terms);
        };
    }
    for (const routine of FUNCTIONS) {
        const kernel = kernels[routine];
        if (!kernel) continue;
        bound[routine] = (result: Float32Array, x: Float32Array) => {
            checkFunction(routine, result, routine === 'reciprocalSqrt' ? { x } : { a: x });
            kernel(result, x);
        };
    }
    if (atanPositive) {
        bound.atanPositive = (result, y, x) => {
            checkFunction('atanPositive', result, { y, x });
            atanPositive(result, y, x);
        };
    }
    return bound;
}

function bindNativeBlend(routine: string, call: NonNullable<NativeKernels['slerpQuats']>, terms: number): BlendQuats {
    return (result, from, to, t, count) => {
        if (call(result, from, to, t, integerOr(count, ALL, 0), terms) === undefined) return;
        // Empty lists are refused, too: the addon cannot tell them from lists whose buffers are gone.
        if (checkBlendQuats(routine, result, from, to, t, count) > 0) throw changedMeanwhile(routine);
    };
}

/** The public functions of the routines that a native implementation has. */
export function bindNativeQuats(kernels: NativeKernels, terms: number): Bound {
    const bound: Bound = {};
    for (const routine of BLENDS) {
        const call = kernels[routine];
        if (call) bound[routine] = bindNativeBlend(routine, call, terms);
    }
    const { slerpQuatTimes, atanPositive } = kernels;
    if (slerpQuatTimes) {
        bound.slerpQuatTimes = (result, q0, q1, t) => {
            if (slerpQuatTimes(result, q0, q1, t, terms) === undefined) return;
            if (checkQuatTimes(result, q0, q1, t) > 0) throw changedMeanwhile('slerpQuatTimes');
        };
    }
    for (const routine of FUNCTIONS) {
        const call = kernels[routine];
        if (!call) continue;
        bound[routine] = (result: Float32Array, x: Float32Array) => {
            if (call(result, x) === undefined) return;
            const operands: Record<string, unknown> = routine === 'reciprocalSqrt' ? { x } : { a: x };
            if (checkFunction(routine, result, operands) > 0) throw changedMeanwhile(routine);
        };
    }
    if (atanPositive) {
        bound.atanPositive = (result, y, x) => {
            if (atanPositive(result, y, x) === undefined) return;
            if (checkFunction('atanPositive', result, { y, x }) > 0) throw changedMeanwhile('atanPositive');
        };
    }
    return bound;
}
