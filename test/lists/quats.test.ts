// SPDX-License-Identifier: MIT

/** The routines on quaternion and float lists of every length: nothing outside touched, any alignment, in place or not. */

import type { Kernels, Routine } from '../../lib/lists';
import { ALIGNMENTS, expectSameBits, guardedFloats } from '../support/bytes';
import { describeImplementation, IMPLEMENTATIONS } from '../support/implementations';
import { ordinaryPairs, random } from '../support/quat-data';

const BLENDS = [
    'slerpQuats',
    'lerpQuats',
    'slerp',
    'slerpTransformed',
    'slerpOptimized',
    'slerpOptimizedExact',
    'lerp',
] as const;
const FUNCTIONS = ['reciprocalSqrt', 'sinZeroHalfPI', 'atanPositive'] as const;

/** Beyond 70 what a cache or a loop over pieces might do. */
const COUNTS = [...Array(71).keys(), 1024, 1029];
const SPARE = 3;
const T = [0.3, 0, 1, 0.875];

const alignmentOf = (n: number) => ALIGNMENTS[n % 4]!;

/** A function of one or two numbers, as one of any lists. */
function callOf(kernels: Kernels, routine: (typeof FUNCTIONS)[number]) {
    return (result: Float32Array, one: Float32Array, other: Float32Array) => {
        if (routine === 'atanPositive') kernels.atanPositive(result, one, other);
        else kernels[routine](result, one);
    };
}

const numbers = (seed: number, n: number) => {
    const next = random(seed);
    return Float32Array.from({ length: n }, () => 1.5 * next());
};

