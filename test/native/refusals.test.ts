// SPDX-License-Identifier: MIT

/**
 * The addon itself, without the checks in TypeScript: for all wrong arguments it must return false and write nothing. It
 * must never write outside the buffers. test/long/fuzz/flip-indices changes integers from another thread meanwhile.
 */

import * as path from 'node:path';
import type { NativeAddon } from '../../lib/addon/addon';
import type { Selection } from '../../lib/lists/description';
import { ROUTINES, type Routine } from '../../lib/lists/routines';
import { bytesOf, expectSameBytes, guardedFloats, guardedInts } from '../support/bytes';
import { detached, outOfBounds } from '../support/faults';
import {
    IMPLEMENTATIONS,
    isTypescript,
    itNative,
    JOINT_IMPLEMENTATIONS,
    JOINT_ROUTINES,
    type JointRoutine,
    nativeSkipReason,
    WASM,
} from '../support/implementations';
import { jointMats, random } from '../support/joint-data';
import { once, onceFor } from '../support/once';
import { listsOf, T } from '../support/routine-arguments';

type Call = (...args: unknown[]) => unknown;
type Kernels = Partial<Record<JointRoutine, Call>>;

const addon =
    nativeSkipReason() === null
        ? (require('node-gyp-build') as (folder: string) => NativeAddon)(path.resolve(__dirname, '..', '..'))
        : null;

const N = 9;

/** The addon's arguments after the lists and the parameter. */
const SELECTED: Record<Selection, { kinds: readonly Kind[]; make: (routine: Routine) => unknown[] }> = {
    index: {
        kinds: ['ints or null', 'count'],
        make: (routine) => (routine === 'lerpJoints' ? [null, 5] : [Int32Array.of(3, 1, 7, 8, 0), 5]),
    },
    parents: {
        kinds: ['ints', 'first', 'last'],
        make: () => [Int32Array.of(-1, 0, 1, 1, -1, 4, 5, 2, 0), 0, N - 1],
    },
    options: { kinds: ['count', 'boolean'], make: () => [N, false] },
    count: { kinds: ['count'], make: () => [N] },
    lengths: { kinds: [], make: () => [] },
};

/** One good call of each routine: copies of lists that are made once. */
const GOOD = Object.fromEntries(
    JOINT_ROUTINES.map((routine) => {
        const { parameter, selection } = ROUTINES[routine];
        const made = once(() => [
            ...Object.values(listsOf(routine, N)),
            ...(parameter ? [T] : []),
            ...SELECTED[selection].make(routine),
        ]);
        return [routine, () => made().map((arg) => (isList(arg) ? arg.slice() : arg))];
    }),
) as Record<JointRoutine, () => unknown[]>;

function isList(arg: unknown): arg is Float32Array | Int32Array {
    return arg instanceof Float32Array || arg instanceof Int32Array;
}

/** Matrices of three joints by their seed. */
const threeJoints = onceFor((seed: number) => jointMats(random(seed), 3));

/** The arguments with another value in one place. */
const withValue = (args: readonly unknown[], position: number, value: unknown): unknown[] =>
    args.map((arg, i) => (i === position ? value : arg));

type Kind = 'floats' | 'ints' | 'ints or null' | 'number' | 'count' | 'first' | 'last' | 'boolean';

const KINDS = Object.fromEntries(
    JOINT_ROUTINES.map((routine) => {
        const { lists, parameter, selection } = ROUTINES[routine];
        const number: Kind[] = parameter ? ['number'] : [];
        return [routine, [...lists.map((): Kind => 'floats'), ...number, ...SELECTED[selection].kinds]];
    }),
) as unknown as Record<JointRoutine, readonly Kind[]>;

