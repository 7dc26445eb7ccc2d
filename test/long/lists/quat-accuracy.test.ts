// SPDX-License-Identifier: MIT

/**
 * The greatest errors of every implementation against double precision, on smaller sets than those of docs/accuracy.md,
 * which has the figures of millions of pairs. What goes through rsqrtps or rcpps differs between CPUs: for those the
 * bound is 1e-6, which every CPU keeps that meets the specified error of the two.
 */

import type { BlendQuats } from '../../../lib/lists';
import { type ImplementationOptions, implementation } from '../../../lib/lists';
import { describeImplementation, IMPLEMENTATIONS, type ImplementationName } from '../../support/implementations';
import { jointMats, random } from '../../support/joint-data';
import { rotationReference, transformReference, Worst } from '../../support/joint-reference';
import { once, onceFor } from '../../support/once';
import { drawnPairs } from '../../support/quat-data';
import { type Errors, errorsOf, nearRightAngle, type SetName, sample } from '../../support/quat-errors';

const SETS = ['a', 'b', 'c', 'd'] as const;
const WHAT: Record<SetName, string> = {
    a: 'random pairs',
    b: 'swept angles and times',
    c: 'tiny angles',
    d: 'lengths off by 1e-3',
};

/** At most; where `atLeast` is given, the routine would not be the published one if its error were smaller. */
interface Bounds {
    readonly max: Readonly<Record<SetName, number>>;
    readonly rotation?: number;
    readonly length?: number;
    readonly atLeast?: number;
}

/** Any routine that is not listed, so that a new implementation has to be at least this good. */
const USUAL: Bounds = { max: { a: 1e-6, b: 1e-6, c: 1e-6, d: 5e-4 } };
/** Through rsqrtps; without a case of its own for small angles. */
const BY_CPU: Bounds = { max: { a: 1e-6, b: 1e-6, c: 1e-6, d: 4e-3 }, rotation: 1e-6, length: 1.1e-6 };
const SLERP: Bounds = {
    max: { a: 2.64e-7, b: 3.1e-7, c: 3.28e-7, d: 4.99e-4 },
    rotation: 2.69e-7,
    length: 2.9e-7,
};
const TRANSFORMED: Bounds = {
    max: { a: 2.88e-7, b: 3.1e-7, c: 3.6e-7, d: 4.99e-4 },
    rotation: 2.69e-7,
    length: 2.97e-7,
};
const AS_PUBLISHED: Bounds = {
    max: { a: 3.5e-3, b: 3.5e-3, c: 3.5e-3, d: 4e-3 },
    rotation: 5.9e-5,
    length: 3.51e-3,
    atLeast: 1e-3,
};
const EXACT: Bounds = {
    max: { a: 4.1e-7, b: 4e-7, c: 4e-7, d: 4.99e-4 },
    rotation: 3.57e-7,
    length: 4.24e-7,
};
const LERP: Bounds = { max: { a: 1.6e-7, b: 1.6e-7, c: 1.6e-7, d: 1.6e-7 }, rotation: 2.6e-7, length: 1.6e-7 };

const BOUNDS: Partial<Record<ImplementationName, Partial<Record<string, Bounds>>>> = {
    'paper/sse': { slerpQuats: BY_CPU, lerp: BY_CPU, slerpJoints: BY_CPU, lerpJoints: BY_CPU },
    'paper/c': {
        slerpQuats: SLERP,
        slerpJoints: SLERP,
        slerp: SLERP,
        slerpTransformed: TRANSFORMED,
        slerpOptimized: AS_PUBLISHED,
        slerpOptimizedExact: EXACT,
        lerp: LERP,
        lerpJoints: LERP,
    },
    'paper/c-exact': { slerpQuats: EXACT },
    'intel/avx': { slerpQuats: BY_CPU },
    // The same algebra with exact square root and division.
    'intel/typescript': {
        slerpQuats: { max: { a: 3.8e-7, b: 3.1e-7, c: 3.4e-7, d: 3.88e-3 }, rotation: 3.16e-7, length: 4.06e-7 },
    },
    'paper/typescript': {
        slerpQuats: SLERP,
        slerpJoints: SLERP,
        slerp: SLERP,
        slerpTransformed: TRANSFORMED,
        slerpOptimized: AS_PUBLISHED,
        slerpOptimizedExact: EXACT,
        lerp: LERP,
        lerpJoints: { ...LERP, max: { a: 6e-8, b: 6e-8, c: 6e-8, d: 6e-8 } },
    },
};

