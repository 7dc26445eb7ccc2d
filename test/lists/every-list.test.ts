// SPDX-License-Identifier: MIT

/**
 * Every routine of every implementation, on lists of every length and alignment, in place or not, overlapping where
 * allowed, in any kind of memory. Made from the descriptions of the routines.
 */

import * as vm from 'node:vm';
import { ROUTINES, type Routine } from '../../lib/lists/routines';
import { ALIGNMENTS, bytesOf, expectSameBits, expectSameBytes, firstDifference, guardedFloats } from '../support/bytes';
import { describeImplementation, IMPLEMENTATIONS } from '../support/implementations';
import { distinctIndex, random } from '../support/joint-data';
import { type Args, argumentsOf, type Lists, listsOf, optionsOf, requiredOf } from '../support/routine-arguments';

/** Lengths around groups of lanes, blocks of 64, and pieces of long lists. */
const COUNTS = [...Array(36).keys(), 62, 63, 64, 65, 66, 127, 128, 129, 1024, 1029];
const SPARE = 3;
const TIMES = [0.3, 0, 1, 0.875];

const alignmentOf = (n: number) => ALIGNMENTS[n % 4]!;

/** ArrayBuffer's second argument, newer than TypeScript's configured library. */
const Resizable = ArrayBuffer as unknown as new (
    bytes: number,
    options: { maxByteLength: number },
) => ArrayBuffer & { resize(bytes: number): void };
const Growable = SharedArrayBuffer as unknown as new (
    bytes: number,
    options: { maxByteLength: number },
) => SharedArrayBuffer & { grow(bytes: number): void };

class Floats extends Float32Array {
    get label(): string {
        return 'a subclass of Float32Array';
    }
}
class Ints extends Int32Array {}

type View = Float32Array | Int32Array;
type ViewType = new (buffer: ArrayBufferLike, byteOffset?: number, length?: number) => View;

/** Ways to store numbers, which must not affect a routine. */
const HOLDERS: readonly [what: string, hold: (Type: ViewType, length: number) => View][] = [
    ['a SharedArrayBuffer', (Type, n) => new Type(new SharedArrayBuffer(n * 4))],
    [
        'a resizable buffer, from a length-tracking view',
        (Type, n) => new Type(new Resizable(n * 4, { maxByteLength: n * 8 })),
    ],
    [
        'a resizable buffer that has grown under a length-tracking view',
        (Type, n) => {
            const buffer = new Resizable(0, { maxByteLength: n * 8 });
            const view = new Type(buffer);
            buffer.resize(n * 4);
            return view;
        },
    ],
    [
        'a resizable buffer that has shrunk to the end of a view of fixed length',
        (Type, n) => {
            const buffer = new Resizable(n * 8, { maxByteLength: n * 8 });
            const view = new Type(buffer, 0, n);
            buffer.resize(n * 4);
            return view;
        },
    ],
    [
        'a growable SharedArrayBuffer that has grown',
        (Type, n) => {
            const buffer = new Growable(0, { maxByteLength: n * 8 });
            const view = new Type(buffer);
            buffer.grow(n * 4);
            return view;
        },
    ],
    [
        'an array of another realm',
        (Type, n) => vm.runInNewContext(`new ${Type === (Float32Array as ViewType) ? 'Float' : 'Int'}32Array(${n})`),
    ],
    ['a subclass', (Type, n) => (Type === (Float32Array as ViewType) ? new Floats(n) : new Ints(n))],
    ...[0, 5, 1e6].map((length): [string, (Type: ViewType, n: number) => View] => [
        `an array with a null prototype and a length of its own, ${length}`,
        (Type, n) =>
            Object.defineProperty(Object.setPrototypeOf(new Type(new ArrayBuffer(n * 4)), null), 'length', {
                value: length,
            }),
    ]),
    [
        'a WebAssembly memory, 4 bytes beside any alignment',
        (Type, n) => new Type(new WebAssembly.Memory({ initial: 1 }).buffer, 4, n),
    ],
];

/** %TypedArray%.prototype.set, for arrays that have lost theirs. */
function held(hold: (Type: ViewType, length: number) => View, values: View): View {
    const view = hold((values instanceof Int32Array ? Int32Array : Float32Array) as ViewType, values.length);
    Float32Array.prototype.set.call(view as Float32Array, values);
    return view;
}
/** The elements of a view that may have lost its methods. */
const elements = (view: View, length: number) => Float32Array.from({ length }, (_, i) => view[i]!);

