// SPDX-License-Identifier: MIT

/**
 * One description of each routine on lists: its lists, its parameter, what selects elements, its kernel in TypeScript,
 * and its function over any implementation. From it come the checks of its arguments (checks.ts), its bound form
 * (bind.ts), and the tables of the benchmarks, the sweep and the tests. Its documentation is at the public function of
 * its name (functions.ts).
 *
 * Every function is written out, even if two look alike. V8 inlines a call only if its call site always calls the same
 * function, and only then calls the addon directly (saves 20 of 220 ns for 41 joints).
 */

import { lerpJoints, normalizeJoints, slerpJoints, slerpJointsPerJoint } from '../strict/blendJoints';
import { lerpQuats, slerpQuats, slerpQuatsPerQuat, slerpQuatTimes } from '../strict/blendQuats';
import { convertJointMatsToJointQuats } from '../strict/convertJointMatsToJointQuats';
import { convertJointQuatsToJointMats } from '../strict/convertJointQuatsToJointMats';
import { transformJoints } from '../strict/transformJoints';
import { transformSkeleton } from '../strict/transformSkeleton';
import { untransformSkeleton } from '../strict/untransformSkeleton';
import { checkConversion, checkCounted, checkIndexed, checkSkeleton, readOptions } from './checks';
import { type Arguments, apart, inPlace, type RoutineDescription, routine, sameStart, single, to } from './description';
import { countOr, integerOr, isGltf, isLong, UP_TO_LAST } from './targets';

const blendJoints: Arguments = {
    lists: [inPlace('joints', 'jointQuat'), sameStart('blendJoints', 'jointQuat')],
    parameter: 'lerp',
    selection: 'index',
};

const skeleton: Arguments = { lists: [inPlace('jointMats', 'jointMat')], selection: 'parents', typescriptUpTo: 2 };

const blendQuats: Arguments = {
    lists: [to('result', 'quat'), sameStart('from', 'quat'), sameStart('to', 'quat')],
    parameter: 't',
    selection: 'count',
    terms: true,
};