/** Eberly's polynomial in float32: slerp's greatest error, and that of the rotation, for n = 1 … 16. */
const EBERLY = [
    [4.24e-2, 1.326e-2],
    [1.175e-2, 3.719e-3],
    [3.899e-3, 1.43e-3],
    [1.421e-3, 5.66e-4],
    [5.469e-4, 2.305e-4],
    [2.203e-4, 9.619e-5],
    [9.086e-5, 4.096e-5],
    [3.847e-5, 1.776e-5],
    [1.658e-5, 7.849e-6],
    [7.28e-6, 3.577e-6],
    [3.275e-6, 1.687e-6],
    [1.527e-6, 8.525e-7],
    [7.598e-7, 5.045e-7],
    [4.21e-7, 3.506e-7],
    [2.911e-7, 3.087e-7],
    [2.061e-7, 2.829e-7],
] as const;

/** The functions of one number or two: between the first and the second, where these differ from the others'. */
const FUNCTIONS: Partial<Record<ImplementationName, Partial<Record<string, readonly [number, number]>>>> = {
    // By rsqrtps and rcpps: what every CPU keeps that meets their specified error.
    'paper/sse': { reciprocalSqrt: [1e-7, 3.5e-7], atanPositive: [1.9e-7, 2.7e-7] },
};

/** With 8, 12 and 16 terms, on every set. */
const BY_TERMS: readonly (readonly [terms: number, bounds: Bounds])[] = [
    [8, { max: { a: 3.9e-5, b: 3.9e-5, c: 1.68e-7, d: 4.99e-4 }, rotation: 1.8e-5, atLeast: 3e-5 }],
    [12, { max: { a: 1.6e-6, b: 1.5e-6, c: 1.68e-7, d: 4.99e-4 }, rotation: 8.6e-7, atLeast: 1e-6 }],
    [16, { max: { a: 2.2e-7, b: 2.3e-7, c: 1.68e-7, d: 4.99e-4 }, rotation: 2.9e-7 }],
];

const BLENDS = {
    slerpQuats: 'slerp',
    slerp: 'slerp',
    slerpTransformed: 'slerp',
    slerpOptimized: 'slerp',
    slerpOptimizedExact: 'slerp',
    lerp: 'lerp',
    lerpQuats: 'lerp',
} as const;

function itKeeps(routine: string, blend: () => BlendQuats, kind: 'slerp' | 'lerp', bounds: Bounds): void {
    it.each(SETS)(`${routine} on (%s)`, (set) => {
        const errors = errorsOf(blend(), sample(set), kind);
        expect(errors.pairs).toBeGreaterThan(2000);
        const limits = set === 'd' ? { max: bounds.max.d } : { ...bounds, max: bounds.max[set] };
        for (const key of ['max', 'rotation', 'length'] as const) {
            const bound = limits[key];
            if (bound !== undefined) expectAtMost(errors, key, bound, `${routine}, ${WHAT[set]}`);
        }
        if (set === 'a' && bounds.atLeast !== undefined) expect(errors.max).toBeGreaterThan(bounds.atLeast);
    });
}

function expectAtMost(errors: Errors, key: 'max' | 'rotation' | 'length', bound: number, what: string): void {
    if (!(errors[key] <= bound)) throw new Error(`${what}: ${key} is off by ${errors[key]}, needs at most ${bound}`);
}

const asJoints = new WeakMap<Float32Array, Float32Array>();

/** JointQuats of some quaternions. */
function widened(quats: Float32Array): Float32Array {
    let joints = asJoints.get(quats);
    if (joints === undefined) {
        joints = new Float32Array(quats.length * 2);
        for (let i = 0; i < joints.length; i++) joints[i] = (i & 7) < 4 ? quats[(i >> 3) * 4 + (i & 3)]! : i;
        asJoints.set(quats, joints);
    }
    return joints;
}

