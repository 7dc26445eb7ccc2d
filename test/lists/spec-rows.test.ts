// SPDX-License-Identifier: MIT

/**
 * Every routine of the five documents matches its document, edge cases included. The formulas are written again in float32.
 * Two families use rsqrtps, which has no formula. Only their intended differences are tested here;
 * test/lists/listings.test.ts compares them with the assembled listings.
 */

import type { BlendQuats } from '../../lib/lists';
import { implementation, type JointKernels } from '../../lib/lists';
import { expectSameBits, firstDifference } from '../support/bytes';
import { describeImplementation, type ImplementationName } from '../support/implementations';
import { jointQuatPair, jointQuats, random } from '../support/joint-data';
import { drawnPairs, ordinaryPairs, TIMES } from '../support/quat-data';
import {
    ARC_TANGENT,
    add,
    DOTS,
    div,
    type Four,
    horner,
    MU,
    mixed,
    mul,
    quatAt,
    SINE,
    sub,
} from '../support/quat-float32';

const f = Math.fround;
const HALF_PI = f(Math.PI / 2);

/** A row of a document: the implementations that have its routine, in C++ and in TypeScript. */
function describeRow(
    title: string,
    names: readonly ImplementationName[],
    fn: (kernels: Kernels, name: ImplementationName) => void,
): void {
    describe(title, () => {
        for (const name of names) describeImplementation(name, (kernels) => fn(kernels, name));
    });
}

type Kernels = Required<ReturnType<typeof implementation>> & JointKernels;

/** One pair through a routine on lists. */
function one(blend: BlendQuats, from: Four, to: Four, t: number): number[] {
    const result = new Float32Array(4);
    blend(result, Float32Array.from(from), Float32Array.from(to), t);
    return [...result];
}

const IDENTITY: Four = [0, 0, 0, 1];
/** At a right angle to it, with a dot product of -0. */
const ACROSS: Four = [-1, -0, -0, -0];
const H = f(Math.SQRT1_2);

/** Whether the sign of a cosine of -0 turns the second quaternion round. */
function itTreatsMinusZero(blend: () => BlendQuats, flips: boolean): void {
    it(`a dot product of -0 ${flips ? 'turns `to` round: its sign bit decides' : 'turns nothing round'}`, () => {
        expect(Object.is(DOTS.inOrder(IDENTITY, ACROSS), -0)).toBe(true);
        const [x, y, z, w] = one(blend(), IDENTITY, ACROSS, 0.5);
        // As published, SlerpOptimized has an error of 1.2e-3 here.
        expect(x).toBeCloseTo(flips ? H : -H, 2);
        expect([y, z].map(Math.abs)).toEqual([0, 0]);
        expect(w).toBeCloseTo(H, 2);
    });
}

function itExtrapolates(blend: () => BlendQuats, digits: number): void {
    it('goes on outside of 0 … 1, and a NaN gives NaN', () => {
        const turned: Four = [f(Math.sin(0.3)), 0, 0, f(Math.cos(0.3))];
        for (const t of [-0.5, 1.5]) {
            const [x, , , w] = one(blend(), IDENTITY, turned, t);
            expect(x).toBeCloseTo(Math.sin(0.3 * t), digits);
            expect(w).toBeCloseTo(Math.cos(0.3 * t), digits);
        }
        expect(one(blend(), IDENTITY, turned, Number.NaN)).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    });
}

/** Every pair of a list through a formula. */
function itFollows(
    what: string,
    blend: () => BlendQuats,
    formula: (from: Four, to: Four, t: number) => number[],
    tolerance = 0,
    ends: readonly number[] = [0, 1],
): void {
    it(what, () => {
        const { from, to } = ordinaryPairs(random(1), 400);
        for (const t of [0.3, 0.5, 1e-7, 0.875, ...ends]) {
            const result = new Float32Array(from.length);
            blend()(result, from, to, t);
            const right = Float32Array.from({ length: from.length }, (_, k) => {
                return formula(quatAt(from, k >> 2), quatAt(to, k >> 2), f(t))[k & 3]!;
            });
            if (tolerance === 0) expectSameBits(result, right, 4, () => `${what}, t = ${t}`);
            else {
                for (const [i, x] of result.entries()) {
                    if (goEitherWay(quatAt(from, i >> 2), quatAt(to, i >> 2))) continue;
                    expectNear(x, right[i]!, tolerance, `${what}, t = ${t}, pair ${i >> 2}`);
                }
            }
        }
    });
}

/** Pairs a right angle apart: rounding decides which way round they go, and differs where formulas do. */
const goEitherWay = (from: Four, to: Four) => Math.abs(DOTS.inOrder(from, to)) < 1e-6;

function expectNear(actual: number, expected: number, tolerance: number, what: string): void {
    if (!(Math.abs(actual - expected) <= tolerance)) throw new Error(`${what}: ${actual}, expected ${expected}`);
}

