// SPDX-License-Identifier: MIT

/**
 * Routines bound to their lists have the results and errors of the calls. Any change of the buffers in between is at worst a
 * typed error. Runs in the addon, by TypeScript kernels, and by the plain functions.
 */

import * as v8 from 'node:v8';
import * as vm from 'node:vm';
import { addon as nativeAddon } from '../../lib/addon/load';
import { implementation, type Kernels } from '../../lib/lists';
import { type Bindable, bind as bindTo } from '../../lib/lists/bind';
import { plain } from '../../lib/lists/plain';
import {
    type BindableRoutine,
    ROUTINES as DESCRIPTIONS,
    bindName as nameOf,
    STRICT_ROUTINES,
    strictKernels,
} from '../../lib/lists/routines';
import { bytesOf, expectSameBits, expectSameBytes, firstDifference } from '../support/bytes';
import { detached, faultsOf, goodArguments, Resizable, type ResizableBuffer, thrownBy } from '../support/faults';
import { itNative } from '../support/implementations';
import { jointQuatPair, random } from '../support/joint-data';
import { type Args, argumentsOf, type Lists, listsOf, optionsOf, requiredOf, T } from '../support/routine-arguments';

const N = 9;

const ROUTINES = STRICT_ROUTINES;

/** The parts of a routine's description that the tests need. */
const CASES = Object.fromEntries(
    ROUTINES.map((routine) => {
        const { lists, parameter = null } = DESCRIPTIONS[routine];
        return [
            routine,
            {
                lists: () => listsOf(routine, N),
                options: () => optionsOf(routine, N),
                /** The parameter of each run, if any. */
                parameter,
                /** The floats of an element in each list. */
                floats: Object.fromEntries(lists.map(({ argument, floats }) => [argument, floats])),
                /** Lists with a single element for all elements of the others; they can be anywhere in memory. */
                singles: lists.filter(({ single }) => single).map(({ argument }) => argument),
            },
        ];
    }),
) as Record<
    BindableRoutine,
    {
        lists: () => Lists;
        options: () => Args;
        parameter: string | null;
        floats: Record<string, number>;
        singles: string[];
    }
>;

type Run = (t?: unknown) => void;

/** Binds a routine, and returns its run. */
function bind(bindables: Bindables, routine: BindableRoutine, lists: Args, options: Args): Run {
    return bindTo(routine, bindables[routine]!, [...Object.values(lists), ...Object.values(options)]).run as Run;
}

const callOf = (kernels: Kernels, routine: BindableRoutine) => kernels[routine] as (...args: unknown[]) => void;

type Bindables = { readonly [R in BindableRoutine]?: Bindable };

const bindablesOf = (of: (routine: BindableRoutine) => Bindable | undefined): Bindables =>
    Object.fromEntries(ROUTINES.map((routine) => [routine, of(routine)]));

const typescript = bindablesOf((routine) => ({ kernel: strictKernels[routine], terms: 0 }));
const strict = implementation('strict/typescript') as Kernels;

interface Subject {
    readonly title: string;
    readonly binders: Bindables;
    /** The kernels that must have the same results. */
    readonly kernels: Kernels;
    readonly routines: readonly BindableRoutine[];
}

/** The addon's bound forms are the same code for all kernels, so that one implementation of each kind will do. */
const KINDS = ['strict/scalar', 'strict/sse2', 'strict/avx2', 'strict/avx512', 'strict/neon', 'paper/c', 'eberly/sse1'];

/** Implementations that the plain functions can choose. */
const SUBJECTS: Subject[] = [
    { title: 'TypeScript', binders: typescript, kernels: strict, routines: ROUTINES },
    {
        title: 'the plain functions',
        binders: bindablesOf((routine) => plain[routine].bindable),
        kernels: strict,
        routines: ROUTINES,
    },
    ...(nativeAddon?.implementations ?? [])
        .filter(({ name, unavailable }) => unavailable === undefined && KINDS.includes(name))
        .map(({ name, bind: native, terms }) => ({
            title: name,
            binders: bindablesOf((routine) => native[routine] && { native: native[routine], terms: terms && 8 }),
            kernels: implementation(name) as Kernels,
            routines: ROUTINES.filter((routine) => native[routine] !== undefined),
        })),
];