/** Joint lists as plain lists: the quaternions of the pairs, with translations that are looked at elsewhere. */
function overJoints(blendJoints: (joints: Float32Array, blend: Float32Array, t: number) => void): BlendQuats {
    return (result, from, to, t) => {
        const joints = widened(from).slice();
        blendJoints(joints, widened(to), t);
        for (let i = 0; i < result.length; i++) result[i] = joints[(i >> 2) * 8 + (i & 3)]!;
    };
}

/** Points of the quarter plane, of any size. */
const quarterPlane = once(() => {
    const next = random(60);
    const y = new Float32Array(100_000);
    const x = new Float32Array(y.length);
    for (let i = 0; i < y.length; i++) {
        const angle = (Math.PI / 2) * next();
        const size = 10 ** (8 * next() - 4);
        y[i] = Math.sin(angle) * size;
        x[i] = Math.cos(angle) * size;
    }
    return { y, x };
});

/** Pairs of joints of any size, with one time for each list. */
const movements = once(() => {
    const next = random(70);
    return Array.from({ length: 199 }, (_, n) => {
        const t = next();
        const [joints, blend] = [0, 1].map(() => {
            const size = 10 ** (6 * next() - 3);
            return Float32Array.from({ length: (n + 1) * 8 }, () => (2 * next() - 1) * size);
        }) as [Float32Array, Float32Array];
        return { t, joints, blend };
    });
});

const CONVERTED = 20_000;

/** Quaternions as JointQuats without translation, and the 9 numbers that the formula gives for each. */
const rotations = once(() => {
    const { from } = drawnPairs(random(80), CONVERTED, () => 1);
    const right = new Float64Array(CONVERTED * 9);
    for (let i = 0; i < CONVERTED; i++) {
        const q = [...from.subarray(i * 4, i * 4 + 4)];
        // The reference normalises; the formula is not that of a rotation where the length is not 1.
        const square = q.reduce((sum, x) => sum + x * x, 0);
        for (const [k, r] of rotationReference(q, 'id').entries()) {
            right[i * 9 + k] = k % 4 === 0 ? 1 - (1 - r) * square : r * square;
        }
    }
    return { quats: jointQuatsOf(from), right };
});

/** JointQuats, and the matrices that the paper's formula makes of them. */
const thereAndBack = once(() => {
    const quats = jointQuatsOf(drawnPairs(random(90), CONVERTED, () => 1).from);
    const mats = new Float32Array(CONVERTED * 12);
    implementation('paper/typescript').convertJointQuatsToJointMats!(mats, quats);
    return { quats, mats };
});

function jointQuatsOf(quats: Float32Array): Float32Array {
    const joints = new Float32Array(quats.length * 2);
    for (let i = 0; i < quats.length; i++) joints[(i >> 2) * 8 + (i & 3)] = quats[i]!;
    return joints;
}

const CHAINS: readonly (readonly [joints: number, chains: number])[] = [
    [64, 40],
    [256, 20],
    [1024, 6],
];

/** By the number of joints: chains, and what transformSkeleton makes of them in double precision. */
const chainsOf = onceFor((joints: number) => {
    const next = random(joints);
    const parents = Int32Array.from({ length: joints }, (_, i) => i - 1);
    const [, count] = CHAINS.find(([of]) => of === joints)!;
    const chains = Array.from({ length: count }, () => {
        const mats = chain(next, joints);
        return { mats, right: transformReference(mats, parents, 1, joints - 1) };
    });
    return { parents, chains };
});