/** Quaternions of `from` and `to`, unless these go either way. */
function expectNearAll(
    actual: Float32Array,
    expected: Float32Array,
    tolerance: number,
    from: Float32Array,
    to: Float32Array,
): void {
    if (goEitherWay(quatAt(from, 0), quatAt(to, 0))) return;
    for (const [k, x] of actual.entries()) expectNear(x, expected[k]!, tolerance, `float ${k}`);
}

/** The last lines of every routine: the weights mixed, `to` turned round unless the cosine is >= 0. */
function blended(weights: (absCosom: number, t: number) => readonly [from: number, to: number]) {
    return (from: Four, to: Four, t: number): number[] => {
        const cosom = DOTS.inOrder(from, to);
        const [scale0, scale1] = weights(Math.abs(cosom), t);
        return mixed(scale0, from, cosom >= 0 ? scale1 : -scale1, to);
    };
}

/** 1 - |cos| of at most 1e-6: a plain linear interpolation. */
const isNearlyParallel = (absCosom: number) => !(sub(1, absCosom) > f(1e-6));

const IN_C_AND_TYPESCRIPT = ['paper/c', 'paper/typescript'] as const;

describe('"Slerping Clock Cycles" (2005)', () => {
    describeRow('section 3: Slerp', IN_C_AND_TYPESCRIPT, (kernels) => {
        const formula = blended((a, t) => {
            if (isNearlyParallel(a)) return [sub(1, t), t];
            const omega = f(Math.acos(a));
            const sinom = f(1 / Math.sin(omega));
            return [f(Math.sin(mul(sub(1, t), omega)) * sinom), f(Math.sin(mul(t, omega)) * sinom)];
        });
        // The C library's sine need not be JavaScript's.
        itFollows('by arc cosine and sine in double precision', () => kernels.slerp, formula, 1.2e-7);
        it('nearly parallel quaternions are mixed linearly, and not renormalized', () => {
            const from: Four = [0, 0, 0, 1];
            const to: Four = [f(1e-3), 0, 0, 1];
            expect(isNearlyParallel(DOTS.inOrder(from, to))).toBe(true);
            expect(one(kernels.slerp, from, to, 0.25)).toEqual(mixed(0.75, from, 0.25, to));
            expect(one(kernels.slerp, [0, 0, 0, 2], [0, 0, 0, 0.5], 0.5)).toEqual([0, 0, 0, 1.25]);
        });
        itTreatsMinusZero(() => kernels.slerp, false);
        itExtrapolates(() => kernels.slerp, 6);
        it('is what slerpQuats does', () => {
            const { from, to } = ordinaryPairs(random(2), 100);
            const [plain, list] = [new Float32Array(from.length), new Float32Array(from.length)];
            kernels.slerp(plain, from, to, 0.3);
            kernels.slerpQuats(list, from, to, 0.3);
            expectSameBits(list, plain, 4, () => 'slerpQuats');
        });
    });

    describeRow('section 4: Lerp', IN_C_AND_TYPESCRIPT, (kernels, name) => {
        const formula = (from: Four, to: Four, t: number) => {
            const v = blended((_, s) => [sub(1, s), s])(from, to, t) as [number, number, number, number];
            const s = f(1 / Math.sqrt(DOTS.inOrder(v, v)));
            return v.map((x) => mul(x, s));
        };
        const inSse = name === 'paper/sse';
        if (inSse) {
            // Copies at the ends.
            itFollows('renormalizes the weighted sum, z line included', () => kernels.lerp, formula, 1e-6, []);
        } else {
            itFollows('renormalizes the weighted sum, z line included', () => kernels.lerp, formula);
        }
        it('gives a unit quaternion from any lengths', () => {
            const { from, to } = drawnPairs(
                random(3),
                200,
                () => 1,
                () => 3,
            );
            const result = new Float32Array(from.length);
            kernels.lerp(result, from, to, 0.6);
            for (let i = 0; i < 200; i++) expect(Math.hypot(...quatAt(result, i))).toBeCloseTo(1, 6);
        });
        itTreatsMinusZero(() => kernels.lerp, inSse);
    });

    describeRow('section 5: SlerpTransformed', IN_C_AND_TYPESCRIPT, (kernels) => {
        const formula = blended((a, t) => {
            if (isNearlyParallel(a)) return [sub(1, t), t];
            const sinSqr = sub(1, mul(a, a));
            const sinom = f(1 / Math.sqrt(sinSqr));
            const omega = f(Math.atan2(mul(sinSqr, sinom), a));
            return [f(Math.sin(mul(sub(1, t), omega)) * sinom), f(Math.sin(mul(t, omega)) * sinom)];
        });
        itFollows('by square root and arc tangent', () => kernels.slerpTransformed, formula, 1.2e-7);
        itTreatsMinusZero(() => kernels.slerpTransformed, false);
        itExtrapolates(() => kernels.slerpTransformed, 6);
    });

    describeRow('section 5: ReciprocalSqrt', IN_C_AND_TYPESCRIPT, (kernels) => {
        it('is one Newton step from 0x5f3759df - (bits >> 1), in 32 bits', () => {
            const view = new DataView(new ArrayBuffer(4));
            const x = Float32Array.from({ length: 2000 }, (_, i) => 10 ** ((i - 1000) / 30));
            const right = x.map((value) => {
                view.setFloat32(0, value);
                view.setUint32(0, 0x5f3759df - (view.getUint32(0) >>> 1));
                const r = view.getFloat32(0);
                return mul(r, sub(1.5, mul(mul(r, r), mul(value, 0.5))));
            });
            const result = new Float32Array(x.length);
            kernels.reciprocalSqrt(result, x);
            expectSameBits(result, right, 1, () => 'reciprocalSqrt');
        });
        it('is positive, where a long of 64 bits made -1.9966 of the root of 4', () => {
            const result = new Float32Array(1);
            kernels.reciprocalSqrt(result, Float32Array.of(0.25));
            expect(result[0]).toBeCloseTo(1.9966, 4);
        });
    });

    describeRow('section 5: SinZeroHalfPI', IN_C_AND_TYPESCRIPT, (kernels) => {
        it('is the polynomial of Abramowitz and Stegun 4.3.97', () => {
            const a = Float32Array.from({ length: 2000 }, (_, i) => (HALF_PI * i) / 1999);
            const result = new Float32Array(a.length);
            kernels.sinZeroHalfPI(result, a);
            const right = a.map((x) => mul(horner(SINE, mul(x, x)), x));
            expectSameBits(result, right, 1, () => 'sinZeroHalfPI');
            expect(result[1999]).toBeCloseTo(1, 6);
        });
    });

    const atan = (y: number, x: number) => {
        const [a, d] = y > x ? [div(-x, y), HALF_PI] : [div(y, x), 0];
        return add(mul(horner(ARC_TANGENT, mul(a, a)), a), d);
    };

    describeRow('section 5: ATanPositive', IN_C_AND_TYPESCRIPT, (kernels) => {
        it('is the polynomial of Abramowitz and Stegun 4.4.49, of the lesser by the greater', () => {
            const next = random(4);
            const [y, x] = [0, 1].map(() => Float32Array.from({ length: 2000 }, () => 10 ** (4 * next() - 2)));
            const result = new Float32Array(2000);
            kernels.atanPositive(result, y!, x!);
            expectSameBits(
                result,
                y!.map((value, i) => atan(value, x![i]!)),
                1,
                () => 'atanPositive',
            );
        });
        it('is 0, π/4 and π/2 on the axes and between them, and NaN where both are 0', () => {
            const result = new Float32Array(4);
            kernels.atanPositive(result, Float32Array.of(0, 1, 1, 0), Float32Array.of(1, 1, 0, 0));
            expect(result[0]).toBe(0);
            expect(result[1]).toBeCloseTo(Math.PI / 4, 6);
            expect(result[2]).toBe(HALF_PI);
            expect(result[3]).toBeNaN();
        });
    });

    const ofNumbers = (run: (result: Float32Array) => void, count: number) => {
        const result = new Float32Array(count);
        run(result);
        return result;
    };

    describeRow('section 6: four sines', ['paper/sse', 'paper/typescript'], (kernels) => {
        it("has the bits of section 5's, wherever in a list", () => {
            const a = Float32Array.from({ length: 1027 }, (_, i) => (HALF_PI * i) / 1026);
            const right = a.map((x) => mul(horner(SINE, mul(x, x)), x));
            for (const count of [1, 2, 3, 4, 5, 1027]) {
                const result = ofNumbers((to) => kernels.sinZeroHalfPI(to, a.slice(-count)), count);
                expectSameBits(result, right.slice(-count), 1, () => `the last ${count}`);
            }
        });
    });

    describeImplementation('paper/sse', (kernels) => {
        describe('section 6: reciprocal square root and arc tangent by rcpps', () => {
            const x = Float32Array.from({ length: 1027 }, (_, i) => 10 ** ((i - 500) / 30));
            const y = x.slice().reverse();

            it('the place of a number in a list does not change its result', () => {
                const roots = ofNumbers((to) => kernels.reciprocalSqrt(to, x), x.length);
                const angles = ofNumbers((to) => kernels.atanPositive(to, y, x), x.length);
                for (const first of [1, 2, 3, 1023, 1024, 1025, 1026]) {
                    const [ys, xs] = [y.slice(first), x.slice(first)];
                    const again = ofNumbers((to) => kernels.reciprocalSqrt(to, xs), xs.length);
                    expectSameBits(again, roots.slice(first), 1, () => `roots from ${first}`);
                    const angle = ofNumbers((to) => kernels.atanPositive(to, ys, xs), xs.length);
                    expectSameBits(angle, angles.slice(first), 1, () => `angles from ${first}`);
                }
            });
            it('the result may be an operand', () => {
                const right = ofNumbers((to) => kernels.atanPositive(to, y, x), x.length);
                const [asY, asX] = [y.slice(), x.slice()];
                kernels.atanPositive(asY, asY, x);
                kernels.atanPositive(asX, y, asX);
                expectSameBits(asY, right, 1, () => 'y');
                expectSameBits(asX, right, 1, () => 'x');
            });
            it('is NaN at 0 and at infinity, where the C is not: 0 times infinity', () => {
                const edges = Float32Array.of(0, Number.POSITIVE_INFINITY);
                expect([...ofNumbers((to) => kernels.reciprocalSqrt(to, edges), 2)]).toEqual([Number.NaN, Number.NaN]);
                const ones = Float32Array.of(0, 1);
                expect([...ofNumbers((to) => kernels.atanPositive(to, edges, ones), 2)]).toEqual([
                    Number.NaN,
                    Number.NaN,
                ]);
            });
        });
    });

    describeImplementation('paper/sse-divps', (kernels) => {
        it('section 6: the arc tangent by divps is that of section 5, but where y is x', () => {
            const next = random(4);
            const [y, x] = [0, 1].map(() => Float32Array.from({ length: 2001 }, () => 10 ** (4 * next() - 2)));
            const right = y!.map((value, i) => atan(value, x![i]!));
            expectSameBits(
                ofNumbers((to) => kernels.atanPositive(to, y!, x!), 2001),
                right,
                1,
                () => 'atanPositive',
            );
            const [equal] = ofNumbers((to) => kernels.atanPositive(to, Float32Array.of(3), Float32Array.of(3)), 1);
            expect(equal).toBe(sub(HALF_PI, atan(3, 3)));
            expect(equal).not.toBe(atan(3, 3));
        });
    });

    /** SlerpTransformed with the implementation's own functions, or another reciprocal square root. */
    const optimized = (kernels: Kernels, exact: boolean) => {
        const number = (run: (result: Float32Array) => void) => {
            const result = new Float32Array(1);
            run(result);
            return result[0]!;
        };
        const sine = (a: number) => number((result) => kernels.sinZeroHalfPI(result, Float32Array.of(a)));
        return blended((a, t) => {
            if (isNearlyParallel(a)) return [sub(1, t), t];
            const sinSqr = sub(1, mul(a, a));
            const sinom = exact
                ? div(1, f(Math.sqrt(sinSqr)))
                : number((result) => kernels.reciprocalSqrt(result, Float32Array.of(sinSqr)));
            const omega = number((result) =>
                kernels.atanPositive(result, Float32Array.of(mul(sinSqr, sinom)), Float32Array.of(a)),
            );
            return [mul(sine(mul(sub(1, t), omega)), sinom), mul(sine(mul(t, omega)), sinom)];
        });
    };

    describeRow('section 5: SlerpOptimized', IN_C_AND_TYPESCRIPT, (kernels) => {
        itFollows(
            'is SlerpTransformed with reciprocalSqrt, sinZeroHalfPI and atanPositive',
            () => kernels.slerpOptimized,
            optimized(kernels, false),
        );
        it('is too long or too short by up to 3.5e-3, as published', () => {
            const { from, to } = drawnPairs(random(5), 500, () => 1);
            const result = new Float32Array(from.length);
            kernels.slerpOptimized(result, from, to, 0.5);
            const lengths = Array.from({ length: 500 }, (_, i) => Math.hypot(...quatAt(result, i)));
            expect(Math.max(...lengths.map((length) => Math.abs(length - 1)))).toBeGreaterThan(1e-4);
        });
        itTreatsMinusZero(() => kernels.slerpOptimized, false);
        itExtrapolates(() => kernels.slerpOptimized, 2);
    });

    describeRow(
        'section 5: SlerpOptimized with an exact reciprocal square root',
        IN_C_AND_TYPESCRIPT,
        (kernels, name) => {
            itFollows(
                'is SlerpOptimized with 1 / √x, and nothing else changed',
                () => kernels.slerpOptimizedExact,
                optimized(kernels, true),
            );
            itTreatsMinusZero(() => kernels.slerpOptimizedExact, false);
            itExtrapolates(() => kernels.slerpOptimizedExact, 5);
            if (name !== 'paper/c') return;
            it('is the slerpQuats of paper/c-exact', () => {
                const { from, to } = ordinaryPairs(random(6), 100);
                const [exact, list] = [new Float32Array(from.length), new Float32Array(from.length)];
                kernels.slerpOptimizedExact(exact, from, to, 0.3);
                implementation('paper/c-exact').slerpQuats!(list, from, to, 0.3);
                expectSameBits(list, exact, 4, () => 'paper/c-exact');
            });
        },
    );

    describeRow('section 6: Vec4Lerp', IN_C_AND_TYPESCRIPT, (kernels, name) => {
        it('translations are from * (1 - t) + to * t, all four components', () => {
            for (const t of [0.3, 0.5, 0.875, 1 - 2 ** -24]) {
                const { joints, blendJoints } = jointQuatPair(random(7), 200);
                const before = joints.slice();
                kernels.slerpJoints(joints, blendJoints, t);
                const s = sub(1, f(t));
                for (let i = 4; i < joints.length; i += (i & 7) === 7 ? 5 : 1) {
                    const right = add(mul(before[i]!, s), mul(blendJoints[i]!, f(t)));
                    // TypeScript rounds once, at the end.
                    const tolerance =
                        name === 'paper/c' ? 0 : 1.2e-7 * Math.max(Math.abs(before[i]!), Math.abs(blendJoints[i]!));
                    expectNear(joints[i]!, right, tolerance, `t = ${t}, float ${i}`);
                }
            }
        });
    });

    describeRow('section 6: SlerpJoints', IN_C_AND_TYPESCRIPT, (kernels, name) => {
        it('slerps the joints that the index names, in place, and no others', () => {
            const { joints, blendJoints } = jointQuatPair(random(8), 9);
            const before = joints.slice();
            kernels.slerpJoints(joints, blendJoints, 0.3, Int32Array.of(6, 0, 3));
            for (let j = 0; j < 9; j++) {
                const [now, was, other] = [joints, before, blendJoints].map((list) => list.slice(j * 8, j * 8 + 4));
                if (![0, 3, 6].includes(j)) {
                    expectSameBits(now!, was!, 4, () => `joint ${j}`);
                    continue;
                }
                const right = new Float32Array(4);
                kernels.slerp(right, was!, other!, 0.3);
                expectNearAll(now!, right, name === 'paper/c' ? 0 : 3e-7, was!, other!);
            }
        });
    });

    describeRow('section 7: LerpJoints in C', IN_C_AND_TYPESCRIPT, (kernels, name) => {
        it('is SlerpJoints with the Lerp of section 4', () => {
            const { joints, blendJoints } = jointQuatPair(random(9), 40);
            const before = joints.slice();
            const slerped = joints.slice();
            kernels.lerpJoints(joints, blendJoints, 0.3);
            kernels.slerpJoints(slerped, blendJoints, 0.3);
            for (let j = 0; j < 40; j++) {
                const right = new Float32Array(4);
                const [was, other] = [before, blendJoints].map((list) => list.slice(j * 8, j * 8 + 4));
                kernels.lerp(right, was!, other!, 0.3);
                const now = joints.subarray(j * 8, j * 8 + 4);
                expectNearAll(now, right, name === 'paper/c' ? 0 : 2e-7, was!, other!);
                expect(joints.subarray(j * 8 + 4, j * 8 + 8)).toEqual(slerped.subarray(j * 8 + 4, j * 8 + 8));
            }
        });
    });

    /** The number of elements that the listings take in groups of four; a list of four has no group. */
    const inGroups = (count: number) => (count === 4 ? 0 : count - (count % 4));

    for (const [appendix, joints, quats] of [
        ['A: SlerpJoints', 'slerpJoints', 'slerpQuats'],
        ['B: LerpJoints', 'lerpJoints', 'lerpQuats'],
    ] as const) {
        describeRow(`appendix ${appendix}`, ['paper/sse', 'paper/typescript'], (kernels, name) => {
            if (name !== 'paper/sse') return;

            it('translations are t0 + (t1 - t0) * lerp', () => {
                const { joints: list, blendJoints } = jointQuatPair(random(12), 50);
                const before = list.slice();
                kernels[joints](list, blendJoints, 0.3);
                for (let i = 0; i < list.length; i++) {
                    if ((i & 7) < 4) continue;
                    const moved = mul(sub(blendJoints[i]!, before[i]!), f(0.3));
                    expect(list[i]).toBe(add(moved, before[i]!));
                }
            });
            it(`is also ${quats}, on plain quaternions: the same bits for every count`, () => {
                for (let n = 1; n <= 70; n++) {
                    const { joints: list, blendJoints } = jointQuatPair(random(13 + n), n);
                    const [from, to] = [list, blendJoints].map((all) =>
                        Float32Array.from({ length: n * 4 }, (_, k) => all[(k >> 2) * 8 + (k & 3)]!),
                    );
                    for (const t of TIMES) {
                        const result = new Float32Array(n * 4);
                        kernels[quats](result, from!, to!, t);
                        const blendedJoints = list.slice();
                        kernels[joints](blendedJoints, blendJoints, t);
                        const right = result.map((_, k) => blendedJoints[(k >> 2) * 8 + (k & 3)]!);
                        expectSameBits(result, right, 4, () => `${quats}, N = ${n}, t = ${t}`);
                    }
                }
            });
            it('rounds differently in groups of four and in the rest; a list of four has no group', () => {
                const { from, to } = drawnPairs(random(14), 70, () => 1);
                const alone = new Float32Array(from.length);
                for (let i = 0; i < 70; i++) {
                    const [a, b] = [from, to].map((list) => list.subarray(i * 4, i * 4 + 4));
                    kernels[quats](alone.subarray(i * 4, i * 4 + 4), a!, b!, 0.3);
                }
                let different = 0;
                for (let n = 1; n <= 70; n++) {
                    const result = new Float32Array(n * 4);
                    kernels[quats](result, from.subarray(0, n * 4), to.subarray(0, n * 4), 0.3);
                    const grouped = inGroups(n) * 4;
                    expectSameBits(result.subarray(grouped), alone.subarray(grouped, n * 4), 4, () => `rest of ${n}`);
                    for (const [k, x] of result.entries()) {
                        expectNear(x, alone[k]!, 1.5e-6, `pair ${k >> 2} of ${n}`);
                    }
                    if (firstDifference(result, alone.subarray(0, n * 4)) >= 0) different++;
                }
                if (quats === 'slerpQuats') expect(different).toBeGreaterThan(40);
            });
            itTreatsMinusZero(() => kernels[quats], true);
        });
    }
});