itNative('there are bound forms of every strict implementation that runs here, and of the papers', () => {
    const titles = SUBJECTS.map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(['strict/scalar', 'paper/c']));
    for (const { title, routines } of SUBJECTS) {
        if (title.startsWith('strict/')) expect(routines).toEqual(ROUTINES);
    }
});

/** Changes of a list's buffer between two runs. */
const ABUSES: Record<string, (view: Float32Array, buffer: ResizableBuffer) => void> = {
    detached: (view) => detached(view),
    'transferred to a worker, which frees it': (_, buffer) => {
        const { port1, port2 } = new MessageChannel();
        port1.postMessage(buffer, [buffer]);
        port1.close();
        port2.close();
    },
    'shrunk to nothing': (_, buffer) => buffer.resize(0),
    'shrunk by a byte': (view, buffer) => buffer.resize(view.byteOffset + view.byteLength - 1),
};

/** A list in a resizable buffer, after spare bytes, or tracking its length. */
function resizable(values: Float32Array, spare: number): { view: Float32Array; buffer: ResizableBuffer } {
    const buffer = new Resizable(values.byteLength + spare, { maxByteLength: 1 << 16 });
    const view = spare > 0 ? new Float32Array(buffer, 16, values.length) : new Float32Array(buffer);
    view.set(values);
    return { view, buffer };
}

/** Options for no elements. */
function none(options: Args): Args {
    const zeros = { options: { numJoints: 0 }, numJoints: 0, count: 0, lastJoint: -1 };
    return Object.fromEntries(
        Object.entries(options).map(([name, value]) => [name, name in zeros ? zeros[name as 'count'] : value]),
    );
}

// All subjects share the checks of arguments.
it.each(ROUTINES)('%s: binding has the errors of the call, and writes nothing', (routine) => {
    const { parameter } = CASES[routine];
    for (const { title, spoil } of faultsOf(routine)) {
        if (title.startsWith(`${parameter} is`)) continue;
        const good = () => spoil(goodArguments(routine));
        const args = good();
        const lists = Object.values(args).filter((arg) => ArrayBuffer.isView(arg) && arg.buffer.byteLength > 0);
        const before = (lists as Float32Array[]).map(bytesOf);
        const bound = Object.entries(args).flatMap(([name, value]) => (name === parameter ? [] : [value]));
        const thrown = thrownBy(() => bindTo(routine, typescript[routine]!, bound));
        const right = thrownBy(() => callOf(strict, routine)(...Object.values(good())))!;
        const message = right.message.replace(routine, nameOf(routine));
        expect({ title, ...thrown }).toEqual({ title, ...right, message });
        for (const [i, list] of lists.entries()) {
            expectSameBytes(bytesOf(list as Float32Array), before[i]!, () => title);
        }
    }
});