for (const { name } of IMPLEMENTATIONS) {
    describeImplementation(name, (kernels, routines) => {
        const isEberly = name.startsWith('eberly/');
        for (const [routine, kind] of Object.entries(BLENDS) as [keyof typeof BLENDS, 'slerp' | 'lerp'][]) {
            if (!routines.includes(routine) || isEberly) continue;
            itKeeps(routine, () => kernels[routine], kind, BOUNDS[name]?.[routine] ?? USUAL);
        }
        for (const [routine, kind] of [
            ['slerpJoints', 'slerp'],
            ['lerpJoints', 'lerp'],
        ] as const) {
            if (!routines.includes(routine)) continue;
            itKeeps(routine, () => overJoints(kernels[routine]), kind, BOUNDS[name]?.[routine] ?? USUAL);
        }

        if (isEberly) {
            const withTerms = (options: ImplementationOptions) => implementation(name, options).slerpQuats!;
            for (const [terms, bounds] of BY_TERMS) {
                itKeeps(`slerpQuats with ${terms} terms`, () => withTerms({ terms }), 'slerp', bounds);
            }
            it('slerpQuats has 8 terms where nothing is said', () => {
                const [usual, eight] = [kernels.slerpQuats, withTerms({ terms: 8 })].map((run) =>
                    errorsOf(run, sample('a').slice(0, 3)),
                );
                expect(usual).toEqual(eight);
            });
            it('slerpQuats with 1 … 16 terms has the errors of the polynomial, 4.5 to 35 times those of Table 1', () => {
                const lists = nearRightAngle();
                const wide = [...lists, ...sample('a')];
                EBERLY.forEach(([max, rotation], index) => {
                    const errors = errorsOf(withTerms({ terms: index + 1 }), wide);
                    // From 13 terms on rounding is what is measured, and the greatest of so few pairs says little.
                    const spare = index < 11 ? 1.01 : 1.1;
                    expectAtMost(errors, 'max', max * spare, `n = ${index + 1}`);
                    expectAtMost(errors, 'rotation', rotation * spare, `n = ${index + 1}`);
                    if (index < 11) expect(errors.max / max).toBeGreaterThan(0.93);
                });
            });
        }

        if (routines.includes('reciprocalSqrt')) {
            const [least, most] = FUNCTIONS[name]?.reciprocalSqrt ?? [1.74e-3, 1.7524e-3];
            it(`reciprocalSqrt is off by more than ${least} and less than ${most}, for every size of x`, () => {
                for (const exponent of [-126, -20, 0, 2, 60, 125]) {
                    const x = Float32Array.from({ length: 60_000 }, (_, i) => (1 + i / 20_000) * 2 ** exponent);
                    const result = new Float32Array(x.length);
                    kernels.reciprocalSqrt(result, x);
                    const worst = result.reduce((max, r, i) => Math.max(max, Math.abs(r * Math.sqrt(x[i]!) - 1)), 0);
                    expect(worst).toBeGreaterThan(least);
                    expect(worst).toBeLessThan(most);
                }
            });
        }
        if (routines.includes('sinZeroHalfPI')) {
            it('sinZeroHalfPI is within 1.66e-7 from 0 to π/2', () => {
                const a = Float32Array.from({ length: 100_000 }, (_, i) => ((Math.PI / 2) * i) / 99_999);
                const result = new Float32Array(a.length);
                kernels.sinZeroHalfPI(result, a);
                const worst = result.reduce((most, r, i) => Math.max(most, Math.abs(r - Math.sin(a[i]!))), 0);
                expect(worst).toBeGreaterThan(1e-7);
                expect(worst).toBeLessThan(1.66e-7);
            });
        }
        if (routines.includes('atanPositive')) {
            const [least, most] = FUNCTIONS[name]?.atanPositive ?? [1e-7, 1.9e-7];
            it(`atanPositive is off by more than ${least} and less than ${most} in the whole quarter plane`, () => {
                const { y, x } = quarterPlane();
                const result = new Float32Array(x.length);
                kernels.atanPositive(result, y, x);
                const worst = result.reduce((max, r, i) => Math.max(max, Math.abs(r - Math.atan2(y[i]!, x[i]!))), 0);
                expect(worst).toBeGreaterThan(least);
                expect(worst).toBeLessThan(most);
            });
        }

        if (routines.includes('slerpJoints')) {
            it.each(['slerpJoints', 'lerpJoints'] as const)(
                '%s moves translations to within 3e-7 of the greater of two components',
                (routine) => {
                    const worst = new Worst();
                    for (const { t: time, joints: before, blend } of movements()) {
                        const joints = before.slice();
                        kernels[routine](joints, blend, time);
                        const t = Math.fround(time);
                        let [most, at] = [0, 0];
                        for (let i = 4; i < joints.length; i += (i & 7) === 7 ? 5 : 1) {
                            const a = before[i]!;
                            const b = blend[i]!;
                            const right = a + (b - a) * t;
                            const off = Math.abs(joints[i]! - right) / Math.max(Math.abs(a), Math.abs(b));
                            if (!(off <= most)) [most, at] = [Number.isNaN(off) ? Infinity : off, i];
                        }
                        worst.add(most, () => `${before[at]} to ${blend[at]} at ${t}`);
                    }
                    worst.expectWithin(3e-7, routine);
                },
            );
        }

        if (routines.includes('convertJointQuatsToJointMats')) {
            // The blueprint takes the 1 last, so that it is added to a sum that was rounded.
            const [max, off1] = name.startsWith('blueprint/') ? [1.5e-7, 6e-7] : [1.05e-7, 4.9e-7];
            it(`convertJointQuatsToJointMats is within ${max} of its formula, and R Rᵀ within ${off1} of 1`, () => {
                const { quats, right } = rotations();
                const mats = new Float32Array(CONVERTED * 12);
                kernels.convertJointQuatsToJointMats(mats, quats);
                let [entry, orthonormal] = [0, 0];
                for (let i = 0; i < CONVERTED; i++) {
                    for (let k = 0; k < 9; k++) {
                        const off = Math.abs(mats[i * 12 + NINE[k]!]! - right[i * 9 + k]!);
                        if (!(off <= entry)) entry = Number.isNaN(off) ? Infinity : off;
                    }
                    orthonormal = Math.max(orthonormal, offOrthonormal(mats, i * 12));
                }
                expect(entry).toBeLessThan(max);
                expect(orthonormal).toBeLessThan(off1);
            });
        }

        if (routines.includes('convertJointMatsToJointQuats')) {
            const [max, rotation, length, atLeast] =
                name === 'paper/c' || name.startsWith('blueprint/')
                    ? [1.76e-3, 5e-7, 1.76e-3, 1.5e-3]
                    : name === 'paper/sse'
                      ? [1e-6, 1e-6, 1e-6, 0]
                      : [2.4e-7, 5e-7, 2.4e-7, 0];
            it(`there and back: a quaternion comes back from its matrix within ${max}`, () => {
                const { quats, mats } = thereAndBack();
                const back = new Float32Array(quats.length);
                kernels.convertJointMatsToJointQuats(back, mats);
                const worst = { max: 0, rotation: 0, length: 0 };
                const [q, b] = [new Float64Array(4), new Float64Array(4)];
                for (let o = 0; o < quats.length; o += 8) {
                    for (let k = 0; k < 4; k++) [q[k], b[k]] = [quats[o + k]!, back[o + k]!];
                    if (dot(q, b) < 0) for (let k = 0; k < 4; k++) b[k] = -b[k]!;
                    const [size, wanted] = [Math.sqrt(dot(b, b)), Math.sqrt(dot(q, q))];
                    let square = 0;
                    for (let k = 0; k < 4; k++) {
                        square += (b[k]! / size - q[k]! / wanted) ** 2;
                        worst.max = Math.max(worst.max, Math.abs(b[k]! - q[k]!));
                    }
                    worst.rotation = Math.max(worst.rotation, 4 * Math.asin(Math.sqrt(square) / 2));
                    worst.length = Math.max(worst.length, Math.abs(size / wanted - 1));
                }
                expect(worst.max).toBeLessThan(max);
                expect(worst.max).toBeGreaterThan(atLeast);
                expect(worst.rotation).toBeLessThan(rotation);
                expect(worst.length).toBeLessThan(length);
            });
        }

        if (routines.includes('transformSkeleton')) {
            it.each([
                [64, 9e-7, 3.5e-6, 7e-6],
                [256, 2e-6, 7e-6, 3e-5],
                [1024, 4e-6, 1.4e-5, 1.3e-4],
            ])('transformSkeleton drifts little along chains of %d joints', (joints, rotation, orthonormal, move) => {
                const { parents, chains } = chainsOf(joints);
                const worst = { rotation: 0, orthonormal: 0, translation: 0 };
                for (const { mats: before, right } of chains) {
                    const mats = before.slice();
                    kernels.transformSkeleton(mats, parents);
                    for (let i = 0; i < mats.length; i++) {
                        const key = i % 4 === 3 ? 'translation' : 'rotation';
                        worst[key] = Math.max(worst[key], Math.abs(mats[i]! - right[i]!));
                    }
                    for (let i = 0; i < joints; i++) {
                        worst.orthonormal = Math.max(worst.orthonormal, offOrthonormal(mats, i * 12));
                    }
                    if (joints !== 64) continue;
                    kernels.untransformSkeleton(mats, parents);
                    let off = 0;
                    for (let i = 0; i < mats.length; i++) off = Math.max(off, Math.abs(before[i]! - mats[i]!));
                    expect(off).toBeLessThan(4e-6);
                }
                expect(worst.rotation).toBeLessThan(rotation);
                expect(worst.orthonormal).toBeLessThan(orthonormal);
                expect(worst.translation).toBeLessThan(move);
            });
        }
    });
}