export const ROUTINES = {
    // Every `strict` implementation has these routines. They can be bound to their lists.
    slerpJoints: routine(
        'slerpJoints',
        slerpJoints,
        blendJoints,
        ({ native, typescriptFloats, kernelFor, maxIndex }, name) =>
            (joints, blendJoints, lerp, index, numJoints) => {
                if (
                    isLong(joints, typescriptFloats) &&
                    native(joints, blendJoints, lerp, index ?? null, countOr(numJoints)) === undefined
                )
                    return;
                const count = checkIndexed(
                    ROUTINES.slerpJoints,
                    joints,
                    blendJoints,
                    undefined,
                    lerp,
                    index,
                    numJoints,
                    name,
                    maxIndex,
                );
                if (count > 0)
                    kernelFor(count, joints, index)(joints, blendJoints, Math.fround(lerp), index ?? null, count);
            },
    ),
    lerpJoints: routine(
        'lerpJoints',
        lerpJoints,
        { ...blendJoints, typescriptUpTo: 3 },
        ({ native, typescriptUpTo, typescriptFloats, kernelFor, maxIndex }, name) =>
            (joints, blendJoints, lerp, index, numJoints) => {
                if (
                    isLong(index ?? joints, index ? typescriptUpTo : typescriptFloats) &&
                    native(joints, blendJoints, lerp, index ?? null, countOr(numJoints)) === undefined
                )
                    return;
                const count = checkIndexed(
                    ROUTINES.lerpJoints,
                    joints,
                    blendJoints,
                    undefined,
                    lerp,
                    index,
                    numJoints,
                    name,
                    maxIndex,
                );
                if (count > 0)
                    kernelFor(count, joints, index)(joints, blendJoints, Math.fround(lerp), index ?? null, count);
            },
    ),
    convertJointQuatsToJointMats: routine(
        'convertJointQuatsToJointMats',
        convertJointQuatsToJointMats,
        {
            lists: [to('jointMats', 'jointMat'), apart('jointQuats', 'jointQuat')],
            selection: 'options',
            typescriptUpTo: 7,
        },
        ({ native, typescriptFloats, kernelFor }, name) =>
            (jointMats, jointQuats, options) => {
                const given = readOptions(options);
                if (given !== null && isLong(jointMats, typescriptFloats)) {
                    const { numJoints, convention } = given;
                    if (native(jointMats, jointQuats, countOr(numJoints), isGltf(convention)) === undefined) return;
                }
                const count = checkConversion(
                    ROUTINES.convertJointQuatsToJointMats,
                    jointMats,
                    jointQuats,
                    options,
                    given,
                    name,
                );
                if (count > 0) kernelFor(count, jointMats)(jointMats, jointQuats, count, given?.convention ?? 'id');
            },
    ),
    convertJointMatsToJointQuats: routine(
        'convertJointMatsToJointQuats',
        convertJointMatsToJointQuats,
        {
            lists: [to('jointQuats', 'jointQuat'), apart('jointMats', 'jointMat')],
            selection: 'options',
            typescriptUpTo: 6,
        },
        ({ native, typescriptFloats, kernelFor }, name) =>
            (jointQuats, jointMats, options) => {
                const given = readOptions(options);
                if (given !== null && isLong(jointQuats, typescriptFloats)) {
                    const { numJoints, convention } = given;
                    if (native(jointQuats, jointMats, countOr(numJoints), isGltf(convention)) === undefined) return;
                }
                const count = checkConversion(
                    ROUTINES.convertJointMatsToJointQuats,
                    jointQuats,
                    jointMats,
                    options,
                    given,
                    name,
                );
                if (count > 0) kernelFor(count, jointQuats)(jointQuats, jointMats, count, given?.convention ?? 'id');
            },
    ),
    transformSkeleton: routine(
        'transformSkeleton',
        transformSkeleton,
        skeleton,
        ({ native, typescriptFloats, kernelFor }, name) =>
            (jointMats, parents, firstJoint, lastJoint) => {
                if (
                    isLong(jointMats, typescriptFloats) &&
                    native(jointMats, parents, integerOr(firstJoint, 1, 0), integerOr(lastJoint, UP_TO_LAST, -1)) ===
                        undefined
                )
                    return;
                const last = checkSkeleton(ROUTINES.transformSkeleton, jointMats, parents, firstJoint, lastJoint, name);
                const first = firstJoint ?? 1;
                if (first <= last) kernelFor(last + 1, jointMats)(jointMats, parents, first, last);
            },
    ),
    untransformSkeleton: routine(
        'untransformSkeleton',
        untransformSkeleton,
        skeleton,
        ({ native, typescriptFloats, kernelFor }, name) =>
            (jointMats, parents, firstJoint, lastJoint) => {
                if (
                    isLong(jointMats, typescriptFloats) &&
                    native(jointMats, parents, integerOr(firstJoint, 1, 0), integerOr(lastJoint, UP_TO_LAST, -1)) ===
                        undefined
                )
                    return;
                const last = checkSkeleton(
                    ROUTINES.untransformSkeleton,
                    jointMats,
                    parents,
                    firstJoint,
                    lastJoint,
                    name,
                );
                const first = firstJoint ?? 1;
                if (first <= last) kernelFor(last + 1, jointMats)(jointMats, parents, first, last);
            },
    ),
    transformJoints: routine(
        'transformJoints',
        transformJoints,
        {
            lists: [to('result', 'jointMat'), sameStart('joints1', 'jointMat'), sameStart('joints2', 'jointMat')],
            selection: 'count',
            typescriptUpTo: 1,
        },
        ({ native, typescriptFloats, kernelFor }, name) =>
            (result, joints1, joints2, numJoints) => {
                if (
                    isLong(result, typescriptFloats) &&
                    native(result, joints1, joints2, countOr(numJoints)) === undefined
                )
                    return;
                const resolved = checkCounted(
                    ROUTINES.transformJoints,
                    result,
                    joints1,
                    joints2,
                    undefined,
                    undefined,
                    numJoints,
                    name,
                );
                if (resolved > 0) kernelFor(resolved, result)(result, joints1, joints2, resolved);
            },
    ),
    slerpJointsPerJoint: routine(
        'slerpJointsPerJoint',
        slerpJointsPerJoint,
        {
            lists: [inPlace('joints', 'jointQuat'), sameStart('blendJoints', 'jointQuat'), apart('lerps', 'float')],
            selection: 'index',
            typescriptUpTo: 1,
        },
        ({ native, typescriptUpTo, typescriptFloats, kernelFor, maxIndex }, name) =>
            (joints, blendJoints, lerps, index, numJoints) => {
                if (
                    isLong(index ?? joints, index ? typescriptUpTo : typescriptFloats) &&
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
                    name,
                    maxIndex,
                );
                if (count > 0) kernelFor(count, joints, index)(joints, blendJoints, lerps, index ?? null, count);
            },
    ),
    normalizeJoints: routine(
        'normalizeJoints',
        normalizeJoints,
        { lists: [inPlace('joints', 'jointQuat')], selection: 'index', typescriptUpTo: 8 },
        ({ native, typescriptUpTo, typescriptFloats, kernelFor, maxIndex }, name) =>
            (joints, index, numJoints) => {
                if (
                    isLong(index ?? joints, index ? typescriptUpTo : typescriptFloats) &&
                    native(joints, index ?? null, countOr(numJoints)) === undefined
                )
                    return;
                const count = checkIndexed(
                    ROUTINES.normalizeJoints,
                    joints,
                    undefined,
                    undefined,
                    undefined,
                    index,
                    numJoints,
                    name,
                    maxIndex,
                );
                if (count > 0) kernelFor(count, joints, index)(joints, index ?? null, count);
            },
    ),
    slerpQuats: routine(
        'slerpQuats',
        slerpQuats,
        { ...blendQuats, typescriptUpTo: 1 },
        ({ native, typescriptFloats, kernelFor, terms }, name) =>
            (result, from, to, t, count) => {
                if (
                    isLong(result, typescriptFloats) &&
                    native(result, from, to, t, countOr(count), terms) === undefined
                )
                    return;
                const resolved = checkCounted(ROUTINES.slerpQuats, result, from, to, undefined, t, count, name);
                if (resolved > 0) kernelFor(resolved, result)(result, from, to, Math.fround(t), resolved, terms);
            },
    ),
    lerpQuats: routine(
        'lerpQuats',
        lerpQuats,
        { ...blendQuats, typescriptUpTo: 4 },
        ({ native, typescriptFloats, kernelFor, terms }, name) =>
            (result, from, to, t, count) => {
                if (
                    isLong(result, typescriptFloats) &&
                    native(result, from, to, t, countOr(count), terms) === undefined
                )
                    return;
                const resolved = checkCounted(ROUTINES.lerpQuats, result, from, to, undefined, t, count, name);
                if (resolved > 0) kernelFor(resolved, result)(result, from, to, Math.fround(t), resolved, terms);
            },
    ),
    slerpQuatsPerQuat: routine(
        'slerpQuatsPerQuat',
        slerpQuatsPerQuat,
        {
            lists: [to('result', 'quat'), sameStart('from', 'quat'), sameStart('to', 'quat'), apart('t', 'float')],
            selection: 'count',
            typescriptUpTo: 2,
        },
        ({ native, typescriptFloats, kernelFor }, name) =>
            (result, from, to, t, count) => {
                if (isLong(result, typescriptFloats) && native(result, from, to, t, countOr(count)) === undefined)
                    return;
                const resolved = checkCounted(ROUTINES.slerpQuatsPerQuat, result, from, to, t, undefined, count, name);
                if (resolved > 0) kernelFor(resolved, result)(result, from, to, t, resolved);
            },
    ),
    slerpQuatTimes: routine(
        'slerpQuatTimes',
        slerpQuatTimes,
        {
            lists: [to('result', 'quat'), single('q0', 'quat'), single('q1', 'quat'), apart('t', 'float')],
            selection: 'lengths',
            terms: true,
            typescriptUpTo: 1,
        },
        ({ native, typescriptFloats, kernelFor, terms }, name) =>
            (result, q0, q1, t) => {
                if (isLong(result, typescriptFloats) && native(result, q0, q1, t, terms) === undefined) return;
                const resolved = checkCounted(ROUTINES.slerpQuatTimes, result, q0, q1, t, undefined, undefined, name);
                if (resolved > 0) kernelFor(resolved, result)(result, q0, q1, t, resolved, terms);
            },
    ),

    // The scalar family of "Slerping Clock Cycles", sections 3 to 5, over lists.
    slerp: scalarBlend('slerp'),
    slerpTransformed: scalarBlend('slerpTransformed'),
    slerpOptimized: scalarBlend('slerpOptimized'),
    slerpOptimizedExact: scalarBlend('slerpOptimizedExact'),
    lerp: scalarBlend('lerp'),
    reciprocalSqrt: scalarFunction('reciprocalSqrt', ['x']),
    sinZeroHalfPI: scalarFunction('sinZeroHalfPI', ['a']),
    atanPositive: scalarFunction('atanPositive', ['y', 'x']),
} as const;

