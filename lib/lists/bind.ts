// SPDX-License-Identifier: MIT

/** Routines bound to their lists: checked once, run often. In the addon, or by a TypeScript kernel. */

import type { NativeBinder } from '../addon/addon';
import { checkFloat32Array, checkNumber, lengthOf } from '../base/arguments';
import type { Convention } from '../base/kernel';
import { changedMeanwhile } from './calls';
import type { Kernel, RoutineDescription } from './description';
import { bindName, ROUTINES, type Routine } from './routines';
import { checkConversion, checkCounted, checkIndexed, checkRoom, checkSkeleton, readOptions } from './rules';

/** A call with everything fixed but one number. */
export interface BoundBlend {
    /**
     * Does the call.
     *
     * @param t The routine's parameter for this run.
     * @throws TypeError `ERR_ARGUMENT_TYPE`, `ERR_DETACHED_BUFFER`; RangeError `ERR_BUFFER_LENGTH`,
     * `ERR_BUFFER_OVERLAP`; Error `ERR_BUFFER_CHANGED`. Nothing has been written then.
     */
    run(t: number): void;
}

/** A call with everything fixed. */
export interface BoundCall {
    /** Does the call. Errors as of {@link BoundBlend.run}. */
    run(): void;
}

/** The places that can run a bound routine: the addon, TypeScript, or one of the two by the length of the lists. */
export interface Bindable {
    readonly native?: NativeBinder | undefined;
    readonly kernel?: Kernel | undefined;
    /** The kernel on lists that need no check before a run; undefined where these are others. Its argument is the parameter. */
    readonly bound?: (
        lists: readonly Float32Array[],
        rest: readonly unknown[],
    ) => ((parameter: number) => void) | undefined;
    /** With both, the kernel runs lists of up to this many elements. */
    readonly upTo?: number;
    /** Terms of a series; 0 for implementations without a choice. */
    readonly terms: number;
}

/** The resolved arguments behind the lists of a bound call. */
interface Resolved {
    /** How many elements are processed. */
    readonly count: number;
    /** How many elements of each list a run may touch. */
    readonly used: number;
    /** For the TypeScript kernel. */
    readonly rest: readonly unknown[];
    /** For the addon. */
    readonly nativeRest: readonly unknown[];
}

/** A number that every check of a parameter lets pass: bound functions get theirs when they run. */
const ANY = 0;

/** A copy, so that later changes to the original have no effect. */
const copyOf = (numbers: unknown, count: number) => new Int32Array(numbers as Int32Array).subarray(0, count);

function resolve(routine: RoutineDescription, name: string, args: readonly unknown[], terms: number): Resolved {
    const { selection, lists } = routine;
    const [a, b, c, d] = args.slice(0, lists.length);
    const [first, second, third] = args.slice(lists.length);
    switch (selection) {
        case 'index': {
            const count = checkIndexed(routine, a, b, c, ANY, first, second, name);
            const index = first ? copyOf(first, count) : null;
            const rest = [index, count];
            return {
                count,
                used: index ? index.reduce((max, i) => Math.max(max, i + 1), 0) : count,
                rest,
                nativeRest: rest,
            };
        }
        case 'parents': {
            const last = checkSkeleton(routine, a, first, second, third, name);
            const firstJoint = (second as number | undefined) ?? 1;
            const count = firstJoint > last ? 0 : last + 1;
            const rest = [copyOf(first, count), firstJoint, last];
            return { count, used: count, rest, nativeRest: rest };
        }
        case 'options': {
            const given = readOptions(first);
            const count = checkConversion(routine, a, b, first, given, name);
            const convention = (given?.convention ?? 'id') as Convention;
            return { count, used: count, rest: [count, convention], nativeRest: [count, convention === 'gltf'] };
        }
        default: {
            const count = checkCounted(routine, a, b, c, d, ANY, selection === 'count' ? first : undefined, name);
            const own = routine.terms ? [terms] : [];
            return {
                count,
                used: count,
                rest: [count, terms],
                nativeRest: selection === 'count' ? [count, ...own] : own,
            };
        }
    }
}

/**
 * Binds a routine to its lists.
 *
 * @param routine Its name.
 * @param bindable The places that can run it.
 * @param args Arguments of the public function, without the parameter.
 */
export function bind(routine: Routine, bindable: Bindable, args: readonly unknown[]): BoundBlend & BoundCall {
    const { native, kernel, bound, upTo = 0, terms } = bindable;
    const name = bindName(routine);
    const description = ROUTINES[routine];
    const { lists, parameter } = description;
    const { count, used, rest, nativeRest } = resolve(description, name, args, terms);
    const views = args.slice(0, lists.length) as Float32Array[];
    const needed = lists.map(({ single }) => (single ? Math.min(used, 1) : used));

    /** Throws the error for invalid lists or an invalid number. */
    const refuse = (t: unknown): never => {
        if (parameter) checkNumber(name, parameter, t);
        for (const [i, view] of views.entries()) checkFloat32Array(name, lists[i]!.argument, view);
        for (const [i, view] of views.entries()) checkRoom(name, lists[i]!, view, needed[i]!);
        throw changedMeanwhile(name);
    };

    if (native && count > 0 && (kernel === undefined || count > upTo)) {
        const run = native(...views, ...nativeRest);
        if (run === false) throw changedMeanwhile(name);
        if (!parameter) return { run: () => void (run() === undefined || refuse(undefined)) };
        return {
            run: (t?: number) => {
                if (run(t) !== undefined) refuse(t);
            },
        };
    }

    const fixed = count > 0 ? bound?.(views, rest) : undefined;
    if (fixed) {
        return {
            run: (t?: number) => {
                if (parameter && typeof t !== 'number') refuse(t);
                fixed(Math.fround(t as number));
            },
        };
    }

    const floats = lists.map(({ floats }, i) => needed[i]! * floats);
    /** A view that was once separate from another remains so. */
    const areThere = (): boolean => {
        for (let i = 0; i < views.length; i++) if (lengthOf(views[i]) < floats[i]!) return false;
        return true;
    };
    const run = count === 0 ? () => {} : kernel!;
    if (parameter) {
        const [x, y] = rest;
        const blend = run.bind(null, ...views);
        return {
            run: (t?: number) => {
                if (typeof t !== 'number' || !areThere()) refuse(t);
                blend(Math.fround(t as number), x, y);
            },
        };
    }
    const call = run.bind(null, ...views, ...rest);
    return {
        run: () => {
            if (!areThere()) refuse(undefined);
            call();
        },
    };
}