describe('"From Quaternion to Matrix and Back" (2005)', () => {
    const CONVERTERS = ['paper/sse', 'paper/c', 'paper/typescript', 'blueprint/c', 'blueprint/typescript'] as const;
    describeRow('section 3, appendix A: ConvertJointQuatsToJointMats', CONVERTERS, (kernels, name) => {
        const isBlueprint = name.startsWith('blueprint/');
        const order = isBlueprint ? 'the blueprint' : name === 'paper/c' ? 'the text' : 'the appendix';
        it(`gives the formula's bits in the order of ${order}`, () => {
            const quats = jointQuats(random(20), 300);
            const mats = new Float32Array(300 * 12);
            kernels.convertJointQuatsToJointMats(mats, quats);
            for (let i = 0; i < 300; i++) {
                const [x, y, z, w, tx, ty, tz] = quats.subarray(i * 8, i * 8 + 7) as unknown as number[];
                const [x2, y2, z2] = [add(x!, x!), add(y!, y!), add(z!, z!)];
                const [xx2, yy2, zz2] = [mul(x!, x2), mul(y!, y2), mul(z!, z2)];
                const [xy2, xz2, yz2] = [mul(x!, y2), mul(x!, z2), mul(y!, z2)];
                const [wx2, wy2, wz2] = [mul(w!, x2), mul(w!, y2), mul(w!, z2)];
                const diagonal = isBlueprint
                    ? [add(sub(-yy2, zz2), 1), add(sub(-xx2, zz2), 1), add(sub(-xx2, yy2), 1)]
                    : name === 'paper/c'
                      ? [sub(sub(1, yy2), zz2), sub(sub(1, xx2), zz2), sub(sub(1, xx2), yy2)]
                      : [sub(sub(1, zz2), yy2), sub(sub(1, zz2), xx2), sub(sub(1, xx2), yy2)];
                const right = [
                    ...[diagonal[0], add(xy2, wz2), sub(xz2, wy2), tx],
                    ...[sub(xy2, wz2), diagonal[1], add(yz2, wx2), ty],
                    ...[add(xz2, wy2), sub(yz2, wx2), diagonal[2], tz],
                ];
                // 0 is as good as -0.
                expect([...mats.subarray(i * 12, i * 12 + 12)].map((m) => m + 0)).toEqual(right.map((m) => m! + 0));
            }
        });
        it('a quarter turn about z takes x to -y: the transpose of the usual matrix', () => {
            const mats = new Float32Array(12);
            kernels.convertJointQuatsToJointMats(mats, Float32Array.of(0, 0, H, H, 1, 2, 3, 4));
            const near = [...mats].map((m) => Math.round(m * 1e6) / 1e6 + 0);
            expect(near).toEqual([0, 1, 0, 1, -1, 0, 0, 2, 0, 0, 1, 3]);
        });
    });

    describeRow(
        'section 4, appendix B: ConvertJointMatsToJointQuats',
        ['paper/sse', 'paper/c', 'paper/c-exact', 'paper/typescript', 'blueprint/c', 'blueprint/typescript'],
        (kernels, name) => {
            const convert = (m: readonly number[]) => {
                const [m00, m01, m02, m10, m11, m12, m20, m21, m22] = m as [number, ...number[]];
                const mats = Float32Array.of(m00, m01!, m02!, 5, m10!, m11!, m12!, 6, m20!, m21!, m22!, 7);
                const quats = new Float32Array(8).fill(9);
                kernels.convertJointMatsToJointQuats(quats, mats);
                return [...quats];
            };
            const isBlueprint = name.startsWith('blueprint/');
            const inC = name === 'paper/c' || name === 'paper/c-exact' || isBlueprint;
            const digits = name === 'paper/c' || isBlueprint ? 2 : 6;
            const near = (actual: readonly number[], expected: readonly number[]) =>
                expected.forEach((x, k) => {
                    expect(actual[k]).toBeCloseTo(x, digits);
                });

            it('has a case for each max component, and clears the fourth of the translation', () => {
                near(convert([1, 0, 0, 0, 1, 0, 0, 0, 1]), [0, 0, 0, 1, 5, 6, 7, 0]);
                near(convert([1, 0, 0, 0, -1, 0, 0, 0, -1]), [1, 0, 0, 0, 5, 6, 7, 0]);
                near(convert([-1, 0, 0, 0, 1, 0, 0, 0, -1]), [0, 1, 0, 0, 5, 6, 7, 0]);
                near(convert([-1, 0, 0, 0, -1, 0, 0, 0, 1]), [0, 0, 1, 0, 5, 6, 7, 0]);
            });
            it('inverts ConvertJointQuatsToJointMats', () => {
                near(convert([0, 1, 0, -1, 0, 0, 0, 0, 1]), [0, 0, H, H, 5, 6, 7, 0]);
            });
            it(`decides ties by ${inC ? '>, as the text does' : '>=, as the appendix does'}`, () => {
                // Half a turn about (1, -1, 0): m00 and m11 are equal.
                near(convert([0, -1, 0, -1, 0, 0, 0, 0, -1]), inC ? [-H, H, 0, 0] : [H, -H, 0, 0]);
                // A trace of 0.
                const q = [0.5, 0.5, 0.5, -0.5];
                near(convert([0, 0, 1, 1, 0, 0, 0, 1, 0]), inC ? q : q.map((x) => -x));
                near(convert([0, 0, 0, 0, 0, 0, 0, 0, 0]), inC ? [0, 0, 0.5, 0] : [0, 0, 0, 0.5]);
            });
        },
    );
});