// The scalar family is for comparison; its calls need not be the fastest.

function scalarBlend(name: string): RoutineDescription<undefined> {
    const description: RoutineDescription<undefined> = routine(
        name,
        undefined,
        blendQuats,
        ({ native, typescriptFloats, kernelFor, terms }, name) =>
            (result, from, to, t, count) => {
                if (
                    isLong(result, typescriptFloats) &&
                    native(result, from, to, t, countOr(count), terms) === undefined
                )
                    return;
                const resolved = checkCounted(description, result, from, to, undefined, t, count, name);
                if (resolved > 0) kernelFor(resolved, result)(result, from, to, Math.fround(t), resolved, terms);
            },
    );
    return description;
}

/** Routines on one number or on two. */
function scalarFunction(name: string, operands: readonly string[]): RoutineDescription<undefined> {
    const lists = [to('result', 'float'), ...operands.map((operand) => sameStart(operand, 'float'))];
    const description: RoutineDescription<undefined> = routine(
        name,
        undefined,
        { lists, selection: 'lengths' },
        ({ native, typescriptFloats, kernelFor }, name) =>
            (result, a, b) => {
                if (isLong(result, typescriptFloats) && native(result, a, b) === undefined) return;
                const count = checkCounted(description, result, a, b, undefined, undefined, undefined, name);
                if (count === 0) return;
                if (b === undefined) kernelFor(count, result)(result, a, count);
                else kernelFor(count, result)(result, a, b, count);
            },
    );
    return description;
}

