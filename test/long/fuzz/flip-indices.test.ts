// SPDX-License-Identifier: MIT

/**
 * Another thread overwrites index lists, parents, clips and slots in shared memory while kernels use them as addresses. Calls may
 * succeed or refuse their arguments. They must not read or write outside the lists. POSELANE_FLIP_SECONDS: for how long.
 */

import { Worker } from 'node:worker_threads';
import * as lib from '../../../lib';
import { ROUTINES, type Routine } from '../../../lib/lists/routines';
import type { Poses } from '../../../lib/rig';
import { compiledRigs } from '../../../lib/rig/compiled';
import { typescriptRig } from '../../../lib/rig/kernels';
import { Rig } from '../../../lib/rig/rig';
import { sourceOfParts } from '../../../lib/rig/source/from-parts';

const { rigImplementations } = require('../sweep/rigs.cjs') as {
    rigImplementations(modules: object): { name: string; create(parts: object): Rig }[];
};

const MILLISECONDS = Number(process.env.POSELANE_FLIP_SECONDS ?? 3) * 1000;
const JOINTS = 200;
/** More than the addon checks at once, so that time passes between check and use. */
const NAMED = 3000;
const POSES = 64;
const GUARD_FLOATS = 4096;
/** A NaN that no arithmetic makes. */
const GUARD = 0x7fc0dead;

/** Good and wrong values in turn, in many places. */
const FLIPPER = `
const { workerData: { lists, stop } } = require('node:worker_threads');
const halt = new Int32Array(stop);
let seed = 1;
const next = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >>> 8;
while (Atomics.load(halt, 0) === 0) {
    for (let i = 0; i < 2000; i++) {
        const { list, good, wrong } = lists[next() % lists.length];
        const at = next() % list.length;
        list[at] = wrong[next() % wrong.length];
        // Mostly restored at once: most calls must pass the first check.
        if (next() % 1024 !== 0) list[at] = good[at];
        if (next() % 512 === 0) list.set(good);
    }
}`;

const CODES = /^ERR_(INDEX_RANGE|PARENT_(RANGE|ORDER)|BUFFER_CHANGED|NOT_FINITE)$/;

// Looked up once: in jest's sandbox every look-up of a global is slow.
const { isNaN: isNotANumber } = Number;

/** Lists between guards of NaN, which shows in a list where a kernel has read it. */
const guards: { what: string; all: Float32Array; words: Int32Array; staysFinite: boolean; fill(): void }[] = [];

/** Without `value` the list may hold NaN, but not that of the guards, whose bits stay the same in all arithmetic. */
function guarded(what: string, length: number, value?: (i: number) => number): Float32Array {
    const words = new Int32Array(new SharedArrayBuffer((length + 2 * GUARD_FLOATS) * 4)).fill(GUARD);
    const all = new Float32Array(words.buffer);
    const view = all.subarray(GUARD_FLOATS, GUARD_FLOATS + length);
    const start = Float32Array.from(view, (_, i) => value?.(i) ?? 0);
    guards.push({ what, all, words, staysFinite: value !== undefined, fill: () => view.set(start) });
    view.set(start);
    return view;
}

function checkGuards(): void {
    for (const { what, all, words, staysFinite } of guards) {
        for (let i = 0; i < all.length; i++) {
            const isGuard = i < GUARD_FLOATS || i >= all.length - GUARD_FLOATS;
            if (
                isGuard
                    ? words[i] === GUARD
                    : !(staysFinite ? isNotANumber(all[i]) : (words[i]! & 0x7fffffff) === GUARD)
            )
                continue;
            throw new Error(
                `${what}: ${isGuard ? 'written outside of the list' : `[${i - GUARD_FLOATS}] was read outside`}`,
            );
        }
    }
}

type View = Int32Array | Uint16Array | Float32Array | Float64Array;

/** A list in shared memory, its right contents, and wrong contents. */
function flipped<V extends View>(
    Type: { BYTES_PER_ELEMENT: number; new (buffer: SharedArrayBuffer): V },
    length: number,
    value: (i: number) => number,
    wrong: readonly number[],
) {
    const list = new Type(new SharedArrayBuffer(length * Type.BYTES_PER_ELEMENT));
    for (let i = 0; i < length; i++) list[i] = value(i);
    return { list, good: list.slice(), wrong };
}

const LISTS = {
    index: flipped(Int32Array, NAMED, (i) => i % JOINTS, [-1, JOINTS, 2 ** 30, -(2 ** 31), 2 ** 31 - 1]),
    parents: flipped(Int32Array, JOINTS, (i) => (i % 5 === 0 ? -1 : i - 1), [
        -2,
        JOINTS,
        JOINTS - 1,
        2 ** 30,
        -(2 ** 31),
    ]),
    clips: flipped(Uint16Array, 500, (i) => i % 3, [3, 65535, 1000]),
    slots: flipped(Uint16Array, 100, (i) => i % 4, [4, 65535, 1000]),
    times: flipped(Float64Array, 500, (i) => i / 100, [NaN, Infinity, -Infinity, 1e300, -1e300]),
    weights: flipped(Float32Array, POSES, (i) => i / POSES, [NaN, Infinity, -1, 3e38]),
};

