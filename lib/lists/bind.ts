// SPDX-License-Identifier: MIT

/** Routines bound to their lists: checked once, run often. In the addon, or by a TypeScript kernel. */

import type { NativeBinder } from '../addon/addon';
import { checkFloat32Array, checkNumber, lengthOf } from '../base/arguments';
import { checkRoom } from './checks';
import type { Kernel, RoutineDescription } from './description';
import { bindName, ROUTINES, type Routine } from './routines';
import { changedMeanwhile, inTypescript } from './targets';

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
    /**
     * The kernel on lists that need no check before a run; undefined where these are others. Its argument is the
     * parameter.
     */
    readonly bound?: (
        lists: readonly Float32Array[],
        rest: readonly unknown[],
    ) => ((parameter: number) => void) | undefined;
    /** With both, the kernel runs lists of up to this many elements. */
    readonly typescriptUpTo?: number | undefined;
    /** Terms of a series; 0 for implementations without a choice. */
    readonly terms: number;
}

const NOTHING = { count: 0, used: 0 };

/** A number that every check of a parameter lets pass: bound functions get theirs when they run. */
const ANY = 0;

/**
 * Returns the arguments that the function `name` passes to its kernel after the lists and the parameter; null if there
 * is nothing to do.
 */
function resolve(routine: RoutineDescription, name: string, args: readonly unknown[], terms: number): unknown[] | null {
    const { lists, parameter, selection } = routine;
    let resolved: unknown[] | null = null;
    const keep = (...given: unknown[]) => {
        resolved = given.slice(lists.length + (parameter === undefined ? 0 : 1));
        // Copies of an index and of parents: later changes to the originals have no effect.
        const [integers, count, last] = resolved as [Int32Array | null, number, number];
        if (selection === 'parents') resolved[0] = new Int32Array(integers!).subarray(0, last + 1);
        if (selection === 'index' && integers !== null) resolved[0] = new Int32Array(integers).subarray(0, count);
    };
    const front = args.slice(0, lists.length);
    // Keeps the position of the parameter if a list is missing.
    front.length = lists.length;
    if (parameter !== undefined) front.push(ANY);
    routine.call(inTypescript(keep, terms), name)(...front, ...args.slice(lists.length));
    // Again for the copies: another thread may have changed the originals after they were checked.
    if (resolved !== null && (selection === 'index' || selection === 'parents')) {
        routine.call(
            inTypescript(() => {}, terms),
            name,
        )(...front, ...(resolved as unknown[]));
    }
    return resolved;
}

/** Numbers of elements: how many are processed, and how many of each list a run may touch. */
function countsOf({ selection }: RoutineDescription, rest: readonly unknown[]) {
    const [first, second, last] = rest as [unknown, number, number];
    if (selection === 'parents') return { count: last + 1, used: last + 1 };
    if (selection !== 'index') return { count: first as number, used: first as number };
    const used = first === null ? second : (first as Int32Array).reduce((max, joint) => Math.max(max, joint + 1), 0);
    return { count: second, used };
}

/**
 * Binds a routine to its lists.
 *
 * @param routine Its name.
 * @param bindable The places that can run it.
 * @param args Arguments of the public function, without the parameter.
 */
export function bind(routine: Routine, bindable: Bindable, args: readonly unknown[]): BoundBlend & BoundCall {
    const { native, kernel, bound, typescriptUpTo = 0, terms } = bindable;
    const name = bindName(routine);
    const description = ROUTINES[routine];
    const { lists, parameter, selection } = description;
    const rest = resolve(description, name, args, terms) ?? [];
    const { count, used } = rest.length === 0 ? NOTHING : countsOf(description, rest);
    const views = args.slice(0, lists.length) as Float32Array[];
    const needed = lists.map(({ single }) => (single ? Math.min(used, 1) : used));

    /** Throws the error for invalid lists or an invalid number. */
    const refuse = (t: unknown): never => {
        if (parameter) checkNumber(name, parameter, t);
        for (const [i, view] of views.entries()) checkFloat32Array(name, lists[i]!.argument, view);
        for (const [i, view] of views.entries()) checkRoom(name, lists[i]!, view, needed[i]!);
        throw changedMeanwhile(name);
    };

    if (native && count > 0 && (kernel === undefined || count > typescriptUpTo)) {
        // The addon counts lists whose lengths are the count, and takes the convention as a boolean.
        const numbers = selection === 'lengths' ? rest.slice(1) : rest;
        const run = native(...views, ...(selection === 'options' ? [rest[0], rest[1] === 'gltf'] : numbers));
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
    /** Views that were separate stay separate. */
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