/** The name of a routine: of lists of joints, of lists of quaternions, or of the scalar family. */
export type Routine = keyof typeof ROUTINES;

export const ROUTINE_NAMES = Object.keys(ROUTINES) as readonly Routine[];

/** A routine that can be bound to its lists. */
export type BindableRoutine = {
    [R in Routine]: (typeof ROUTINES)[R]['kernel'] extends undefined ? never : R;
}[Routine];

/** The routines that every `strict` implementation has. */
export const STRICT_ROUTINES = ROUTINE_NAMES.filter(
    (routine) => ROUTINES[routine].kernel,
) as readonly BindableRoutine[];

/** The scalar family. */
export const SCALAR_ROUTINES = ROUTINE_NAMES.filter((routine) => !ROUTINES[routine].kernel) as readonly Exclude<
    Routine,
    BindableRoutine
>[];

export const STRICT_TYPESCRIPT = 'strict/typescript';
export const STRICT_WASM = 'strict/wasm';

/** The implementation `strict/typescript`: kernels behind the checks. */
export const strictKernels = Object.fromEntries(
    STRICT_ROUTINES.map((routine) => [routine, ROUTINES[routine].kernel]),
) as { readonly [R in BindableRoutine]: (typeof ROUTINES)[R]['kernel'] };

/** `bindSlerpJoints` of `slerpJoints`. */
export const bindName = (routine: Routine): string => `bind${routine[0]!.toUpperCase()}${routine.slice(1)}`;