for (const { name } of IMPLEMENTATIONS) {
    describeImplementation(name, (kernels, all) => {
        const has = (routine: Routine) => (all as readonly Routine[]).includes(routine);

        if (has('slerpQuatsPerQuat')) {
            const timesOf = (seed: number, n: number) => numbers(seed, n).map((x, i) => [x, x / 1.5, 0, 1, 2][i % 5]!);

            it('slerpQuatsPerQuat: N = 0 … 70 and more, misaligned, between guards, in place or not, each at its own time', () => {
                for (const n of COUNTS) {
                    const { from, to } = ordinaryPairs(random(500 + n), n + SPARE);
                    const t = timesOf(n, n + SPARE);
                    const plain = new Float32Array(n * 4);
                    kernels.slerpQuatsPerQuat(plain, from.slice(0, n * 4), to.slice(0, n * 4), t.slice(0, n));
                    for (let i = 0; i < n; i++) {
                        const pair = (list: Float32Array) => list.slice(i * 4, i * 4 + 4);
                        const one = new Float32Array(4);
                        kernels.slerpQuatsPerQuat(one, pair(from), pair(to), t.slice(i, i + 1));
                        expectSameBits(one, pair(plain), 4, () => `N = ${n}, pair ${i} alone`);
                    }
                    const a = guardedFloats(from, alignmentOf(n));
                    const b = guardedFloats(to, alignmentOf(n + 1));
                    const times = guardedFloats(t, alignmentOf(n + 3));
                    const untouched = numbers(n, (n + SPARE) * 4);
                    const result = guardedFloats(untouched, alignmentOf(n + 2));
                    kernels.slerpQuatsPerQuat(result.view, a.view, b.view, times.view, n);
                    expectSameBits(result.view.subarray(0, n * 4), plain, 4, () => `N = ${n}`);
                    const behind = (list: Float32Array) => list.subarray(n * 4);
                    expectSameBits(behind(result.view), behind(untouched), 4, () => `behind N = ${n}`);
                    expectSameBits(a.view, from, 4, () => `from changed, N = ${n}`);
                    kernels.slerpQuatsPerQuat(a.view, a.view, b.view, times.view, n);
                    expectSameBits(a.view.subarray(0, n * 4), plain, 4, () => `result is from, N = ${n}`);
                    kernels.slerpQuatsPerQuat(b.view, from, b.view, times.view, n);
                    expectSameBits(b.view.subarray(0, n * 4), plain, 4, () => `result is to, N = ${n}`);
                    for (const list of [a, b, times, result]) list.check();
                    expectSameBits(times.view, t, 4, () => `t changed, N = ${n}`);
                }
            });
        }

        for (const routine of BLENDS.filter(has)) {
            it(`${routine}: N = 0 … 70 and more, misaligned, between guards, with a count and without`, () => {
                for (const n of COUNTS) {
                    const { from, to } = ordinaryPairs(random(n), n + SPARE);
                    const t = T[n % T.length]!;
                    const plain = new Float32Array(n * 4);
                    kernels[routine](plain, from.slice(0, n * 4), to.slice(0, n * 4), t);
                    if (n > 0) expect(plain.some((x) => x !== 0)).toBe(true);

                    const untouched = numbers(n, (n + SPARE) * 4);
                    const a = guardedFloats(from, alignmentOf(n));
                    const b = guardedFloats(to, alignmentOf(n + 1));
                    const result = guardedFloats(untouched, alignmentOf(n + 2));
                    kernels[routine](result.view, a.view, b.view, t, n);
                    for (const list of [a, b, result]) list.check();
                    expectSameBits(a.view, from, 4, () => `from changed, N = ${n}`);
                    expectSameBits(b.view, to, 4, () => `to changed, N = ${n}`);
                    expectSameBits(result.view.subarray(0, n * 4), plain, 4, () => `N = ${n}`);
                    const behind = (list: Float32Array) => list.subarray(n * 4);
                    expectSameBits(behind(result.view), behind(untouched), 4, () => `behind N = ${n}`);
                }
            });

            it(`${routine}: the result may be from, to or both`, () => {
                for (const n of COUNTS) {
                    const { from, to } = ordinaryPairs(random(100 + n), n);
                    const t = T[n % T.length]!;
                    const [apart, same] = [new Float32Array(n * 4), new Float32Array(n * 4)];
                    kernels[routine](apart, from, to, t);
                    kernels[routine](same, from, from, t);
                    const inFrom = guardedFloats(from, alignmentOf(n));
                    kernels[routine](inFrom.view, inFrom.view, to, t);
                    const inTo = guardedFloats(to, alignmentOf(n));
                    kernels[routine](inTo.view, from, inTo.view, t);
                    const inBoth = guardedFloats(from, alignmentOf(n + 1));
                    kernels[routine](inBoth.view, inBoth.view, inBoth.view, t);
                    // Another view of the same bytes is the same list.
                    const other = from.slice();
                    kernels[routine](other, new Float32Array(other.buffer), to, t);
                    for (const list of [inFrom, inTo, inBoth]) list.check();
                    expectSameBits(inFrom.view, apart, 4, () => `result is from, N = ${n}`);
                    expectSameBits(inTo.view, apart, 4, () => `result is to, N = ${n}`);
                    expectSameBits(inBoth.view, same, 4, () => `result is both, N = ${n}`);
                    expectSameBits(other, apart, 4, () => `result is a view of from, N = ${n}`);
                }
            });

            it(`${routine}: lists may overlap behind the pairs in use, and from may overlap to`, () => {
                const { from, to } = ordinaryPairs(random(200), 8);
                const right = new Float32Array(16);
                kernels[routine](right, from.slice(0, 16), to.slice(0, 16), 0.3);
                const memory = new Float32Array(16 + 16 + 16);
                memory.set(from.subarray(0, 16), 16);
                memory.set(to.subarray(0, 16), 32);
                kernels[routine](memory, memory.subarray(16), memory.subarray(32), 0.3, 4);
                expectSameBits(memory.subarray(0, 16), right, 4, () => routine);

                const shifted = new Float32Array(from);
                const separate = new Float32Array(24);
                const overlapping = new Float32Array(24);
                kernels[routine](separate, shifted.slice(0, 24), shifted.slice(4, 28), 0.3);
                kernels[routine](overlapping, shifted.subarray(0, 24), shifted.subarray(4, 28), 0.3);
                expectSameBits(overlapping, separate, 4, () => `${routine}, from and to one apart`);
            });

            it(`${routine}: t is rounded to float32 before anything else`, () => {
                const { from, to } = ordinaryPairs(random(300), 9);
                const [a, b] = [new Float32Array(36), new Float32Array(36)];
                kernels[routine](a, from, to, 0.1);
                kernels[routine](b, from, to, Math.fround(0.1));
                expectSameBits(a, b, 4, () => routine);
                // 1 - 1e-9 is nearest to 1, 1e-46 to 0, 1e300 to infinity.
                for (const [t, rounded] of [
                    [1 - 1e-9, 1],
                    [1e-46, 0],
                    [1e300, Infinity],
                ] as const) {
                    kernels[routine](a, from, to, t);
                    kernels[routine](b, from, to, rounded);
                    expectSameBits(a, b, 4, () => `${routine}, t = ${t}`);
                }
            });
        }

        if (has('slerpQuatTimes')) {
            it('slerpQuatTimes: N = 0 … 70 and more, misaligned, between guards', () => {
                for (const n of COUNTS) {
                    const { from, to } = ordinaryPairs(random(400 + n), 1);
                    const times = numbers(n, n).map((x) => x / 1.5);
                    const plain = new Float32Array(n * 4);
                    kernels.slerpQuatTimes(plain, from, to, times);
                    const a = guardedFloats(from, alignmentOf(n));
                    const b = guardedFloats(to, alignmentOf(n + 1));
                    const t = guardedFloats(times, alignmentOf(n + 2));
                    const result = guardedFloats(new Float32Array(n * 4), alignmentOf(n + 3));
                    kernels.slerpQuatTimes(result.view, a.view, b.view, t.view);
                    for (const list of [a, b, t, result]) list.check();
                    expectSameBits(result.view, plain, 4, () => `N = ${n}`);
                    expectSameBits(t.view, times, 4, () => `t changed, N = ${n}`);
                    expectSameBits(a.view, from, 4, () => `q0 changed, N = ${n}`);
                    expectSameBits(b.view, to, 4, () => `q1 changed, N = ${n}`);
                    if (n > 0) expect(plain.some((x) => x !== 0)).toBe(true);
                }
            });

            it('slerpQuatTimes: as many times as t really has, whatever its own property length says', () => {
                const { from, to } = ordinaryPairs(random(502), 1);
                const times = numbers(503, 9);
                const right = new Float32Array(36);
                kernels.slerpQuatTimes(right, from, to, times);
                for (const length of [0, 5, 1000]) {
                    const [t, result] = [times.slice(), new Float32Array(36)];
                    Object.defineProperty(t, 'length', { value: length });
                    kernels.slerpQuatTimes(result, from, to, t);
                    expectSameBits(result, right, 4, () => `length ${length}`);
                }
            });

            it('slerpQuatTimes: the pair may lie anywhere in the result, and be one quaternion', () => {
                const { from, to } = ordinaryPairs(random(500), 1);
                const times = numbers(501, 13);
                const right = new Float32Array(52);
                kernels.slerpQuatTimes(right, from, to, times);
                for (const [i0, i1] of [
                    [0, 4],
                    [48, 0],
                    [7, 21],
                    [1, 44],
                ] as const) {
                    const result = new Float32Array(52);
                    result.set(from, i0);
                    result.set(to, i1);
                    kernels.slerpQuatTimes(result, result.subarray(i0, i0 + 4), result.subarray(i1, i1 + 4), times);
                    expectSameBits(result, right, 4, () => `q0 at ${i0}, q1 at ${i1}`);
                }
                const apart = new Float32Array(52);
                kernels.slerpQuatTimes(apart, from, from, times);
                const inPlace = new Float32Array(52);
                inPlace.set(from);
                const q = inPlace.subarray(0, 4);
                kernels.slerpQuatTimes(inPlace, q, q, times);
                expectSameBits(inPlace, apart, 4, () => 'one quaternion');
            });
        }

        for (const routine of FUNCTIONS.filter(has)) {
            it(`${routine}: N = 0 … 70 and more, misaligned, between guards, in place or not`, () => {
                const call = callOf(kernels, routine);
                for (const n of COUNTS) {
                    const [one, other] = [numbers(600 + n, n), numbers(700 + n, n)];
                    const plain = new Float32Array(n);
                    call(plain, one, other);
                    const a = guardedFloats(one, alignmentOf(n));
                    const b = guardedFloats(other, alignmentOf(n + 1));
                    const result = guardedFloats(new Float32Array(n), alignmentOf(n + 2));
                    call(result.view, a.view, b.view);
                    for (const list of [a, b, result]) list.check();
                    expectSameBits(result.view, plain, 1, () => `N = ${n}`);
                    expectSameBits(a.view, one, 1, () => `operand changed, N = ${n}`);
                    expectSameBits(b.view, other, 1, () => `operand changed, N = ${n}`);

                    call(a.view, a.view, b.view);
                    a.check();
                    expectSameBits(a.view, plain, 1, () => `in place, N = ${n}`);
                    if (routine === 'atanPositive') {
                        call(b.view, one, b.view);
                        expectSameBits(b.view, plain, 1, () => `in place of x, N = ${n}`);
                    }
                }
            });
        }

        if (!has('slerpQuats')) return;
        it('slerpQuats: shared arrays and subclasses', () => {
            class Floats extends Float32Array {}
            const { from, to } = ordinaryPairs(random(800), 5);
            const right = new Float32Array(20);
            kernels.slerpQuats(right, from, to, 0.3);
            const kinds = [() => new Float32Array(new SharedArrayBuffer(80)), () => new Floats(20)];
            for (const kind of kinds) {
                const [result, a, b] = [kind(), kind(), kind()];
                a.set(from);
                b.set(to);
                kernels.slerpQuats(result, a, b, 0.3);
                expectSameBits(Float32Array.from(result), right, 4, () => kind.toString());
            }
        });
    });
}