interface Call {
    readonly what: string;
    readonly call: () => unknown;
}

/** Every routine on joints that takes an index list or parents. */
function* jointCalls(): Generator<Call> {
    const { index, parents } = LISTS;
    for (const [routine, { lists, parameter, selection }] of Object.entries(ROUTINES)) {
        if (selection !== 'index' && selection !== 'parents') continue;
        const noTurn = (floats: number) => (i: number) =>
            Number(floats === 12 ? [0, 5, 10].includes(i % 12) : floats === 1 || i % 8 === 3);
        for (const { name, available } of lib.implementations()) {
            const kernel = available && lib.implementation(name)[routine as Routine];
            if (!kernel) continue;
            // No value grows, however often it is transformed. TypeScript reads undefined outside a list: NaN. It also
            // runs where a strict kernel rejects lists that changed after the checks.
            const mayBeNaN = /^strict\/|\/typescript$/.test(name);
            const args: unknown[] = lists.map(({ argument, floats }) => {
                const value = mayBeNaN ? undefined : noTurn(floats);
                return guarded(`${name} ${routine}, ${argument}`, JOINTS * floats, value);
            });
            if (parameter) args.push(0.3);
            args.push(selection === 'index' ? index.list : parents.list);
            yield { what: `${name} ${routine}`, call: () => (kernel as (...args: unknown[]) => void)(...args) };
        }
    }
}

const PARTS = {
    parents: [-1, 0, 1, 2],
    rest: [0, 1, 2, 3].flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]),
    skins: [{ joints: [0, 1, 2, 3] }],
    clips: [0, 1, 2].map((clip) => ({
        channels: [{ node: clip, path: 'translation', times: [0, 1 + clip], values: [0, 0, 0, 1, 2, 3] }],
    })),
};

function* rigCalls({ name, create }: { name: string; create(parts: object): Rig }): Generator<Call> {
    const [clips, slots, times, weights] = [LISTS.clips, LISTS.slots, LISTS.times, LISTS.weights].map(
        ({ list }) => list,
    );
    const rig = create(PARTS) as unknown as Record<string, (...args: unknown[]) => Poses>;
    const palettes = guarded(`${name}, palettes`, times!.length * 4 * 16);
    const joints = guarded(`${name}, joints`, POSES * slots!.length * 12);
    const memory = guarded(`${name}, poses`, rig.createPoses!(POSES).data.length);
    const [poses, other] = [rig.createPoses!(POSES, { shared: memory }), rig.createPoses!(POSES)];
    const calls = {
        evaluate: [poses, clips, times],
        'evaluate, wrapped': [poses, clips, times, { loop: 'wrap' }],
        blend: [poses, poses, other, weights],
        joints: [poses, slots, joints],
        bakePalettes: [poses, clips, times, 0, palettes],
        createPoses: [1, { only: slots }],
    };
    for (const [method, args] of Object.entries(calls)) {
        const call = () => rig[method.split(',')[0]!]!(...args);
        yield { what: `${name} Rig.${method}`, call };
    }
}

test(
    'lists that another thread changes during the call: no crash, and nothing is read or written outside',
    async () => {
        const rigs = rigImplementations({ Rig, sourceOfParts, compiledRigs, typescriptRig });
        const calls = [...jointCalls(), ...rigs.flatMap((rig) => [...rigCalls(rig)])];
        expect(new Set(calls.map(({ what }) => what.slice(what.indexOf(' ')))).size).toBe(12);
        const stop = new SharedArrayBuffer(4);
        const worker = new Worker(FLIPPER, { eval: true, workerData: { lists: Object.values(LISTS), stop } });
        await new Promise((resolve, reject) => worker.once('online', resolve).once('error', reject));
        let done = 0;
        let refused = 0;
        const until = Date.now() + MILLISECONDS;
        try {
            do {
                for (const { fill } of guards) fill();
                for (const { what, call } of calls) {
                    try {
                        call();
                    } catch (error) {
                        if (!CODES.test((error as { code: string }).code)) throw new Error(what, { cause: error });
                        refused++;
                    }
                    done++;
                }
                checkGuards();
            } while (Date.now() < until);
        } finally {
            Atomics.store(new Int32Array(stop), 0, 1);
            await worker.terminate();
        }
        // Proves that the guards detect writes.
        guards[0]!.words[0] = 0;
        expect(checkGuards).toThrow(/written outside of the list/);
        // Some calls must pass the first check, and some must not.
        expect(refused).toBeGreaterThan(0);
        expect(refused).toBeLessThan(done);
    },
    MILLISECONDS + 60_000,
);