/** The place of a pair and the length of the list do not change the bits of its result. */
function itIgnoresPlaces(slerpQuats: () => BlendQuats): void {
    it('gives a pair the same bits in every place of every list', () => {
        const { from, to } = ordinaryPairs(random(40), 70);
        const alone = new Float32Array(from.length);
        for (let i = 0; i < 70; i++) {
            const [a, b] = [from, to].map((all) => all.subarray(i * 4, i * 4 + 4));
            slerpQuats()(alone.subarray(i * 4, i * 4 + 4), a!, b!, 0.3);
        }
        for (let n = 1; n <= 70; n++) {
            for (const first of new Set([0, 70 - n])) {
                const [a, b] = [from, to].map((all) => all.subarray(first * 4, (first + n) * 4));
                const result = new Float32Array(n * 4);
                slerpQuats()(result, a!, b!, 0.3);
                const right = alone.subarray(first * 4, (first + n) * 4);
                expectSameBits(result, right, 4, () => `${n} pairs from pair ${first}`);
            }
        }
    });
}

describe('"Benefits of Intel AVX for Quaternion Spherical Linear Interpolation" (undated)', () => {
    describeRow('ProcessOptimizedKernel', ['intel/avx', 'intel/typescript'], (kernels, name) => {
        itIgnoresPlaces(() => kernels.slerpQuats);
        itTreatsMinusZero(() => kernels.slerpQuats, true);
        itExtrapolates(() => kernels.slerpQuats, 5);
        it('gives finite results where the sine is 0: equal and opposite quaternions', () => {
            for (const to of [IDENTITY, [0, 0, 0, -1] as const]) {
                const [x, y, z, w] = one(kernels.slerpQuats, IDENTITY, to, 0.25);
                expect([x, y, z].map(Math.abs)).toEqual([0, 0, 0]);
                expect(w).toBeCloseTo(1, 5);
            }
        });
        it('is fixed: pi is not 22/7, and the Newton step has an effect', () => {
            // At 45 degrees, where the printed routine jumps by up to 7.6e-4.
            const to: Four = [f(Math.sin(Math.PI / 4 + 1e-3)), 0, 0, f(Math.cos(Math.PI / 4 + 1e-3))];
            const [x, , , w] = one(kernels.slerpQuats, IDENTITY, to, 0.5);
            expect(Math.abs(x! - Math.sin(Math.PI / 8 + 5e-4))).toBeLessThan(1e-6);
            expect(Math.abs(w! - Math.cos(Math.PI / 8 + 5e-4))).toBeLessThan(1e-6);
        });
        if (name !== 'intel/typescript') return;
        itFollows(
            'adds the dot product up in halves, and has no case for small angles',
            () => kernels.slerpQuats,
            (from, to, t) => {
                const cosom = DOTS.halves(from, to);
                const a = Math.abs(cosom);
                const sinSqr = Math.abs(sub(1, mul(a, a))) || f(1e-10);
                const sinom = div(1, f(Math.sqrt(sinSqr)));
                const sine = mul(sinSqr, sinom);
                const [ratio, d] = a <= sine ? [-div(a, sine), HALF_PI] : [div(sine, a), 0];
                const omega = add(mul(horner(ARC_TANGENT, mul(ratio, ratio)), ratio), d);
                const w1 = mul(t, omega);
                const [s0, s1] = [sub(omega, w1), w1].map((w) => mul(mul(horner(SINE, mul(w, w)), w), sinom));
                const flips = cosom < 0 || Object.is(cosom, -0);
                return mixed(s0!, from, flips ? -s1! : s1!, to);
            },
        );
    });
});