for (const { name, routines } of IMPLEMENTATIONS) {
    describeImplementation(name, (kernels) => {
        describe.each((routines as readonly Routine[]).map((routine) => [routine]))('%s', (routine) => {
            const { lists, parameter, selection } = ROUTINES[routine];
            const names = lists.map(({ argument }) => argument);
            const [written, ...operands] = names as [string, ...string[]];
            const width = lists[0]!.floats;
            const floats = Object.fromEntries(lists.map((list) => [list.argument, list.floats]));
            const singles = lists.filter(({ single }) => single).map(({ argument }) => argument);
            const shareable = lists.filter(({ sharing }) => sharing === 'same start').map(({ argument }) => argument);

            /** Calls it, and returns what it wrote. */
            const call = (given: Args, options: Args, t = 0.3): Float32Array => {
                const args = Object.values(argumentsOf(routine, given, options, t));
                (kernels[routine] as (...all: unknown[]) => void)(...args);
                return given[written] as Float32Array;
            };
            /** The first `n` elements of each list, copied. */
            const firstOf = (all: Lists, n: number): Lists =>
                Object.fromEntries(
                    names.map((list) => [
                        list,
                        all[list]!.slice(0, singles.includes(list) ? undefined : n * floats[list]!),
                    ]),
                );
            /** With a count; else with the convention that is the default. */
            const counted = (n: number): Args =>
                selection === 'options' ? { options: { numJoints: n } } : optionsOf(routine, n);
            const takesCount = selection !== 'lengths';

            it('N = 0 … 35 and more, misaligned, between guards, with a count and without', () => {
                for (const n of COUNTS) {
                    const t = TIMES[n % 4]!;
                    const all = listsOf(routine, n + SPARE);
                    const right = call(firstOf(all, n), requiredOf(routine, n), t);
                    const given = takesCount ? all : firstOf(all, n);
                    if (!lists[0]!.inPlace) given[written]!.fill(7);
                    const guarded = names.map((list, k) => guardedFloats(given[list]!, alignmentOf(n + k)));
                    const views = Object.fromEntries(names.map((list, k) => [list, guarded[k]!.view]));
                    const result = call(views, counted(n), t);
                    for (const list of guarded) list.check();
                    const end = n * width;
                    expectSameBits(result.subarray(0, end), right, width, () => `N = ${n}`);
                    expectSameBits(result.subarray(end), given[written]!.subarray(end), width, () => `behind N = ${n}`);
                    for (const list of operands) {
                        expectSameBits(views[list]!, given[list]!, floats[list]!, () => `${list} changed, N = ${n}`);
                    }
                    const isEdge = lists[0]!.inPlace && parameter !== undefined && t === 0;
                    if (n > 2 && !isEdge) {
                        const before = given[written]!.subarray(0, end);
                        expect([n, firstDifference(right, before) >= 0]).toEqual([n, true]);
                    }
                }
            });

            if (takesCount) {
                it('needs only enough room where a count is given: other lengths, no whole elements', () => {
                    for (let n = 0; n <= 9; n++) {
                        const all = listsOf(routine, 9 + SPARE);
                        const right = call(firstOf(all, n), requiredOf(routine, n));
                        const given = Object.fromEntries(
                            names.map((list, k) => [list, all[list]!.slice(0, n * floats[list]! + ((k + n) % 3))]),
                        );
                        const result = call(given, counted(n));
                        expectSameBits(result.subarray(0, n * width), right, width, () => `N = ${n}`);
                    }
                });

                it('lets lists overlap after the elements in use', () => {
                    const n = 4;
                    const all = listsOf(routine, n);
                    const options = counted(n);
                    const right = call(firstOf(all, n), options);
                    // One memory, in which all reach to the end.
                    const ints = Object.entries(options).find(([, value]) => value instanceof Int32Array);
                    const total = names.reduce((sum, list) => sum + all[list]!.length, 0);
                    const memory = new Float32Array(total + (ints ? (ints[1] as Int32Array).length : 0));
                    let start = 0;
                    const given = Object.fromEntries(
                        names.map((list) => {
                            memory.set(all[list]!, start);
                            start += all[list]!.length;
                            return [list, memory.subarray(start - all[list]!.length)];
                        }),
                    );
                    if (ints) {
                        const view = new Int32Array(memory.buffer, total * 4);
                        view.set(ints[1] as Int32Array);
                        options[ints[0]] = view;
                    }
                    const before = memory.slice(n * width);
                    call(given, options);
                    expectSameBits(memory.subarray(0, n * width), right, width, () => routine);
                    expectSameBits(memory.subarray(n * width), before, 1, () => 'behind');
                });
            }

            it('does nothing for empty lists, and for a count of 0', () => {
                const all = listsOf(routine, 5);
                const empty = (): Lists => ({ ...all, ...firstOf(all, 0) });
                expect(call(empty(), requiredOf(routine, 0))).toHaveLength(0);
                if (!takesCount) return;
                expect(call(empty(), counted(0), 1)).toHaveLength(0);
                const given = listsOf(routine, 5);
                const before = bytesOf(given[written]!);
                call(given, counted(0), 1);
                call({ ...empty(), [written]: given[written]! }, counted(0), 1);
                expectSameBytes(bytesOf(given[written]!), before, () => 'a count of 0');
            });

            // strict/* treats groups of lanes and the rest alike; others only if no sum has two orders.
            const anywhere = /^(convertJointQuatsToJointMats|transformJoints|normalizeJoints|slerpQuatsPerQuat)$/;
            if (takesCount && selection !== 'parents' && (name.startsWith('strict/') || anywhere.test(routine))) {
                it('gives each element the bits that it has in a list of one', () => {
                    for (const n of [...Array(18).keys(), 31, 32, 33, 65]) {
                        const all = listsOf(routine, n);
                        const result = call({ ...all, [written]: all[written]!.slice() }, requiredOf(routine, n));
                        for (let i = 0; i < n; i++) {
                            const at = (list: string, from: Float32Array) =>
                                from.slice(i * floats[list]!, (i + 1) * floats[list]!);
                            const alone = Object.fromEntries(names.map((list) => [list, at(list, all[list]!)]));
                            const one = call(alone, requiredOf(routine, 1));
                            expectSameBits(one, at(written, result), width, () => `element ${i} of ${n}`);
                        }
                    }
                });
            }

            const inPlace = [...shareable.map((list) => [list]), ...(shareable.length > 1 ? [shareable] : [])];
            if (inPlace.length > 0) {
                it.each(inPlace.map((list) => [list.join(' and '), list] as const))(
                    'gives the same bits where the result is %s',
                    (_, shared) => {
                        for (const n of COUNTS) {
                            const t = TIMES[n % 4]!;
                            const all = listsOf(routine, n);
                            // The list there is an operand.
                            const values = all[lists[0]!.inPlace ? written : shared[0]!]!;
                            const apart = { ...all, ...Object.fromEntries(shared.map((list) => [list, values])) };
                            const right = call(
                                Object.fromEntries(names.map((list) => [list, apart[list]!.slice()])),
                                requiredOf(routine, n),
                                t,
                            );
                            const guarded = guardedFloats(values, alignmentOf(n));
                            const { buffer, byteOffset, length } = guarded.view;
                            // Another view of the same bytes is the same list.
                            const view = n % 2 ? guarded.view : new Float32Array(buffer, byteOffset, length);
                            const same = Object.fromEntries(shared.map((list) => [list, view]));
                            call({ ...all, ...same, [written]: guarded.view }, requiredOf(routine, n), t);
                            guarded.check();
                            expectSameBits(guarded.view, right, width, () => `N = ${n}`);
                        }
                    },
                );
            }

            if (operands.length > 1) {
                it('lets its operands overlap each other in any way', () => {
                    const all = listsOf(routine, 9);
                    const memory = new Float32Array(9 * 12 + 5 * operands.length);
                    memory.set(all[operands[0]!]!);
                    const views = operands.map((list, k) => [list, memory.subarray(5 * k, 5 * k + all[list]!.length)]);
                    const copies = operands.map((list, k) => [list, memory.slice(5 * k, 5 * k + all[list]!.length)]);
                    const [actual, right] = [views, copies].map((given) =>
                        call(
                            { ...all, ...Object.fromEntries(given), [written]: all[written]!.slice() },
                            requiredOf(routine, 9),
                        ),
                    );
                    expectSameBits(actual!, right!, width, () => routine);
                });
            }

            if (singles.length > 0) {
                it(`${singles.join(' and ')} can be anywhere in the result, and be one`, () => {
                    const all = listsOf(routine, 13);
                    const right = call({ ...all, [written]: all[written]!.slice() }, {});
                    for (const [i, j] of [
                        [0, 4],
                        [48, 0],
                        [7, 21],
                        [1, 44],
                    ]) {
                        const result = new Float32Array(13 * width);
                        const inside = [i!, j!].map((at, k) => {
                            const view = result.subarray(at, at + floats[singles[k]!]!);
                            view.set(all[singles[k]!]!);
                            return [singles[k]!, view];
                        });
                        call({ ...all, ...Object.fromEntries(inside), [written]: result }, {});
                        expectSameBits(result, right, width, () => `at ${i} and ${j}`);
                    }
                    const one = all[singles[0]!]!;
                    const twice = (list: Float32Array) => Object.fromEntries(singles.map((single) => [single, list]));
                    const apart = call({ ...all, ...twice(one), [written]: new Float32Array(13 * width) }, {});
                    const result = new Float32Array(13 * width);
                    result.set(one);
                    call({ ...all, ...twice(result.subarray(0, one.length)), [written]: result }, {});
                    expectSameBits(result, apart, width, () => 'one of them');
                });
            }

            if (parameter !== undefined) {
                it(`rounds ${parameter} to float32 before anything else`, () => {
                    // 1 - 1e-9 is nearest to 1, 1e-46 to 0, 1e300 to infinity.
                    for (const t of [0.1, 1 - 1e-9, 1e-46, 1e300]) {
                        const [given, rounded] = [t, Math.fround(t)].map((time) =>
                            call(listsOf(routine, 9), requiredOf(routine, 9), time),
                        );
                        expectSameBits(given!, rounded!, width, () => `t = ${t}`);
                    }
                });
            }

            if (selection === 'index') {
                it('treats a missing, a null and a full index alike, and ignores elements after numJoints', () => {
                    const run = (options: Args) => call(listsOf(routine, 13), options);
                    const right = run({});
                    const full = Int32Array.from({ length: 13 }, (_, i) => i);
                    const beyond = Int32Array.of(...full, 13, -7);
                    for (const options of [
                        { index: undefined, numJoints: 13 },
                        { index: null },
                        { index: full },
                        { index: full, numJoints: 13 },
                        { index: beyond, numJoints: 13 },
                    ]) {
                        expectSameBits(run(options), right, width, () => JSON.stringify(options));
                    }
                });

                it('touches the joints of the index and no others; each list must only hold those', () => {
                    for (let n = 0; n <= 20; n++) {
                        const all = listsOf(routine, 20);
                        const index = distinctIndex(random(n), 20, n).sort();
                        const result = call(all, { index, numJoints: n }, 1);
                        const before = listsOf(routine, 20)[written]!;
                        for (let i = 0; i < 20; i++) {
                            const joint = (list: Float32Array) => list.subarray(i * width, (i + 1) * width);
                            const changed = firstDifference(joint(result), joint(before)) >= 0;
                            expect([n, i, changed]).toEqual([n, i, index.includes(i)]);
                        }
                        if (n === 0) continue;
                        const last = index[n - 1]! + 1;
                        const short = firstOf(listsOf(routine, 20), last);
                        call(short, { index }, 1);
                        expectSameBits(short[written]!, result.subarray(0, last * width), width, () => `up to ${last}`);
                    }
                });

                it('does nothing for an empty index', () => {
                    const all = listsOf(routine, 5);
                    const before = bytesOf(all[written]!);
                    call(all, { index: new Int32Array(0) });
                    call(all, { index: new Int32Array(0), numJoints: 0 }, 1);
                    const others = Object.fromEntries(operands.map((list) => [list, new Float32Array(0)]));
                    call({ ...all, ...others }, { index: Int32Array.of(4), numJoints: 0 }, 1);
                    expectSameBytes(bytesOf(all[written]!), before, () => written);
                });
            }

            it('gives the same bits for every kind of storage', () => {
                const n = 13;
                const ints = { index: distinctIndex(random(77), n, n) };
                for (const options of [requiredOf(routine, n), selection === 'index' ? ints : optionsOf(routine, n)]) {
                    const all = listsOf(routine, n);
                    const right = listsOf(routine, n);
                    call(right, options);
                    expect(firstDifference(right[written]!, all[written]!)).toBeGreaterThanOrEqual(0);
                    for (const [what, hold] of HOLDERS) {
                        const given = Object.fromEntries(names.map((list) => [list, held(hold, all[list]!)]));
                        const heldOptions = Object.entries(options).map(([name, value]) => {
                            return [name, value instanceof Int32Array ? held(hold, value) : value];
                        });
                        call(given, Object.fromEntries(heldOptions));
                        for (const list of names) {
                            const actual = elements(given[list]!, all[list]!.length);
                            expectSameBits(actual, right[list]!, 1, () => `${list} in ${what}`);
                        }
                    }
                }
            });
        });
    });
}