/** Values of every type, by description. New ones each time, because calls can write to some. */
const GARBAGE: Record<string, () => unknown> = {
    undefined: () => undefined,
    null: () => null,
    true: () => true,
    'a number': () => 3,
    'a bigint': () => 3n,
    'a string': () => '3',
    'a symbol': () => Symbol('3'),
    'a function': () => () => 3,
    'an object': () => ({}),
    'an object with valueOf': () => ({ valueOf: () => 3, toString: () => '3' }),
    'an Array': () => Array(200).fill(0),
    'a Date': () => new Date(3),
    'a Float32Array': () => new Float32Array(256),
    'a short Float32Array': () => new Float32Array(5),
    'an empty Float32Array': () => new Float32Array(0),
    'a detached Float32Array': () => detached(new Float32Array(256)),
    'a Float32Array out of bounds': () => outOfBounds(Float32Array),
    'an Int32Array': () => new Int32Array(256),
    'an Int32Array of bad numbers': () => new Int32Array(256).fill(-7),
    'an Int32Array of great numbers': () => new Int32Array(256).fill(2 ** 31 - 1),
    'a short Int32Array': () => new Int32Array(3),
    'an empty Int32Array': () => new Int32Array(0),
    'a detached Int32Array': () => detached(new Int32Array(256)),
    'an Int32Array out of bounds': () => outOfBounds(Int32Array),
    'a Uint32Array': () => new Uint32Array(256),
    'a Float64Array': () => new Float64Array(256),
    'a Uint8Array': () => new Uint8Array(1024),
    'a BigInt64Array': () => new BigInt64Array(256),
    'a DataView': () => new DataView(new ArrayBuffer(1024)),
    'an ArrayBuffer': () => new ArrayBuffer(1024),
    'a Proxy of a Float32Array': () => new Proxy(new Float32Array(256), {}),
    'a Uint8Array that says it is a Float32Array': () =>
        Object.setPrototypeOf(new Uint8Array(1024), Float32Array.prototype),
    'a Uint8Array that says it is an Int32Array': () =>
        Object.setPrototypeOf(new Uint8Array(1024), Int32Array.prototype),
};

/** Numbers that are not a count or not a joint, or exceed the number of joints. */
const NUMBERS = [
    ...[-2, -4, -1000, 10, 1000, 0.5, 1.5, -0.5, Number.NaN, Infinity, -Infinity, 1e300, -1e300],
    ...[2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53, -(2 ** 31), -(2 ** 32)],
];

/** Whether a value is valid for an argument of this kind: then the call may succeed. */
function isAllowed(kind: Kind, what: string, value: unknown): boolean {
    switch (kind) {
        case 'floats':
            return what === 'a Float32Array';
        case 'ints':
            // Zeros: joint 0 would be its own parent.
            return false;
        case 'ints or null':
            return what === 'an Int32Array' || what === 'null';
        case 'number':
            return typeof value === 'number';
        case 'boolean':
            return typeof value === 'boolean';
        default:
            return what === 'a number';
    }
}

interface Attempt {
    readonly title: string;
    readonly args: () => unknown[];
}

/** Faults of the refusals of these calls, which must return false and write nothing. */
const notRefused = (call: Call, tried: readonly Attempt[]) =>
    tried.flatMap(({ title, args: build }) => {
        const args = build();
        // All of a buffer, not only what the view shows.
        const buffers = args.flatMap((arg) =>
            ArrayBuffer.isView(arg) && arg.buffer.byteLength > 0 ? [new Uint8Array(arg.buffer)] : [],
        );
        const before = buffers.map(bytesOf);
        const result = call(...args);
        if (result !== false) return [`${title}: returned ${String(result)}`];
        return buffers.some((buffer, i) => Buffer.compare(buffer, before[i]!) !== 0) ? [`${title}: wrote`] : [];
    });

