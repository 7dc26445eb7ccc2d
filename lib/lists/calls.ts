// SPDX-License-Identifier: MIT

/**
 * The functions of each routine, over the addon or TypeScript kernels: plain ones, those of `implementation()`, those for browsers.
 *
 * Each routine has a place of its own in the source, also where two look alike: V8 puts in line only what one place always calls, and
 * calls the addon's functions directly only then (20 ns of 220 for 41 joints).
 */

import type { NativeFunction } from '../addon/addon';
import { stateError } from '../errors';
import { ROUTINES, type Routine } from './routines';
import { checkConversion, checkCounted, checkIndexed, checkSkeleton, readOptions } from './rules';

// biome-ignore lint/suspicious/noExplicitAny: what each routine takes is in its description
export type ListFunction = (...args: any[]) => void;

/**
 * A kernel in TypeScript: the arguments of the public function, all of them checked and resolved. `null`: no index. With `options` it
 * takes the number of joints and the convention, with `lengths` the number of elements, and at the end terms where the routine has them.
 */
export type Kernel = ListFunction;

/** The kernels that an implementation in TypeScript has. */
export type Kernels = { readonly [R in Routine]?: Kernel };

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

/** Where a routine's function runs. */
export interface Target {
    /** The addon's; never called where `above` is infinite. */
    readonly native: NativeFunction;
    /** The first list needs more floats than this for the addon; shorter ones, and what is no list, go to the kernel. */
    readonly above: number;
    /** Also for calls that the addon refused: it cannot tell empty lists from those whose buffers are gone. */
    readonly kernel: Kernel;
    /** How many terms; 0 where there is nothing to choose. */
    readonly terms: number;
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
export function inAddon(routine: Routine, native: NativeFunction, terms: number, kernel?: Kernel, upTo = 0): Target {
    const refused = () => {
        throw changedMeanwhile(routine);
    };
    return { native, above: upTo * ROUTINES[routine].lists[0]!.floats, kernel: kernel ?? refused, terms };
}

/** What the addon takes for "as many as the buffers hold", for "up to the last joint", and what it refuses. */
export const ALL = -1;
export const UP_TO_LAST = -3;
const INVALID = -2;

/** A 32-bit integer that is at least `min`, `otherwise` where none was given, else INVALID: then the checks name the fault. */
const integerOr = (value: unknown, otherwise: number, min: number): number =>
    value === undefined
        ? otherwise
        : typeof value === 'number' && value === (value | 0) && value >= min
          ? value
          : INVALID;

const countOr = (value: unknown): number => integerOr(value, ALL, 0);

/**
 * Whether a list is one for the addon: it has more floats than `above`. What else calls itself long comes to the addon, too, which
 * refuses it.
 */
function isLong(list: { readonly length: number }, above: number): boolean {
    if (above === 0) return true;
    try {
        return list.length > above;
    } catch {
        return false; // No list at all, or a proxy's trap: the checks find the words.
    }
}

/** The convention as the addon takes it; it refuses undefined, which another value becomes. */
const isGltf = (convention: unknown): boolean | undefined =>
    convention === 'gltf' ? true : convention === undefined || convention === 'id' ? false : undefined;

/** Makes the function of a routine. */
export const CALLS: Readonly<Record<Routine, (target: Target) => ListFunction>> = {
    slerpJoints:
        ({ native, above, kernel }) =>
        (joints, blendJoints, lerp, index, numJoints) => {
            if (
                isLong(joints, above) &&
                native(joints, blendJoints, lerp, index ?? null, countOr(numJoints)) === undefined
            )
                return;
            const count = checkIndexed(ROUTINES.slerpJoints, joints, blendJoints, undefined, lerp, index, numJoints);
            if (count > 0) kernel(joints, blendJoints, Math.fround(lerp), index ?? null, count);
        },
    lerpJoints:
        ({ native, above, kernel }) =>
        (joints, blendJoints, lerp, index, numJoints) => {
            if (
                isLong(joints, above) &&
                native(joints, blendJoints, lerp, index ?? null, countOr(numJoints)) === undefined
            )
                return;
            const count = checkIndexed(ROUTINES.lerpJoints, joints, blendJoints, undefined, lerp, index, numJoints);
            if (count > 0) kernel(joints, blendJoints, Math.fround(lerp), index ?? null, count);
        },
    slerpJointsPerJoint:
        ({ native, above, kernel }) =>
        (joints, blendJoints, lerps, index, numJoints) => {
            if (
                isLong(joints, above) &&
                native(joints, blendJoints, lerps, index ?? null, countOr(numJoints)) === undefined
            )
                return;
            const count = checkIndexed(
                ROUTINES.slerpJointsPerJoint,
                joints,
                blendJoints,
                lerps,
                undefined,
                index,
                numJoints,
            );
            if (count > 0) kernel(joints, blendJoints, lerps, index ?? null, count);
        },
    normalizeJoints:
        ({ native, above, kernel }) =>
        (joints, index, numJoints) => {
            if (isLong(joints, above) && native(joints, index ?? null, countOr(numJoints)) === undefined) return;
            const count = checkIndexed(
                ROUTINES.normalizeJoints,
                joints,
                undefined,
                undefined,
                undefined,
                index,
                numJoints,
            );
            if (count > 0) kernel(joints, index ?? null, count);
        },
    convertJointQuatsToJointMats:
        ({ native, above, kernel }) =>
        (jointMats, jointQuats, options) => {
            const given = readOptions(options);
            if (given !== null && isLong(jointMats, above)) {
                const { numJoints, convention } = given;
                if (native(jointMats, jointQuats, countOr(numJoints), isGltf(convention)) === undefined) return;
            }
            const count = checkConversion(ROUTINES.convertJointQuatsToJointMats, jointMats, jointQuats, options, given);
            if (count > 0) kernel(jointMats, jointQuats, count, given?.convention ?? 'id');
        },
    convertJointMatsToJointQuats:
        ({ native, above, kernel }) =>
        (jointQuats, jointMats, options) => {
            const given = readOptions(options);
            if (given !== null && isLong(jointQuats, above)) {
                const { numJoints, convention } = given;
                if (native(jointQuats, jointMats, countOr(numJoints), isGltf(convention)) === undefined) return;
            }
            const count = checkConversion(ROUTINES.convertJointMatsToJointQuats, jointQuats, jointMats, options, given);
            if (count > 0) kernel(jointQuats, jointMats, count, given?.convention ?? 'id');
        },
    transformSkeleton:
        ({ native, above, kernel }) =>
        (jointMats, parents, firstJoint, lastJoint) => {
            if (
                isLong(jointMats, above) &&
                native(jointMats, parents, integerOr(firstJoint, 1, 0), integerOr(lastJoint, UP_TO_LAST, -1)) ===
                    undefined
            )
                return;
            const last = checkSkeleton(ROUTINES.transformSkeleton, jointMats, parents, firstJoint, lastJoint);
            const first = firstJoint ?? 1;
            if (first <= last) kernel(jointMats, parents, first, last);
        },
    untransformSkeleton:
        ({ native, above, kernel }) =>
        (jointMats, parents, firstJoint, lastJoint) => {
            if (
                isLong(jointMats, above) &&
                native(jointMats, parents, integerOr(firstJoint, 1, 0), integerOr(lastJoint, UP_TO_LAST, -1)) ===
                    undefined
            )
                return;
            const last = checkSkeleton(ROUTINES.untransformSkeleton, jointMats, parents, firstJoint, lastJoint);
            const first = firstJoint ?? 1;
            if (first <= last) kernel(jointMats, parents, first, last);
        },
    transformJoints:
        ({ native, above, kernel }) =>
        (result, joints1, joints2, numJoints) => {
            if (isLong(result, above) && native(result, joints1, joints2, countOr(numJoints)) === undefined) return;
            const resolved = checkCounted(
                ROUTINES.transformJoints,
                result,
                joints1,
                joints2,
                undefined,
                undefined,
                numJoints,
            );
            if (resolved > 0) kernel(result, joints1, joints2, resolved);
        },
    slerpQuats:
        ({ native, above, kernel, terms }) =>
        (result, from, to, t, count) => {
            if (isLong(result, above) && native(result, from, to, t, countOr(count), terms) === undefined) return;
            const resolved = checkCounted(ROUTINES.slerpQuats, result, from, to, undefined, t, count);
            if (resolved > 0) kernel(result, from, to, Math.fround(t), resolved, terms);
        },
    lerpQuats:
        ({ native, above, kernel, terms }) =>
        (result, from, to, t, count) => {
            if (isLong(result, above) && native(result, from, to, t, countOr(count), terms) === undefined) return;
            const resolved = checkCounted(ROUTINES.lerpQuats, result, from, to, undefined, t, count);
            if (resolved > 0) kernel(result, from, to, Math.fround(t), resolved, terms);
        },
    slerpQuatsPerQuat:
        ({ native, above, kernel }) =>
        (result, from, to, t, count) => {
            if (isLong(result, above) && native(result, from, to, t, countOr(count)) === undefined) return;
            const resolved = checkCounted(ROUTINES.slerpQuatsPerQuat, result, from, to, t, undefined, count);
            if (resolved > 0) kernel(result, from, to, t, resolved);
        },
    slerpQuatTimes:
        ({ native, above, kernel, terms }) =>
        (result, q0, q1, t) => {
            if (isLong(result, above) && native(result, q0, q1, t, terms) === undefined) return;
            const resolved = checkCounted(ROUTINES.slerpQuatTimes, result, q0, q1, t, undefined, undefined);
            if (resolved > 0) kernel(result, q0, q1, t, resolved, terms);
        },
    // The scalar family is for comparison, and need not be called by the shortest way.
    slerp: scalarBlend('slerp'),
    slerpTransformed: scalarBlend('slerpTransformed'),
    slerpOptimized: scalarBlend('slerpOptimized'),
    slerpOptimizedExact: scalarBlend('slerpOptimizedExact'),
    lerp: scalarBlend('lerp'),
    reciprocalSqrt: scalarFunction('reciprocalSqrt'),
    sinZeroHalfPI: scalarFunction('sinZeroHalfPI'),
    atanPositive: scalarFunction('atanPositive'),
};

function scalarBlend(name: Routine): (target: Target) => ListFunction {
    return ({ native, above, kernel, terms }) =>
        (result, from, to, t, count) => {
            if (isLong(result, above) && native(result, from, to, t, countOr(count), terms) === undefined) return;
            const resolved = checkCounted(ROUTINES[name], result, from, to, undefined, t, count);
            if (resolved > 0) kernel(result, from, to, Math.fround(t), resolved, terms);
        };
}

/** Of one number, or of two. */
function scalarFunction(name: Routine): (target: Target) => ListFunction {
    return ({ native, above, kernel }) =>
        (result, a, b) => {
            if (isLong(result, above) && native(result, a, b) === undefined) return;
            const count = checkCounted(ROUTINES[name], result, a, b, undefined, undefined, undefined);
            if (count === 0) return;
            if (b === undefined) kernel(result, a, count);
            else kernel(result, a, b, count);
        };
}