/** Where the entries of a JointMat's rotation are. */
const NINE = [0, 1, 2, 4, 5, 6, 8, 9, 10];

const dot = (a: Float64Array, b: Float64Array) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;

/** The greatest entry of R Rᵀ - I of the JointMat at `o`. */
function offOrthonormal(mats: Float32Array, o: number): number {
    let worst = 0;
    for (let a = o; a < o + 12; a += 4) {
        for (let b = a; b < o + 12; b += 4) {
            const product = mats[a]! * mats[b]! + mats[a + 1]! * mats[b + 1]! + mats[a + 2]! * mats[b + 2]!;
            worst = Math.max(worst, Math.abs(product - (a === b ? 1 : 0)));
        }
    }
    return worst;
}

/** JointMats of a chain of bones of length 1. */
function chain(next: () => number, joints: number): Float32Array {
    const mats = jointMats(next, joints);
    for (let i = 0; i < joints; i++) {
        const t = [next(), next(), next()].map((x) => 2 * x - 1);
        const length = Math.hypot(...t);
        [3, 7, 11].forEach((e, k) => {
            mats[i * 12 + e] = t[k]! / length;
        });
    }
    return mats;
}

describe('the polynomials of "Slerping Clock Cycles", section 5, in exact arithmetic', () => {
    const horner = (coefficients: readonly number[], s: number) => coefficients.reduce((sum, c) => sum * s + c, 0);
    const greatest = (error: (a: number) => number, end: number) =>
        Array.from({ length: 100_001 }, (_, i) => Math.abs(error((end * i) / 1e5))).reduce((a, b) => Math.max(a, b), 0);

    it.each([
        ['-1.666666664e-1: 2.33e-9, claimed 2.308e-9', -1.666666664e-1, 2.32e-9, 2.34e-9],
        ['-1.6666666664e-1, as printed: 3.26e-9', -1.6666666664e-1, 3.25e-9, 3.27e-9],
    ])('sine with c4 = %s', (_, c4, least, most) => {
        const sine = [-2.39e-8, 2.7526e-6, -1.98409e-4, 8.3333315e-3, c4, 1];
        const worst = greatest((a) => horner(sine, a * a) * a - Math.sin(a), Math.PI / 2);
        expect(worst).toBeGreaterThan(least);
        expect(worst).toBeLessThan(most);
        expect(Math.fround(c4)).toBe(Math.fround(-1 / 6));
    });

    it('arc tangent: 1.3592e-8, claimed 1.359e-8', () => {
        const atan = [
            0.0028662257, -0.0161657367, 0.0429096138, -0.07528964, 0.1065626393, -0.1420889944, 0.1999355085,
            -0.3333314528, 1,
        ];
        const worst = greatest((a) => horner(atan, a * a) * a - Math.atan(a), 1);
        expect(worst).toBeGreaterThan(1.358e-8);
        expect(worst).toBeLessThan(1.36e-8);
    });
});