/** Every routine with one argument spoilt. */
function attempts(routine: JointRoutine): Attempt[] {
    const good = GOOD[routine];
    const kinds = KINDS[routine];
    const result: Attempt[] = [];
    for (const [position, kind] of kinds.entries()) {
        const spoilt = (value: () => unknown) => () => withValue(good(), position, value());
        for (const [what, value] of Object.entries(GARBAGE)) {
            if (isAllowed(kind, what, value())) continue;
            result.push({ title: `argument ${position} is ${what}`, args: spoilt(value) });
        }
        if (kind === 'count' || kind === 'first' || kind === 'last') {
            for (const number of NUMBERS) {
                // first > last is an empty range, which is no fault.
                if (kind === 'first' && number > N - 1 && number < 2 ** 31) continue;
                result.push({ title: `argument ${position} is ${number}`, args: spoilt(() => number) });
            }
        }
        result.push({ title: `arguments from ${position} on are missing`, args: () => good().slice(0, position) });
    }
    for (const position of kinds.keys()) {
        if (kinds[position] !== 'floats' || position === 0) continue;
        const overlapping = (place: (floats: number) => [first: ArrayBufferLike, second: ArrayBufferLike]) => () => {
            const args = good();
            const [a, b] = [args[0] as Float32Array, args[position] as Float32Array];
            const [first, second] = place(a.length + b.length + 4);
            const over = new Float32Array(second, 16, b.length);
            over.set(b);
            return withValue(withValue(args, 0, new Float32Array(first, 0, a.length)), position, over);
        };
        result.push({
            title: `arguments 0 and ${position} overlap`,
            args: overlapping((floats) => Array(2).fill(new ArrayBuffer(floats * 4)) as [ArrayBuffer, ArrayBuffer]),
        });
        result.push({
            title: `arguments 0 and ${position} share memory through two SharedArrayBuffer objects`,
            args: overlapping((floats) => {
                const buffer = new SharedArrayBuffer(floats * 4);
                return [buffer, structuredClone(buffer)];
            }),
        });
    }
    const ints = kinds.findIndex((kind) => kind.startsWith('ints'));
    if (ints >= 0) {
        for (const position of kinds.keys()) {
            if (kinds[position] !== 'floats') continue;
            result.push({
                title: `argument ${ints} lies inside argument ${position}`,
                args: () => {
                    const args = good();
                    const list = args[position] as Float32Array;
                    const inside = new Int32Array(list.buffer, 0, N);
                    inside.set(
                        (GOOD.transformSkeleton()[1] as Int32Array).map((x) => (kinds[ints] === 'ints' ? x : x + 1)),
                    );
                    return withValue(args, ints, inside);
                },
            });
        }
        for (const [place, bad] of [
            [0, -2],
            [0, 2 ** 31 - 1],
            [2, -(2 ** 31)],
            [4, N],
            [4, 5000],
        ] as const) {
            result.push({
                title: `argument ${ints}[${place}] is ${bad}`,
                args: () => {
                    const args = good();
                    const list = ((args[ints] ?? Int32Array.of(1, 2, 3, 4, 5)) as Int32Array).slice();
                    list[place] = bad;
                    return withValue(args, ints, list);
                },
            });
        }
    }
    return result;
}

interface Implementation {
    readonly name: string;
    readonly unavailable?: string;
    readonly kernels: Kernels;
    /** The same calls repeated and timed. Arguments: samples, the initial list of each run, then those of the call. */
    readonly timed: Kernels;
}

const all = (addon?.implementations ?? []) as readonly Implementation[];
/** Those with routines on joint lists. */
const implementations = all.filter(
    ({ name, unavailable }) => unavailable === undefined && JOINT_IMPLEMENTATIONS.some((known) => known === name),
);

itNative('the addon has the implementations that the tests know, and functions where they can run', () => {
    const known = IMPLEMENTATIONS.filter(({ name }) => !isTypescript(name) && name !== WASM);
    expect(all.map(({ name }) => name)).toEqual(known.map(({ name }) => name));
    for (const [i, { kernels, unavailable }] of all.entries()) {
        const routines: readonly string[] = unavailable === undefined ? known[i]!.routines : [];
        expect(Object.keys(kernels).sort()).toEqual([...routines].sort());
    }
    expect(implementations.map(({ name }) => name)).toContain('paper/c');
});

