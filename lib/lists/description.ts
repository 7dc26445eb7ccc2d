// SPDX-License-Identifier: MIT

/** The type of a routine's description; routines.ts has a description of each routine on lists. */

import type { NativeFunction } from '../addon/addon';

/** Floats of each kind of element. */
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
    /** How it may overlap the destination, the first list: only at the same start, not at all, or in any way. */
    readonly sharing: 'same start' | 'none' | 'any';
    /** Whether the list has exactly one element, for any length of the other lists. */
    readonly single: boolean;
    /** For the destination: whether the routine also reads it. */
    readonly inPlace: boolean;
}

/**
 * The arguments after the lists and the parameter: `index`: which joints, and how many; `parents`: the hierarchy, the
 * first and the last joint; `options`: how many joints, and the convention of the matrices; `count`: how many elements;
 * `lengths`: none, the lists have the same length.
 */
export type Selection = 'index' | 'parents' | 'options' | 'count' | 'lengths';

// biome-ignore lint/suspicious/noExplicitAny: each routine's description lists its arguments
export type ListFunction = (...args: any[]) => void;

/**
 * A kernel in TypeScript: the arguments of the public function, all of them checked and resolved. `null`: no index.
 * With `options` it takes the number of joints and the convention, with `lengths` the number of elements, and at the
 * end terms where the routine has them.
 */
export type Kernel = ListFunction;

/** The maximum of indices as unsigned numbers, so that a negative one is above all joints; -1 for none. */
export type MaxIndex = (index: Int32Array, count: number) => number;

/** The kernels of a TypeScript implementation, by routine. */
export type Kernels = { readonly [routine: string]: Kernel | undefined };

/** The addon's function and the kernel behind a routine's function. */
export interface Target {
    /** The addon's; never called where `typescriptFloats` is infinite. */
    readonly native: NativeFunction;
    /**
     * The kernel takes first lists of up to this many floats, and values that are not lists. The addon takes longer
     * lists.
     */
    readonly typescriptFloats: number;
    /** The same as a number of elements, for the length of an index. */
    readonly typescriptUpTo: number;
    /**
     * Chooses the kernel by the number of elements, the first list and the index. It also runs calls that the addon
     * refused, because the addon cannot distinguish empty lists from detached ones.
     */
    readonly kernelFor: (count: number, first: Float32Array, index?: Int32Array | null) => Kernel;
    /** Checks an index. */
    readonly maxIndex: MaxIndex;
    /** Terms of a series; 0 for implementations without a choice. */
    readonly terms: number;
}

/** The part of a description that several routines share. */
export interface Arguments {
    /** The destination first. */
    readonly lists: readonly ListArgument[];
    /** Name of the number that a bound call still takes. */
    readonly parameter?: 'lerp' | 't' | undefined;
    readonly selection: Selection;
    /** Whether the kernel takes a number of terms of its series; it is 0 for implementations without a choice. */
    readonly terms?: true | undefined;
    /**
     * Max number of elements for which `strict/typescript` is faster than the addon, in calls and in bound forms.
     * bench/lists/crossover.mjs measures it. Undefined: the addon is always used.
     */
    readonly typescriptUpTo?: number | undefined;
}

export interface RoutineDescription<K extends Kernel | undefined = Kernel | undefined> extends Arguments {
    readonly name: string;
    /** The kernel of `strict/typescript`, which lacks the scalar family. */
    readonly kernel: K;
    /**
     * Makes its function: a plain one, one of `implementation()`, or one for browsers.
     *
     * @param as The name in messages. Default: the routine's.
     */
    readonly call: (target: Target, as?: string) => ListFunction;
}

// Gives all objects one shape, because V8 reads such properties faster.
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

/** Also one shape: V8 would treat properties of an object literal as constants. */
export const routine = <K extends Kernel | undefined>(
    name: string,
    kernel: K,
    { lists, parameter, selection, terms, typescriptUpTo }: Arguments,
    make: (target: Target, name: string) => ListFunction,
): RoutineDescription<K> => ({
    name,
    lists,
    parameter,
    selection,
    terms,
    typescriptUpTo,
    kernel,
    call: (target, as = name) => make(target, as),
});

/** Name of the argument for the number of elements: `numJoints` if the elements are joints. */
export function countName({ lists }: Arguments): 'numJoints' | 'count' {
    return lists[0]!.element.startsWith('joint') ? 'numJoints' : 'count';
}
