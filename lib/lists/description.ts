// SPDX-License-Identifier: MIT

/** What the description of a routine on lists says; routines.ts has one for each. */

import type { NativeFunction } from '../addon/addon';

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

// biome-ignore lint/suspicious/noExplicitAny: what each routine takes is in its description
export type ListFunction = (...args: any[]) => void;

/**
 * A kernel in TypeScript: the arguments of the public function, all of them checked and resolved. `null`: no index. With `options` it
 * takes the number of joints and the convention, with `lengths` the number of elements, and at the end terms where the routine has them.
 */
export type Kernel = ListFunction;

/** The kernels that an implementation in TypeScript has, by routine. */
export type Kernels = { readonly [routine: string]: Kernel | undefined };

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

/** What the description of a routine takes from the descriptions of others like it. */
export interface Arguments {
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

export interface RoutineDescription<K extends Kernel | undefined = Kernel | undefined> extends Arguments {
    readonly name: string;
    /** Of `strict/typescript`, which lacks the scalar family. */
    readonly kernel: K;
    /** Makes its function: a plain one, one of `implementation()`, or one for browsers. */
    readonly call: (target: Target) => ListFunction;
}

// All of one shape, which V8 reads faster.
const list = (
    argument: string,
    element: Element,
    sharing: ListArgument['sharing'] = 'any',
    { single = false, inPlace = false } = {},
): ListArgument => ({ argument, element, floats: FLOATS[element], sharing, single, inPlace });
export const to = (argument: string, element: Element) => list(argument, element);
export const inPlace = (argument: string, element: Element) => list(argument, element, 'any', { inPlace: true });
export const sameStart = (argument: string, element: Element) => list(argument, element, 'same start');
export const apart = (argument: string, element: Element) => list(argument, element, 'none');
export const single = (argument: string, element: Element) => list(argument, element, 'any', { single: true });

/** All of one shape, too; in a literal object V8 takes their properties for constants. */
export const routine = <K extends Kernel | undefined>(
    name: string,
    kernel: K,
    { lists, parameter, selection, terms, typescriptUpTo }: Arguments,
    call: (target: Target) => ListFunction,
): RoutineDescription<K> => ({
    name,
    lists,
    parameter,
    selection,
    terms,
    typescriptUpTo,
    kernel,
    call,
});

/** What the argument of the selection that says how many is called: elements that are joints are counted by `numJoints`. */
export function countName({ lists }: Arguments): 'numJoints' | 'count' {
    return lists[0]!.element.startsWith('joint') ? 'numJoints' : 'count';
}