for (const { name, kernels, timed } of implementations) {
    describe(name, () => {
        const routines = JOINT_ROUTINES.filter((routine) => kernels[routine]);

        it.each(routines)('%s: returns undefined for good arguments and has written', (routine) => {
            const args = GOOD[routine]();
            const [to] = args as [Float32Array];
            const before = bytesOf(to);
            expect(kernels[routine]!(...args)).toBeUndefined();
            expect(Buffer.compare(bytesOf(to), before)).not.toBe(0);
            // More arguments than it knows change nothing.
            expect(kernels[routine]!(...GOOD[routine](), 1, {}, null)).toBeUndefined();
        });

        it.each(routines)('%s: returns false and writes nothing for all wrong arguments', (routine) => {
            const tried = attempts(routine);
            expect(notRefused(kernels[routine]!, tried)).toEqual([]);
            expect(tried.length).toBeGreaterThan(80);
        });

        it.each(routines)('%s: any mixture of garbage returns, and writes nothing outside of the lists', (routine) => {
            const next = random(20);
            const values = [...Object.values(GARBAGE), ...NUMBERS.map((number) => () => number)];
            const count = KINDS[routine].length;
            let refused = 0;
            for (let i = 0; i < 2000; i++) {
                const floats = guardedFloats(threeJoints(i), 4);
                const ints = guardedInts([0, 1, 2, 3, -1, 9, 2, 4, 1], 8);
                const args = Array.from({ length: Math.floor(next() * (count + 2)) }, () => {
                    const kind = next();
                    if (kind < 0.4) return floats.view;
                    if (kind < 0.5) return ints.view;
                    return values[Math.floor(next() * values.length)]!();
                });
                const result = kernels[routine]!(...args);
                if (result === false) refused++;
                else expect(result).toBeUndefined();
                floats.check();
                ints.check();
            }
            expect(refused).toBeGreaterThan(1500);
        });

        it.each(routines)('%s, timed: does the same from the same beginning each time, and times it', (routine) => {
            const args = GOOD[routine]();
            const [to] = args as [Float32Array];
            const samples = new Float64Array(20).fill(-1);
            expect(timed[routine]!(samples, to.slice(), ...args)).toBeUndefined();
            const untimed = GOOD[routine]();
            kernels[routine]!(...untimed);
            expectSameBytes(bytesOf(to), bytesOf(untimed[0] as Float32Array), () => routine);
            expect(samples.every((ticks) => ticks >= 0 && Number.isFinite(ticks))).toBe(true);
        });

        it.each(routines)('%s, timed: rejects all that the call rejects, and writes nothing', (routine) => {
            const samples = () => new Float64Array(2).fill(-1);
            const tried = attempts(routine).map(({ title, args }) => {
                return { title, args: () => [samples(), new Float32Array(200).fill(7), ...args()] };
            });
            const good = GOOD[routine];
            const list = () => (good()[0] as Float32Array).slice();
            for (const [what, value] of Object.entries(GARBAGE)) {
                if (what !== 'a Float64Array') {
                    tried.push({ title: `samples: ${what}`, args: () => [value(), list(), ...good()] });
                }
                if (!what.endsWith(' Float32Array') || /empty|detached|Proxy/.test(what)) {
                    tried.push({ title: `source: ${what}`, args: () => [samples(), value(), ...good()] });
                }
            }
            const [own, ...others] = good() as [Float32Array, ...unknown[]];
            tried.push(
                { title: 'source overlaps', args: () => [samples(), own.subarray(4), own, ...others] },
                {
                    title: 'samples overlap',
                    args: () => [new Float64Array(own.buffer, 0, 2), own.slice(), own, ...others],
                },
            );
            expect(notRefused(timed[routine]!, tried)).toEqual([]);
            expect(tried.length).toBeGreaterThan(100);
        });

        it.each(routines)('%s: needs no receiver, and does not crash as a constructor', (routine) => {
            const call = kernels[routine]!;
            expect(Reflect.apply(call, undefined, [])).toBe(false);
            expect(Reflect.apply(call, new Proxy({}, {}), [null])).toBe(false);
            expect(() => Reflect.construct(call, [])).not.toThrow();
        });
    });
}