describe('D. Eberly, "A Fast and Accurate Algorithm for Computing SLERP", JGT 15:3 (2011)', () => {
    describeRow('section 1: Slerp', ['eberly/fpu', 'eberly/typescript'], (kernels) => {
        it('is the slerp by arc cosine and sine', () => {
            const turned: Four = [f(Math.sin(0.8)), 0, 0, f(Math.cos(0.8))];
            const [x, , , w] = one(kernels.slerp, IDENTITY, turned, 0.25);
            expect(x).toBeCloseTo(Math.sin(0.2), 6);
            expect(w).toBeCloseTo(Math.cos(0.2), 6);
        });
        it('returns the first quaternion, whatever t, where rounding or length makes the dot product 1', () => {
            const [a, b]: [Four, Four] = [
                [0, 0, 0, f(1.0005)],
                [f(0.02), 0, 0, f(1.0003)],
            ];
            expect(DOTS.evenOdd(a, b)).toBeGreaterThanOrEqual(1);
            expect(one(kernels.slerp, a, b, 1)).toEqual([...a]);
            expect(one(kernels.slerp, a, b, 0.5)).toEqual([...a]);
        });
        itTreatsMinusZero(() => kernels.slerp, false);
        itIgnoresPlaces(() => kernels.slerp);
    });

    /** SlerpFPU with `terms` coefficients, rounded after every operation. */
    const polynomial = (terms: number) => (q0: Four, q1: Four, time: number) => {
        const factor = (i: number) => (i === terms - 1 ? 1 + MU[terms - 1]! : 1);
        const cosine = DOTS.evenOdd(q0, q1);
        const xm1 = sub(Math.abs(cosine), 1);
        const coefficient = (t: number) => {
            const square = mul(t, t);
            let nested = 1;
            for (let i = terms - 1; i >= 0; i--) {
                const u = f(factor(i) / ((i + 1) * (2 * i + 3)));
                const v = f((factor(i) * (i + 1)) / (2 * i + 3));
                nested = add(1, mul(mul(sub(mul(u, square), v), xm1), nested));
            }
            return mul(t, nested);
        };
        const f1 = coefficient(time);
        return mixed(coefficient(sub(1, time)), q0, cosine < 0 ? -f1 : f1, q1);
    };

    for (const [title, name, about] of [
        ['section 5.1: SlerpFPU', 'eberly/fpu', 'one float at a time'],
        ['section 5.2: SlerpSSE1', 'eberly/sse1', 'four coefficients at a time'],
        ['section 5.3, Table 2: SlerpSSE2', 'eberly/sse2', 'two times, or two pairs'],
        ['section 5.3, Table 2: SlerpSSE4', 'eberly/sse4', 'four times, or four pairs'],
    ] as const) {
        describeRow(title, [name, 'eberly/typescript'], (kernels, which) => {
            itFollows(`is the polynomial with 8 terms (${about})`, () => kernels.slerpQuats, polynomial(8));
            it('is the polynomial with 1 … 16 terms', () => {
                const { from, to } = ordinaryPairs(random(50), 45);
                for (let terms = 1; terms <= 16; terms++) {
                    const result = new Float32Array(from.length);
                    implementation(which, { terms }).slerpQuats!(result, from, to, 0.3);
                    const formula = polynomial(terms);
                    const right = result.map(
                        (_, k) => formula(quatAt(from, k >> 2), quatAt(to, k >> 2), f(0.3))[k & 3]!,
                    );
                    expectSameBits(result, right, 4, () => `${terms} terms`);
                }
            });
            it('has a form for one pair at several times', () => {
                const { from, to } = ordinaryPairs(random(51), 1);
                for (let n = 1; n <= 9; n++) {
                    const times = Float32Array.from({ length: n }, (_, i) => i / 8);
                    const result = new Float32Array(n * 4);
                    kernels.slerpQuatTimes(result, from, to, times);
                    const [a, b] = [quatAt(from, 0), quatAt(to, 0)];
                    const right = result.map((_, k) => polynomial(8)(a, b, times[k >> 2]!)[k & 3]!);
                    expectSameBits(result, right, 4, () => `${n} times`);
                }
            });
            itIgnoresPlaces(() => kernels.slerpQuats);
            itTreatsMinusZero(() => kernels.slerpQuats, false);
            itExtrapolates(() => kernels.slerpQuats, 5);
        });
    }
});
