// SPDX-License-Identifier: MIT

/**
 * Routines bound to their lists: the same results and errors as the calls, and nothing but a typed error whatever
 * becomes of the buffers in between. In the addon, by TypeScript kernels, and as the plain functions choose.
 */

import * as path from 'node:path';
import * as v8 from 'node:v8';
import * as vm from 'node:vm';
import { Worker } from 'node:worker_threads';
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
import { itNative } from '../support/implementations';
import { jointQuatPair, random } from '../support/joint-data';
import { type Args, argumentsOf, type Lists, listsOf, optionsOf, requiredOf, T } from '../support/routine-arguments';

const N = 9;

type ResizableBuffer = ArrayBuffer & { resize(bytes: number): void; transfer?(): ArrayBuffer };
const Resizable = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ResizableBuffer;

const ROUTINES = STRICT_ROUTINES;

/** What the tests need to know of a routine, from its description. */
const CASES = Object.fromEntries(
    ROUTINES.map((routine) => {
        const { lists, parameter = null } = DESCRIPTIONS[routine];
        return [
            routine,
            {
                lists: () => listsOf(routine, N),
                options: () => optionsOf(routine, N),
                /** What each run gets, if anything. */
                parameter,
                /** Which floats an element has in each list. */
                floats: Object.fromEntries(lists.map(({ argument, floats }) => [argument, floats])),
                /** Lists of one element, however many the others have, which may lie anywhere. */
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

/** Binds a routine as it runs there; makes its run. */
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
    /** What must give the same. */
    readonly kernels: Kernels;
    readonly routines: readonly BindableRoutine[];
}

/** The addon's bound forms are the same code for all kernels, so that one implementation of each kind will do. */
const KINDS = ['strict/scalar', 'strict/sse2', 'strict/avx2', 'strict/avx512', 'strict/neon', 'paper/c', 'eberly/sse1'];

/** Whatever the plain functions would choose. */
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

interface Thrown {
    readonly name: string;
    readonly code: unknown;
    readonly message: string;
}

function thrownBy(run: () => unknown): Thrown | undefined {
    try {
        run();
        return undefined;
    } catch (error) {
        const { name, code, message } = error as Error & { code?: unknown };
        return { name, code, message };
    }
}

const detach = (buffer: ArrayBufferLike) => structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });

/** What can become of a list's buffer between two runs; the list is one of `elements` elements of `floats` each. */
const ABUSES: Record<string, (view: Float32Array, buffer: ResizableBuffer, floats: number) => string> = {
    detached: (_, buffer) => {
        detach(buffer);
        return 'ERR_DETACHED_BUFFER';
    },
    'transferred to a worker, which frees it': (_, buffer) => {
        const { port1, port2 } = new MessageChannel();
        port1.postMessage(buffer, [buffer]);
        port1.close();
        port2.close();
        return 'ERR_DETACHED_BUFFER';
    },
    'shrunk to nothing': (_, buffer) => {
        buffer.resize(0);
        return 'ERR_DETACHED_BUFFER';
    },
    'shrunk by a byte': (view, buffer) => {
        buffer.resize(view.byteOffset + view.byteLength - 1);
        return 'ERR_DETACHED_BUFFER';
    },
};

for (const { title, binders, kernels, routines } of SUBJECTS) {
    describe(title, () => {
        describe.each(routines.map((routine) => [routine] as const))('%s', (routine) => {
            const { lists: makeLists, options: makeOptions, parameter, floats, singles } = CASES[routine];
            const written = Object.keys(floats)[0]!;

            it('does what the call does, run after run, on what the lists hold then', () => {
                const [lists, other] = [makeLists(), makeLists()];
                const run = bind(binders, routine, lists, makeOptions());
                for (let i = 0; i < 5; i++) {
                    for (const name of Object.keys(lists)) {
                        const fresh = makeLists()[name]!.map((x) => x * (1 - i / 16));
                        lists[name]!.set(fresh);
                        other[name]!.set(fresh);
                    }
                    const before = lists[written]!.slice();
                    const t = parameter === null ? undefined : [T, 0, 1, 0.75, Number.NaN][i]!;
                    const args = argumentsOf(routine, other, makeOptions());
                    if (parameter !== null) args[parameter] = t;
                    expect(run(t)).toBeUndefined();
                    callOf(kernels, routine)(...Object.values(args));
                    for (const name of Object.keys(lists)) {
                        expectSameBits(lists[name]!, other[name]!, floats[name]!, () => `run ${i}, ${name}`);
                    }
                    if (t === undefined || t === T) {
                        expect(firstDifference(lists[written]!, before)).toBeGreaterThanOrEqual(0);
                    }
                }
            });

            it('does what the call does for every length', () => {
                for (let n = 1; n <= N; n++) {
                    const [lists, other] = [makeLists(), makeLists()];
                    const options = makeOptions();
                    if ('options' in options) options.options = { numJoints: n };
                    for (const name of ['numJoints', 'count']) if (name in options) options[name] = n;
                    if ('lastJoint' in options) options.lastJoint = n - 1;
                    bind(binders, routine, lists, options)(T);
                    callOf(kernels, routine)(...Object.values(argumentsOf(routine, other, options)));
                    expectSameBits(lists[written]!, other[written]!, floats[written]!, () => `N = ${n}`);
                }
            });

            it('without options is for all of the lists', () => {
                const [lists, other] = [makeLists(), makeLists()];
                const parents = requiredOf(routine, N);
                bind(binders, routine, lists, parents)(T);
                callOf(kernels, routine)(...Object.values(argumentsOf(routine, other, parents)));
                expectSameBits(lists[written]!, other[written]!, floats[written]!, () => routine);
            });

            it('works without its object', () => {
                const lists = makeLists();
                const run = bind(binders, routine, lists, makeOptions());
                const before = lists[written]!.slice();
                Reflect.apply(run, undefined, [T]);
                expect(firstDifference(lists[written]!, before)).toBeGreaterThanOrEqual(0);
            });

            it('refuses bad arguments when bound, in the words of the call, and writes nothing', () => {
                const spoilt: [what: string, args: Args][] = [];
                for (const name of Object.keys(floats)) {
                    const gone = makeLists()[name]!;
                    detach(gone.buffer);
                    for (const value of [
                        undefined,
                        null,
                        'x',
                        new Float64Array(N * 12),
                        new Int32Array(N * 12),
                        gone,
                        makeLists()[name]!.slice(1),
                        new Float32Array(0),
                    ]) {
                        spoilt.push([name, { ...makeLists(), [name]: value }]);
                    }
                    if (name === written || singles.includes(name)) continue;
                    const lists = makeLists();
                    const memory = new Float32Array(N * 24 + 4);
                    spoilt.push([
                        `${name} overlaps`,
                        {
                            ...lists,
                            [written]: memory.subarray(0, lists[written]!.length),
                            [name]: memory.subarray(4, 4 + lists[name]!.length),
                        },
                    ]);
                }
                for (const [what, lists] of spoilt) {
                    const before = Object.entries(lists).map(([, list]) =>
                        list instanceof Float32Array && list.length > 0 ? bytesOf(list) : null,
                    );
                    const thrown = thrownBy(() => bind(binders, routine, lists, makeOptions()));
                    const right = thrownBy(() =>
                        callOf(strict, routine)(...Object.values(argumentsOf(routine, lists, makeOptions()))),
                    );
                    expect({ what, ...thrown }).toEqual({
                        what,
                        ...right,
                        message: right!.message.replace(routine, nameOf(routine)),
                    });
                    for (const [i, list] of Object.values(lists).entries()) {
                        if (before[i]) expectSameBytes(bytesOf(list as Float32Array), before[i]!, () => what);
                    }
                }
                expect(spoilt.length).toBeGreaterThanOrEqual(8);
            });

            if (parameter !== null) {
                it(`refuses what is no number for ${parameter}`, () => {
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
                /** The lists, that one alone in a resizable buffer, behind some spare bytes. */
                const resizable = () => {
                    const lists = makeLists();
                    const values = lists[name]!;
                    const buffer = new Resizable(values.byteLength + 64, { maxByteLength: 1 << 16 });
                    const view = new Float32Array(buffer, 16, values.length);
                    view.set(values);
                    return { lists: { ...lists, [name]: view }, view, buffer };
                };

                it('detached, transferred or shrunk: throws, and writes nothing', () => {
                    for (const [abuse, commit] of Object.entries(ABUSES)) {
                        const { lists, buffer, view } = resizable();
                        const run = bind(binders, routine, lists, makeOptions());
                        run(T);
                        const others = Object.values(lists).filter((list) => list !== view);
                        const code = commit(view, buffer, floats[name]!);
                        const before = others.map(bytesOf);
                        for (let i = 0; i < 3; i++) {
                            expect({ abuse, ...thrownBy(() => run(T)) }).toEqual({
                                abuse,
                                name: 'TypeError',
                                code,
                                message: `${nameOf(routine)}: ${name} is a view of a detached or shrunk buffer, needs a live one`,
                            });
                            for (const [k, other] of others.entries()) {
                                expectSameBytes(bytesOf(other), before[k]!, () => abuse);
                            }
                        }
                    }
                });

                it('shrunk under a length-tracking view: throws, writes nothing, and runs again when it has grown', () => {
                    const lists = makeLists();
                    const values = lists[name]!;
                    const buffer = new Resizable(values.byteLength, { maxByteLength: 1 << 16 });
                    const view = new Float32Array(buffer);
                    view.set(values);
                    const tracking = { ...lists, [name]: view };
                    const run = bind(binders, routine, tracking, makeOptions());
                    run(T);
                    const bytes = values.byteLength;
                    buffer.resize(bytes - 4);
                    const before = Object.values(tracking).map(bytesOf);
                    expect(thrownBy(() => run(T))).toMatchObject({
                        name: 'RangeError',
                        code: 'ERR_BUFFER_LENGTH',
                        message: expect.stringMatching(
                            new RegExp(
                                `^${nameOf(routine)}: ${name} holds ${bytes / 4 - 1} floats, needs at least ${bytes / 4} `,
                            ),
                        ),
                    });
                    for (const [k, list] of Object.values(tracking).entries()) {
                        expectSameBytes(bytesOf(list), before[k]!, () => 'shrunk');
                    }
                    buffer.resize(bytes);
                    expect(thrownBy(() => run(T))).toBeUndefined();
                });

                it('grown under a length-tracking view: works on as many elements as before', () => {
                    const lists = makeLists();
                    const values = lists[name]!;
                    const buffer = new Resizable(values.byteLength, { maxByteLength: 1 << 16 });
                    const view = new Float32Array(buffer);
                    view.set(values);
                    const parents = requiredOf(routine, N);
                    const run = bind(binders, routine, { ...lists, [name]: view }, parents);
                    buffer.resize(1 << 16);
                    view.fill(7, values.length);
                    run(T);
                    const other = makeLists();
                    callOf(kernels, routine)(...Object.values(argumentsOf(routine, other, parents)));
                    expectSameBits(view.subarray(0, values.length), other[name]!, 1, () => 'the elements as before');
                    expect(view.subarray(values.length).every((x) => x === 7)).toBe(true);
                });
            });

            it('does nothing where there is nothing to do', () => {
                const options = makeOptions();
                if ('options' in options) options.options = { numJoints: 0 };
                for (const count of ['numJoints', 'count']) if (count in options) options[count] = 0;
                if ('lastJoint' in options) options.lastJoint = -1;
                const lists = makeLists();
                if (Object.keys(options).length > 0) {
                    const run = bind(binders, routine, lists, options);
                    run(1);
                    expectSameBits(lists[written]!, makeLists()[written]!, 1, () => 'a count of 0');
                }
                const empty = Object.fromEntries(
                    Object.entries(lists).map(([name, list]) => [
                        name,
                        singles.includes(name) ? list : new Float32Array(0),
                    ]),
                );
                expect(thrownBy(() => bind(binders, routine, empty, options)(1))).toBeUndefined();
            });
        });

        it('keeps its lists alive, and finds them where the collector moves them', () => {
            const collect = collector();
            const bound = routines.map((routine) => {
                const lists = CASES[routine].lists();
                const [to] = Object.values(lists) as [Float32Array];
                return { routine, to, run: bind(binders, routine, lists, CASES[routine].options()) };
            });
            for (let i = 0; i < 3; i++) collect();
            for (const { routine, to, run } of bound) {
                const { lists: makeLists, options: makeOptions, floats } = CASES[routine];
                const other = makeLists();
                run(T);
                callOf(kernels, routine)(...Object.values(argumentsOf(routine, other, makeOptions())));
                expectSameBits(to, Object.values(other)[0]!, Object.values(floats)[0]!, () => routine);
            }
        });

        it('copies the index: what becomes of it later does not matter', () => {
            for (const routine of routines.filter((one) => DESCRIPTIONS[one].selection === 'index')) {
                const { lists: makeLists, options: makeOptions, floats } = CASES[routine];
                const [lists, other] = [makeLists(), makeLists()];
                const wanted = [3, 1, 8, 0];
                const shared = new Int32Array(new SharedArrayBuffer(16));
                shared.set(wanted);
                const plain = Int32Array.from(wanted);
                const written = Object.keys(floats)[0]!;
                for (const index of [plain, shared]) {
                    const run = bind(binders, routine, lists, { ...makeOptions(), index, numJoints: undefined });
                    index.fill(2 ** 31 - 1);
                    if (index === plain) detach(plain.buffer);
                    run(T);
                    callOf(
                        kernels,
                        routine,
                    )(
                        ...Object.values(
                            argumentsOf(routine, other, { index: Int32Array.from(wanted), numJoints: undefined }),
                        ),
                    );
                    expectSameBits(lists[written]!, other[written]!, floats[written]!, () => routine);
                    expectSameBits(
                        lists[written]!.subarray(16, 24),
                        makeLists()[written]!.subarray(16, 24),
                        8,
                        () => '2',
                    );
                }
                // Only joints up to the greatest of the index are needed.
                const buffer = new Resizable(N * 32, { maxByteLength: N * 32 });
                const tracking = new Float32Array(buffer);
                tracking.set(makeLists()[written]!);
                const few = { ...makeLists(), [written]: tracking };
                const run = bind(binders, routine, few, { index: Int32Array.of(2, 1), numJoints: 2 });
                buffer.resize(3 * 32);
                expect(thrownBy(() => run(T))).toBeUndefined();
                buffer.resize(3 * 32 - 4);
                expect(thrownBy(() => run(T))).toMatchObject({ code: 'ERR_BUFFER_LENGTH' });
            }
        });

        if (routines.some((one) => DESCRIPTIONS[one].selection === 'parents')) {
            it.each(routines.filter((one) => DESCRIPTIONS[one].selection === 'parents'))(
                '%s copies parents',
                (routine) => {
                    const { lists: makeLists, options: makeOptions, floats } = CASES[routine];
                    const written = Object.keys(floats)[0]!;
                    const [lists, other] = [makeLists(), makeLists()];
                    const options = makeOptions();
                    const run = bind(binders, routine, lists, options);
                    (options.parents as Int32Array).fill(2 ** 31 - 1);
                    detach((options.parents as Int32Array).buffer);
                    run();
                    callOf(kernels, routine)(...Object.values(argumentsOf(routine, other, makeOptions())));
                    expectSameBits(lists[written]!, other[written]!, floats[written]!, () => routine);
                },
            );
        }

        it('slerpQuatTimes goes by what the pair is when it runs, which may lie in the result', () => {
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
            const other = joints.slice();
            const index = Int32Array.from({ length: n }, (_, i) => (i * 7) % n);
            bind(binders, 'slerpJoints', { joints, blendJoints }, { index })(T);
            kernels.slerpJoints(other, blendJoints, T, index);
            expectSameBits(joints, other, 8, () => 'indexed');
            bind(binders, 'slerpJoints', { joints, blendJoints }, {})(T);
            kernels.slerpJoints(other, blendJoints, T);
            expectSameBits(joints, other, 8, () => 'all');
        });
    });
}

/** What `--expose-gc` would give. */
function collector(): () => void {
    v8.setFlagsFromString('--expose-gc');
    return vm.runInNewContext('gc') as () => void;
}

itNative(
    '10 000 bound functions leave nothing behind',
    async () => {
        const collect = collector();
        const settle = async () => {
            // Finalizers of the addon run between two turns of the event loop.
            for (let i = 0; i < 3; i++) {
                collect();
                await new Promise((resolve) => setImmediate(resolve));
            }
        };
        const addon = nativeAddon!.implementations.find(({ name }) => name === 'strict/scalar')!;
        const native = bindablesOf((routine) => ({ native: addon.bind[routine], terms: 0 }));
        const index = Int32Array.from({ length: 256 }, (_, i) => i);
        let collected = 0;
        const registry = new FinalizationRegistry(() => collected++);
        const makeMany = (count: number) => {
            for (let i = 0; i < count; i++) {
                const joints = new Float32Array(256 * 8);
                bind(native, 'slerpJoints', { joints, blendJoints: joints }, { index })(0.5);
                registry.register(joints, null);
            }
        };
        makeMany(2000);
        await settle();
        const before = process.memoryUsage().rss;
        for (let i = 0; i < 4; i++) {
            makeMany(2000);
            await settle();
        }
        // The last one may still be in a register.
        for (let i = 0; i < 20 && collected < 9_900; i++) await settle();
        expect(collected).toBeGreaterThanOrEqual(9_900);
        // Each had 8 KiB of joints and 1 KiB of index: together 72 MB.
        expect(process.memoryUsage().rss - before).toBeLessThan(40 << 20);
    },
    120_000,
);

const WORKER = `
    const { parentPort, workerData } = require('node:worker_threads');
    const addon = require(workerData.addon);
    const { bind } = addon.implementations.find(({ name }) => name === 'strict/scalar');
    const joints = new Float32Array(workerData.shared);
    const other = new Float32Array(joints.length).fill(0.5);
    const runs = [];
    for (let i = 0; i < 200; i++) {
        const run = bind.slerpJoints(joints, other, Int32Array.of(0, 1), 2);
        if (typeof run !== 'function' || run(0.5) !== undefined) throw new Error('bound function');
        runs.push(run);
    }
    if (runs[0]('x') !== false) throw new Error('refusal');
    globalThis.kept = runs;
    parentPort.postMessage('done');
    if (workerData.hang) setInterval(() => runs.forEach((run) => run(0.25)), 0);
`;

itNative('worker threads bind, run and end, of themselves or terminated, with their bound functions', async () => {
    // The one that is tested here: a build, or a prebuild.
    const { path: addonOf } = require('node-gyp-build') as { path(folder: string): string };
    const addon = addonOf(path.resolve(__dirname, '..', '..'));
    const shared = new SharedArrayBuffer(64 * 32);
    for (let round = 0; round < 4; round++) {
        await Promise.all(
            [false, true].map(async (hang) => {
                const worker = new Worker(WORKER, { eval: true, workerData: { addon, shared, hang } });
                const ended = new Promise((resolve) => worker.once('exit', resolve));
                expect(
                    await new Promise((resolve, reject) => worker.once('error', reject).once('message', resolve)),
                ).toBe('done');
                if (hang) await worker.terminate();
                await ended;
            }),
        );
    }
});
