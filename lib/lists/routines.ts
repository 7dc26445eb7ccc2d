// SPDX-License-Identifier: MIT

/**
 * One description of each routine on lists. From it come the checks of its arguments (rules.ts), its functions (calls.ts), its
 * bound form (bind.ts), and the tables of the benchmarks, the sweep and the tests. Its documentation is at the public function of
 * its name (functions.ts), its arithmetic in docs/tables/strict-orders.md.
 */

/** What an element of a list is, and how many floats it has. */
export const FLOATS = {
    /** Unit quaternion x y z w, translation x y z, `t.w` (JOINT_QUAT_FLOATS in functions.ts). */
    jointQuat: 8,
    /** Row-major 3x4, the translation last in each row. */
    jointMat: 12,
    /** x y z w */
    quat: 4,
    float: 1,
} as const;

export type Element = keyof typeof FLOATS;

/** A list of floats among the arguments of a routine. */
export interface ListArgument {
    readonly argument: string;
    readonly element: Element;
    /** Floats of an element. */
    readonly floats: number;
    /** Where it may lie in the memory of the first list, the destination: it may start at the same byte; nowhere; anywhere. */
    readonly sharing: 'same start' | 'none' | 'any';
    /** Exactly one element, however many the other lists have. */
    readonly single: boolean;
    /** Of the destination: it is read, too. */
    readonly inPlace: boolean;
}

/**
 * The arguments behind the lists and the parameter:
 * `index`: which joints, and how many; `parents`: the hierarchy, the first and the last joint; `options`: how many joints, and the
 * convention of the matrices; `count`: how many elements; `lengths`: none, the lists have the same length.
 */
export type Selection = 'index' | 'parents' | 'options' | 'count' | 'lengths';

export interface RoutineDescription {
    readonly name: string;
    /** The destination first. */
    readonly lists: readonly ListArgument[];
    /** The name of the number that differs from call to call. */
    readonly parameter?: 'lerp' | 't' | undefined;
    readonly selection: Selection;
    /** Whether the kernel takes how many terms of its series to use; only implementations with a choice have more than 0. */
    readonly terms?: true | undefined;
    /**
     * Up to how many elements `strict/typescript` takes less time than a call into the addon, in calls and in bound forms;
     * bench/research/crossover.mjs measures it. Left out: not even for three.
     */
    readonly typescriptUpTo?: number | undefined;
}

// All of one shape, which V8 reads faster.
const list = (
    argument: string,
    element: Element,
    sharing: ListArgument['sharing'] = 'any',
    { single = false, inPlace = false } = {},
): ListArgument => ({ argument, element, floats: FLOATS[element], sharing, single, inPlace });
const to = (argument: string, element: Element) => list(argument, element);
const inPlace = (argument: string, element: Element) => list(argument, element, 'any', { inPlace: true });
const sameStart = (argument: string, element: Element) => list(argument, element, 'same start');
const apart = (argument: string, element: Element) => list(argument, element, 'none');
const single = (argument: string, element: Element) => list(argument, element, 'any', { single: true });

type Arguments = Omit<RoutineDescription, 'name'>;

const blendJoints: Arguments = {
    lists: [inPlace('joints', 'jointQuat'), sameStart('blendJoints', 'jointQuat')],
    parameter: 'lerp',
    selection: 'index',
};

const skeleton: Arguments = { lists: [inPlace('jointMats', 'jointMat')], selection: 'parents' };

const blendQuats: Arguments = {
    lists: [to('result', 'quat'), sameStart('from', 'quat'), sameStart('to', 'quat')],
    parameter: 't',
    selection: 'count',
    terms: true,
};

/** All of one shape, too, and in a literal object below: then V8 takes their properties for constants. */
const routine = (
    name: string,
    { lists, parameter, selection, terms, typescriptUpTo }: Arguments,
): RoutineDescription => ({
    name,
    lists,
    parameter,
    selection,
    terms,
    typescriptUpTo,
});

