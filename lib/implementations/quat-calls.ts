// SPDX-License-Identifier: MIT

/** Public functions on quaternion and float lists over a backend's kernels; see joint-calls.ts. */

import type { CheckedKernels, NativeKernels } from '../backend/contract';
import { checkBlendQuats, checkFunction, checkQuatsPerQuat, checkQuatTimes } from '../checks/quats';
import { quickBlendQuats, quickQuatsPerQuat } from '../checks/quick';
import { ALL, changedMeanwhile, integerOr, type Limits } from './arguments';
import type { BlendQuats, QuatKernels, ScalarKernels } from './kernels';

type QuatCalls = Partial<QuatKernels & ScalarKernels>;

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
 * TypeScript kernels behind the checks that know all faults by name.
 *
 * @param terms How many terms of their series; 0 for kernels that have only one form.
 */
export function checkedQuatCalls(kernels: Partial<CheckedKernels>, terms: number): QuatCalls {
    const calls: QuatCalls = {};
    for (const routine of BLENDS) {
        const kernel = kernels[routine];
        if (!kernel) continue;
        calls[routine] = (result, from, to, t, count) => {
            const resolved = checkBlendQuats(routine, result, from, to, t, count);
            kernel(result, from, to, Math.fround(t), resolved, terms);
        };
    }
    const { slerpQuatsPerQuat, slerpQuatTimes, atanPositive } = kernels;
    if (slerpQuatsPerQuat) {
        calls.slerpQuatsPerQuat = (result, from, to, t, count) => {
            const resolved = checkQuatsPerQuat('slerpQuatsPerQuat', result, from, to, t, count);
            slerpQuatsPerQuat(result, from, to, t, resolved);
        };
    }
    if (slerpQuatTimes) {
        calls.slerpQuatTimes = (result, q0, q1, t) => {
            const count = checkQuatTimes('slerpQuatTimes', result, q0, q1, t);
            slerpQuatTimes(result, q0, q1, t, count, terms);
        };
    }
    for (const routine of FUNCTIONS) {
        const kernel = kernels[routine];
        if (!kernel) continue;
        calls[routine] = (result: Float32Array, x: Float32Array) => {
            checkFunction(routine, result, routine === 'reciprocalSqrt' ? { x } : { a: x });
            kernel(result, x);
        };
    }
    if (atanPositive) {
        calls.atanPositive = (result, y, x) => {
            checkFunction('atanPositive', result, { y, x });
            atanPositive(result, y, x);
        };
    }
    return calls;
}

/** See `quickJointCalls`. */
export function quickQuatCalls(
    kernels: Partial<CheckedKernels>,
    terms: number,
    limits: Limits,
    otherwise: QuatCalls,
): QuatCalls {
    const calls: QuatCalls = {};
    const { slerpQuats, lerpQuats, slerpQuatsPerQuat } = kernels;
    if (slerpQuats && limits.slerpQuats) {
        const limit = limits.slerpQuats;
        const other = otherwise.slerpQuats!;
        calls.slerpQuats = (result, from, to, t, count) => {
            const resolved = quickBlendQuats(result, from, to, t, count, limit);
            if (resolved > 0) slerpQuats(result, from, to, Math.fround(t), resolved, terms);
            else other(result, from, to, t, count);
        };
    }
    if (lerpQuats && limits.lerpQuats) {
        const limit = limits.lerpQuats;
        const other = otherwise.lerpQuats!;
        calls.lerpQuats = (result, from, to, t, count) => {
            const resolved = quickBlendQuats(result, from, to, t, count, limit);
            if (resolved > 0) lerpQuats(result, from, to, Math.fround(t), resolved, terms);
            else other(result, from, to, t, count);
        };
    }
    if (slerpQuatsPerQuat && limits.slerpQuatsPerQuat) {
        const limit = limits.slerpQuatsPerQuat;
        const other = otherwise.slerpQuatsPerQuat!;
        calls.slerpQuatsPerQuat = (result, from, to, t, count) => {
            const resolved = quickQuatsPerQuat(result, from, to, t, count, limit);
            if (resolved > 0) slerpQuatsPerQuat(result, from, to, t, resolved);
            else other(result, from, to, t, count);
        };
    }
    return calls;
}

function nativeBlend(routine: string, call: NonNullable<NativeKernels['slerpQuats']>, terms: number): BlendQuats {
    return (result, from, to, t, count) => {
        if (call(result, from, to, t, integerOr(count, ALL, 0), terms) === undefined) return;
        // Empty lists are refused, too: the addon cannot tell them from lists whose buffers are gone.
        if (checkBlendQuats(routine, result, from, to, t, count) > 0) throw changedMeanwhile(routine);
    };
}

/** The routines that a native implementation has. */
export function nativeQuatCalls(kernels: NativeKernels, terms: number): QuatCalls {
    const calls: QuatCalls = {};
    for (const routine of BLENDS) {
        const call = kernels[routine];
        if (call) calls[routine] = nativeBlend(routine, call, terms);
    }
    const { slerpQuatsPerQuat, slerpQuatTimes, atanPositive } = kernels;
    if (slerpQuatsPerQuat) {
        calls.slerpQuatsPerQuat = (result, from, to, t, count) => {
            if (slerpQuatsPerQuat(result, from, to, t, integerOr(count, ALL, 0)) === undefined) return;
            const resolved = checkQuatsPerQuat('slerpQuatsPerQuat', result, from, to, t, count);
            if (resolved > 0) throw changedMeanwhile('slerpQuatsPerQuat');
        };
    }
    if (slerpQuatTimes) {
        calls.slerpQuatTimes = (result, q0, q1, t) => {
            if (slerpQuatTimes(result, q0, q1, t, terms) === undefined) return;
            if (checkQuatTimes('slerpQuatTimes', result, q0, q1, t) > 0) throw changedMeanwhile('slerpQuatTimes');
        };
    }
    for (const routine of FUNCTIONS) {
        const call = kernels[routine];
        if (!call) continue;
        calls[routine] = (result: Float32Array, x: Float32Array) => {
            if (call(result, x) === undefined) return;
            const operands: Record<string, unknown> = routine === 'reciprocalSqrt' ? { x } : { a: x };
            if (checkFunction(routine, result, operands) > 0) throw changedMeanwhile(routine);
        };
    }
    if (atanPositive) {
        calls.atanPositive = (result, y, x) => {
            if (atanPositive(result, y, x) === undefined) return;
            if (checkFunction('atanPositive', result, { y, x }) > 0) throw changedMeanwhile('atanPositive');
        };
    }
    return calls;
}
