// SPDX-License-Identifier: MIT

/** Calls of each routine on the data of the benchmarks, from JavaScript and in the addon. */

import type { Element, Selection } from '../lists/description';
import { ROUTINE_NAMES, ROUTINES, type Routine } from '../lists/routines';
import { ALL, UP_TO_LAST } from '../lists/targets';
import type { Kernels } from '../lists/types';
import { type BenchData, T } from './data';

export interface Call {
    /** The list that the routine writes. */
    readonly destination: Float32Array;
    /** Contents of `destination` before each call, for routines that work in place; otherwise null. */
    readonly source: Float32Array | null;
    /** The arguments that the addon takes; `terms` for routines that have terms. */
    addon(terms: number): readonly unknown[];
    /** One call from JavaScript, with all checks. Throws where these functions lack the routine. */
    javascript(kernels: Partial<Kernels>): () => void;
}

/** The routines that can be measured. */
export function callsOn(data: BenchData): Readonly<Record<Routine, Call>> {
    const destinations: Readonly<Record<Element, Float32Array>> = {
        jointQuat: data.workJoints,
        jointMat: data.workMats,
        quat: data.workQuats,
        float: data.workFloats,
    };
    const sources: Readonly<Record<Element, readonly Float32Array[]>> = {
        jointQuat: [data.joints, data.blendJoints],
        jointMat: [data.mats, data.blendMats],
        quat: [data.from, data.to],
        float: [data.times, data.otherTimes],
    };
    /** The addon's arguments after lists and parameter, for calls without options. */
    const inAddon: Readonly<Record<Selection, readonly unknown[]>> = {
        index: [null, ALL],
        parents: [1, UP_TO_LAST],
        options: [ALL, false],
        count: [ALL],
        lengths: [],
    };
    const callOf = (routine: Routine): Call => {
        const { lists, parameter, selection, terms: takesTerms = false } = ROUTINES[routine];
        const { element, inPlace } = lists[0]!;
        const destination = destinations[element];
        const rest = { jointQuat: 0, jointMat: 0, quat: 0, float: 0 };
        const source = inPlace ? sources[element][rest[element]++]! : null;
        const operands = lists.slice(1).map((list) => {
            const values = sources[list.element][rest[list.element]++]!;
            return list.single ? values.subarray(0, list.floats) : values;
        });
        const args = [
            destination,
            ...operands,
            ...(parameter ? [T] : []),
            ...(selection === 'parents' ? [data.parents] : []),
        ];
        return {
            destination,
            source,
            addon: (terms) => [...args, ...inAddon[selection], ...(takesTerms ? [terms] : [])],
            javascript({ [routine]: call }) {
                // One call for each number of arguments: V8 inlines calls whose arguments are written out.
                const run = call as (...args: unknown[]) => void;
                const [a, b, c, d] = args;
                if (args.length === 1) return () => run(a);
                if (args.length === 2) return () => run(a, b);
                if (args.length === 3) return () => run(a, b, c);
                return () => run(a, b, c, d);
            },
        };
    };
    return Object.fromEntries(ROUTINE_NAMES.map((routine) => [routine, callOf(routine)])) as Record<Routine, Call>;
}