export const ROUTINES = {
    // Every `strict` implementation has these. They can be bound to their lists.
    slerpJoints: routine('slerpJoints', blendJoints),
    lerpJoints: routine('lerpJoints', { ...blendJoints, typescriptUpTo: 3 }),
    convertJointQuatsToJointMats: routine('convertJointQuatsToJointMats', {
        lists: [to('jointMats', 'jointMat'), apart('jointQuats', 'jointQuat')],
        selection: 'options',
        typescriptUpTo: 3,
    }),
    convertJointMatsToJointQuats: routine('convertJointMatsToJointQuats', {
        lists: [to('jointQuats', 'jointQuat'), apart('jointMats', 'jointMat')],
        selection: 'options',
        typescriptUpTo: 3,
    }),
    transformSkeleton: routine('transformSkeleton', skeleton),
    untransformSkeleton: routine('untransformSkeleton', skeleton),
    transformJoints: routine('transformJoints', {
        lists: [to('result', 'jointMat'), sameStart('joints1', 'jointMat'), sameStart('joints2', 'jointMat')],
        selection: 'count',
    }),
    slerpJointsPerJoint: routine('slerpJointsPerJoint', {
        lists: [inPlace('joints', 'jointQuat'), sameStart('blendJoints', 'jointQuat'), apart('lerps', 'float')],
        selection: 'index',
    }),
    normalizeJoints: routine('normalizeJoints', {
        lists: [inPlace('joints', 'jointQuat')],
        selection: 'index',
        typescriptUpTo: 6,
    }),
    slerpQuats: routine('slerpQuats', blendQuats),
    lerpQuats: routine('lerpQuats', { ...blendQuats, typescriptUpTo: 4 }),
    slerpQuatsPerQuat: routine('slerpQuatsPerQuat', {
        lists: [to('result', 'quat'), sameStart('from', 'quat'), sameStart('to', 'quat'), apart('t', 'float')],
        selection: 'count',
    }),
    slerpQuatTimes: routine('slerpQuatTimes', {
        lists: [to('result', 'quat'), single('q0', 'quat'), single('q1', 'quat'), apart('t', 'float')],
        selection: 'lengths',
        terms: true,
    }),

    // The scalar family of "Slerping Clock Cycles", sections 3 to 5, over lists.
    slerp: routine('slerp', blendQuats),
    slerpTransformed: routine('slerpTransformed', blendQuats),
    slerpOptimized: routine('slerpOptimized', blendQuats),
    slerpOptimizedExact: routine('slerpOptimizedExact', blendQuats),
    lerp: routine('lerp', blendQuats),
    reciprocalSqrt: routine('reciprocalSqrt', {
        lists: [to('result', 'float'), sameStart('x', 'float')],
        selection: 'lengths',
    }),
    sinZeroHalfPI: routine('sinZeroHalfPI', {
        lists: [to('result', 'float'), sameStart('a', 'float')],
        selection: 'lengths',
    }),
    atanPositive: routine('atanPositive', {
        lists: [to('result', 'float'), sameStart('y', 'float'), sameStart('x', 'float')],
        selection: 'lengths',
    }),
} as const;

/** The name of a routine: of lists of joints, of lists of quaternions, or of the scalar family. */
export type Routine = keyof typeof ROUTINES;

export const ROUTINE_NAMES = Object.keys(ROUTINES) as readonly Routine[];

/** The scalar family. */
export const SCALAR_ROUTINES = [
    'slerp',
    'slerpTransformed',
    'slerpOptimized',
    'slerpOptimizedExact',
    'lerp',
    'reciprocalSqrt',
    'sinZeroHalfPI',
    'atanPositive',
] as const satisfies readonly Routine[];

/** A routine that can be bound to its lists. */
export type BindableRoutine = Exclude<Routine, (typeof SCALAR_ROUTINES)[number]>;

const isScalar = (routine: Routine) => (SCALAR_ROUTINES as readonly Routine[]).includes(routine);

/** What every `strict` implementation has. */
export const STRICT_ROUTINES = ROUTINE_NAMES.filter((routine) => !isScalar(routine)) as readonly BindableRoutine[];

/** What the argument of the selection that says how many is called: elements that are joints are counted by `numJoints`. */
export function countName({ lists }: RoutineDescription): 'numJoints' | 'count' {
    return lists[0]!.element.startsWith('joint') ? 'numJoints' : 'count';
}

/** `bindSlerpJoints` of `slerpJoints`. */
export const bindName = (routine: Routine): string => `bind${routine[0]!.toUpperCase()}${routine.slice(1)}`;