for (const { title, binders, kernels, routines } of SUBJECTS) {
    describe(title, () => {
        /** Calls the routine, and compares the list that it writes. */
        const expectAsCalled = (
            what: string,
            routine: BindableRoutine,
            bound: Lists,
            lists: Lists,
            options: Args,
            t = T,
        ) => {
            const [written, floats] = Object.entries(CASES[routine].floats)[0]!;
            callOf(kernels, routine)(...Object.values(argumentsOf(routine, lists, options, t)));
            expectSameBits(bound[written]!, lists[written]!, floats, () => what);
        };

        describe.each(routines.map((routine) => [routine] as const))('%s', (routine) => {
            const { lists: makeLists, options: makeOptions, parameter, floats, singles } = CASES[routine];
            const written = Object.keys(floats)[0]!;

            it('does what the call does, run after run, on what the lists hold then', () => {
                const [lists, other] = [makeLists(), makeLists()];
                const run = bind(binders, routine, lists, makeOptions());
                for (const [i, t] of (parameter === null ? [T, T] : [T, 0, 1, 0.75, Number.NaN]).entries()) {
                    for (const name of Object.keys(lists)) {
                        const fresh = makeLists()[name]!.map((x) => x * (1 - i / 16));
                        lists[name]!.set(fresh);
                        other[name]!.set(fresh);
                    }
                    const before = lists[written]!.slice();
                    // Without its object.
                    expect(Reflect.apply(run, undefined, parameter === null ? [] : [t])).toBeUndefined();
                    expectAsCalled(`run ${i}`, routine, lists, other, makeOptions(), t);
                    for (const name of Object.keys(lists)) {
                        expectSameBits(lists[name]!, other[name]!, floats[name]!, () => `run ${i}, ${name}`);
                    }
                    if (t === T) expect(firstDifference(lists[written]!, before)).toBeGreaterThanOrEqual(0);
                }
            });

            it('without options is for all of the lists', () => {
                const lists = makeLists();
                bind(binders, routine, lists, requiredOf(routine, N))(T);
                expectAsCalled(routine, routine, lists, makeLists(), requiredOf(routine, N));
            });

            if (parameter !== null) {
                it(`rejects a ${parameter} that is not a number`, () => {
                    const values: unknown[] = [
                        undefined,
                        null,
                        '0.5',
                        true,
                        1n,
                        {},
                        [0.5],
                        Symbol('t'),
                        { valueOf: () => 0.5 },
                    ];
                    for (const value of values) {
                        const lists = makeLists();
                        const run = bind(binders, routine, lists, makeOptions());
                        expect(thrownBy(() => run(value))).toMatchObject({
                            name: 'TypeError',
                            code: 'ERR_ARGUMENT_TYPE',
                            message: expect.stringContaining(`${nameOf(routine)}: ${parameter} must be a number, got `),
                        });
                        expectSameBits(lists[written]!, makeLists()[written]!, 1, () => 'written');
                    }
                });
            }

            describe.each(Object.keys(floats))('where %s has been', (name) => {
                /** Must throw that error, and write nothing to the lists that are still there. */
                const expectRefused = (run: Run, lists: Lists, error: object) => {
                    const left = Object.values(lists).filter(
                        ({ buffer, length }) => length > 0 && buffer.byteLength > 0,
                    );
                    const before = left.map(bytesOf);
                    for (let i = 0; i < 3; i++) expect(thrownBy(() => run(T))).toMatchObject(error);
                    for (const [k, list] of left.entries()) expectSameBytes(bytesOf(list), before[k]!, () => name);
                };

                it.each(Object.entries(ABUSES))('%s: throws, and writes nothing', (_, commit) => {
                    const all = makeLists();
                    const { view, buffer } = resizable(all[name]!, 64);
                    const run = bind(binders, routine, { ...all, [name]: view }, makeOptions());
                    run(T);
                    commit(view, buffer);
                    const message = `${nameOf(routine)}: ${name} is a view of a detached or shrunk buffer, needs a live one`;
                    expectRefused(run, all, { name: 'TypeError', code: 'ERR_DETACHED_BUFFER', message });
                });

                it('shrunk under a length-tracking view: throws, writes nothing, and runs again when it has grown', () => {
                    const all = makeLists();
                    const { view, buffer } = resizable(all[name]!, 0);
                    const lists = { ...all, [name]: view };
                    const run = bind(binders, routine, lists, makeOptions());
                    run(T);
                    const bytes = buffer.byteLength;
                    buffer.resize(bytes - 4);
                    const holds = `${nameOf(routine)}: ${name} holds ${bytes / 4 - 1} floats, needs at least ${bytes / 4} `;
                    const message = expect.stringContaining(holds);
                    expectRefused(run, lists, { name: 'RangeError', code: 'ERR_BUFFER_LENGTH', message });
                    buffer.resize(bytes);
                    expect(thrownBy(() => run(T))).toBeUndefined();
                });

                it('grown under a length-tracking view: works on as many elements as before', () => {
                    const lists = makeLists();
                    const { view, buffer } = resizable(lists[name]!, 0);
                    const { length } = view;
                    const run = bind(binders, routine, { ...lists, [name]: view }, requiredOf(routine, N));
                    buffer.resize(1 << 16);
                    view.fill(7, length);
                    run(T);
                    const bound = { ...lists, [name]: view.subarray(0, length) };
                    expectAsCalled('the elements as before', routine, bound, makeLists(), requiredOf(routine, N));
                    expect(view.subarray(length).every((x) => x === 7)).toBe(true);
                });
            });

            it('does nothing where there is nothing to do', () => {
                const options = none(makeOptions());
                const lists = makeLists();
                if (Object.keys(options).length > 0) {
                    bind(binders, routine, lists, options)(1);
                    expectSameBits(lists[written]!, makeLists()[written]!, 1, () => 'a count of 0');
                }
                for (const name of Object.keys(lists)) if (!singles.includes(name)) lists[name] = new Float32Array(0);
                expect(thrownBy(() => bind(binders, routine, lists, options)(1))).toBeUndefined();
            });
        });

        it('keeps its lists alive, and finds them where the collector moves them', () => {
            const collect = collector();
            const bound = routines.map((routine) => {
                const lists = CASES[routine].lists();
                const [[name, to]] = Object.entries(lists) as [[string, Float32Array]];
                return { routine, name, to, run: bind(binders, routine, lists, CASES[routine].options()) };
            });
            for (let i = 0; i < 3; i++) collect();
            for (const { routine, name, to, run } of bound) {
                run(T);
                const { lists, options } = CASES[routine];
                expectAsCalled(routine, routine, { [name]: to }, lists(), options());
            }
        });

        it('copies index and parents: later changes have no effect', () => {
            for (const routine of routines) {
                const { selection } = DESCRIPTIONS[routine];
                if (selection !== 'index' && selection !== 'parents') continue;
                const name = selection;
                const options = (list: Int32Array) =>
                    name === 'index'
                        ? { index: list, numJoints: undefined }
                        : { ...requiredOf(routine, N), parents: list };
                const wanted =
                    name === 'index' ? Int32Array.of(3, 1, 8, 0) : (requiredOf(routine, N).parents as Int32Array);
                const shared = new Int32Array(new SharedArrayBuffer(wanted.byteLength));
                shared.set(wanted);
                for (const list of [wanted.slice(), shared]) {
                    const lists = CASES[routine].lists();
                    const run = bind(binders, routine, lists, options(list));
                    list.fill(2 ** 31 - 1);
                    if (list !== shared) detached(list);
                    run(T);
                    expectAsCalled(routine, routine, lists, CASES[routine].lists(), options(wanted));
                }
            }
        });

        it('needs only joints up to the max of the index', () => {
            for (const routine of routines.filter((one) => DESCRIPTIONS[one].selection === 'index')) {
                const all = CASES[routine].lists();
                const written = Object.keys(all)[0]!;
                const { view, buffer } = resizable(all[written]!, 0);
                const few = { index: Int32Array.of(2, 1), numJoints: 2 };
                const run = bind(binders, routine, { ...all, [written]: view }, few);
                buffer.resize(3 * 32);
                expect(thrownBy(() => run(T))).toBeUndefined();
                buffer.resize(3 * 32 - 4);
                expect(thrownBy(() => run(T))).toMatchObject({ code: 'ERR_BUFFER_LENGTH' });
            }
        });

        it('slerpQuatTimes reads the pair when it runs; the pair can be in the result', () => {
            if (!routines.includes('slerpQuatTimes')) return;
            const { result, t, ...pair } = CASES.slerpQuatTimes.lists() as Record<
                'result' | 'q0' | 'q1' | 't',
                Float32Array
            >;
            result.set(pair.q0, 4);
            result.set(pair.q1, 9);
            const other = result.slice();
            const inResult = { q0: result.subarray(4, 8), q1: result.subarray(9, 13) };
            const run = bind(binders, 'slerpQuatTimes', { result, ...inResult, t }, {});
            for (let i = 0; i < 3; i++) {
                run();
                kernels.slerpQuatTimes(other, other.slice(4, 8), other.slice(9, 13), t);
                expectSameBits(result, other, 4, () => `run ${i}`);
            }
        });

        it('takes more joints than fit into one piece of an index', () => {
            if (!routines.includes('slerpJoints')) return;
            const n = 3001;
            const { joints, blendJoints } = jointQuatPair(random(50), n);
            const index = Int32Array.from({ length: n }, (_, i) => (i * 7) % n);
            for (const options of [{ index }, {}]) {
                const bound = { joints: joints.slice(), blendJoints };
                bind(binders, 'slerpJoints', bound, options)(T);
                expectAsCalled('slerpJoints', 'slerpJoints', bound, { joints: joints.slice(), blendJoints }, options);
            }
        });
    });
}

/** The function that `--expose-gc` would add. */
function collector(): () => void {
    v8.setFlagsFromString('--expose-gc');
    return vm.runInNewContext('gc') as () => void;
}
