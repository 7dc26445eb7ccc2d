// SPDX-License-Identifier: MIT

/**
 * Ports against the assembled listings of the papers (test/oracle). `paper/sse` has their bits, whatever the input. So has
 * `paper/typescript` where only + - * are involved, and `paper/c` up to the sign of 0.
 */

import { implementation, type JointKernels } from '../../lib/lists';
import { ALIGNMENTS, expectSameBits, firstDifference, guardedFloats, guardedInts } from '../support/bytes';
import { describeImplementation, describeOracle, type Oracle } from '../support/implementations';
import {
    awkwardFloats,
    awkwardMats,
    awkwardPair,
    borderMats,
    distinctIndex,
    INNER_LERPS,
    jointMats,
    jointQuatPair,
    LERPS,
    random,
    repeatingIndex,
    TREE_SHAPES,
    tree,
} from '../support/joint-data';
import { distance, Worst } from '../support/joint-reference';

const SMALL = [...Array(71).keys()];
/** Beyond 1024 joints the addon hands the lists to the kernels in pieces, which must not show. */
const LARGE = [
    1024,
    ...Array.from({ length: 16 }, (_, i) => 1025 + i),
    ...Array.from({ length: 9 }, (_, i) => 2048 + i),
    3000,
];
const SEEDS = [1, 2, 3, 4, 5, 6];
const SPARE = 2;
const CONVENTIONS = ['id', 'gltf'] as const;

type Next = () => number;

const alignmentOf = (n: number) => ALIGNMENTS[n % 4]!;

/** Ordinary and awkward joints; a test takes some in a row, from any place. */
const POOL = 4096;
const quatPools = [jointQuatPair(random(1), POOL), awkwardPair(random(2), POOL)] as const;
const matPools = [
    jointMats(random(3), POOL),
    awkwardMats(random(4), POOL),
    awkwardFloats(random(5), POOL * 12, 0.3),
] as const;

function poses(next: Next, n: number, seed: number): { joints: Float32Array; blendJoints: Float32Array } {
    const first = Math.floor(next() * (POOL - n));
    const { joints, blendJoints } = quatPools[seed % 2]!;
    return {
        joints: joints.slice(first * 8, (first + n) * 8),
        blendJoints: blendJoints.slice(first * 8, (first + n) * 8),
    };
}

function matrices(next: Next, n: number, pool: number): Float32Array {
    const first = Math.floor(next() * (POOL - n));
    return matPools[pool]!.slice(first * 12, (first + n) * 12);
}

/** Blends the same poses by each of `lerps`; returns for how many of them the listing changed something. */
function blend(
    { sse, oracle }: { sse: JointKernels; oracle: Oracle },
    routine: 'slerpJoints' | 'lerpJoints',
    next: Next,
    n: number,
    seed: number,
    lerps: readonly number[],
): number {
    const total = n + SPARE;
    const { joints: before, blendJoints } = poses(next, total, seed);
    // null, each joint at most once, or the same joints again and again.
    const kind = seed % 3;
    const index =
        kind === 0
            ? Int32Array.from({ length: n }, (_, i) => i)
            : kind === 1
              ? distinctIndex(next, total, n)
              : repeatingIndex(next, 1 + Math.floor(next() * total), n);
    const how = ['no index', 'an index', 'an index with repetitions'][kind];
    const from = guardedFloats(blendJoints, alignmentOf(n + seed));
    const joints = guardedFloats(before, alignmentOf(n));
    // One element more than n: the addon cannot tell an empty list from a lost one (test/lists/edges.test.ts).
    const indices = kind === 0 ? null : guardedInts([...index, -1], alignmentOf(seed)).view;
    let changed = 0;
    for (const lerp of lerps) {
        const expected = before.slice();
        oracle[routine](expected, blendJoints, lerp, index, n);
        joints.view.set(before);
        sse[routine](joints.view, from.view, lerp, indices, n);
        joints.check();
        from.check();
        expectSameBits(joints.view, expected, 8, () => `${routine}, N = ${n}, lerp ${lerp}, seed ${seed}, ${how}`);
        if (firstDifference(before, expected) >= 0) changed++;
    }
    return changed;
}

describeImplementation('paper/sse', (sse) => {
    describeOracle('gives the bits of the assembled listings', (oracle) => {
        const both = { sse, oracle };

        for (const routine of ['slerpJoints', 'lerpJoints'] as const) {
            it(`${routine}: N = 0 … 70, every kind of lerp, quaternion and index`, () => {
                let changed = 0;
                for (const seed of SEEDS) {
                    const next = random(100 + seed);
                    for (const n of SMALL) {
                        changed += blend(both, routine, next, n, seed, LERPS);
                    }
                }
                // All but N = 0 and the factors at or below 0, which are four (-1, 0, -0, -Infinity).
                expect(changed).toBeGreaterThan(0.95 * SEEDS.length * 70 * (LERPS.length - 4));
            });

            it(`${routine}: N = 1024 … 1040, 2048 … 2056 and 3000`, () => {
                let changed = 0;
                for (const seed of SEEDS) {
                    const next = random(200 + seed);
                    for (const n of LARGE) {
                        const lerp = INNER_LERPS[(n + seed) % INNER_LERPS.length]!;
                        changed += blend(both, routine, next, n, seed, [lerp, 1]);
                    }
                }
                expect(changed).toBe(2 * SEEDS.length * LARGE.length);
            });

            it(`${routine}: joints that are their own blendJoints`, () => {
                const next = random(300);
                for (const n of [...SMALL.slice(1), ...LARGE]) {
                    const { joints } = poses(next, n, 1);
                    const expected = joints.slice();
                    const index = Int32Array.from({ length: n }, (_, i) => i);
                    const lerp = INNER_LERPS[n % INNER_LERPS.length]!;
                    oracle[routine](expected, expected, lerp, index, n);
                    sse[routine](joints, joints, lerp);
                    expectSameBits(joints, expected, 8, () => `${routine} in place, N = ${n}, lerp ${lerp}`);
                }
            });
        }

        it('convertJointMatsToJointQuats: N = 0 … 70, 1024 … 1040, 2048 … 2056 and 3000; in glTF of the transposes', () => {
            for (const seed of SEEDS) {
                const next = random(500 + seed);
                for (const n of [...SMALL, ...LARGE]) {
                    const mats = matrices(next, n + SPARE, seed % 2);
                    const { joints: before } = poses(next, n + SPARE, 0);
                    const expected = before.slice();
                    oracle.convertJointMatsToJointQuats(expected, mats, n);
                    if (n > 0) expect(firstDifference(before, expected)).toBeGreaterThanOrEqual(0);
                    for (const convention of ['id', 'gltf'] as const) {
                        const from = guardedFloats(mats, alignmentOf(n));
                        if (convention === 'gltf') transposeRotations(from.view);
                        const to = guardedFloats(before, alignmentOf(n + seed));
                        sse.convertJointMatsToJointQuats(to.view, from.view, { numJoints: n, convention });
                        to.check();
                        expectSameBits(
                            to.view,
                            expected,
                            8,
                            () => `convertJointMatsToJointQuats (${convention}), N = ${n}, seed ${seed}`,
                        );
                    }
                }
            }
        });

        it.each(['reciprocalSqrt', 'sinZeroHalfPI'] as const)(
            '%s: four numbers after four, of every kind',
            (routine) => {
                const x = numbers(901);
                const expected = new Float32Array(x.length);
                oracle[routine](expected, x);
                const result = guardedFloats(new Float32Array(x.length), 4);
                sse[routine](result.view, guardedFloats(x, 8).view);
                result.check();
                expectSameBits(result.view, expected, 1, () => routine);
            },
        );

        for (const [name, listing] of [
            ['paper/sse', 'atanPositive'],
            ['paper/sse-divps', 'atanPositiveDivps'],
        ] as const) {
            it(`atanPositive of ${name}: four numbers after four, of every kind`, () => {
                const { atanPositive } = implementation(name);
                const [y, x] = [numbers(902), numbers(903).reverse()];
                for (const [one, two] of [[y, x] as const, [x, y] as const, [x, x] as const]) {
                    const expected = new Float32Array(x.length);
                    oracle[listing](expected, one, two);
                    const result = guardedFloats(new Float32Array(x.length), 4);
                    atanPositive!(result.view, one, two);
                    result.check();
                    expectSameBits(result.view, expected, 1, () => listing);
                }
            });
        }
    });
});

for (const name of ['paper/sse', 'paper/typescript', 'paper/c'] as const) {
    describeImplementation(name, (kernels) => {
        /** In C a sum of zeros may have another sign. */
        const expectBits = (actual: Float32Array, expected: Float32Array, what: () => string) => {
            const [a, b] = [actual, expected].map((list) => (name === 'paper/c' ? list.map((x) => x + 0) : list));
            expectSameBits(a!, b!, 12, what);
        };

        describeOracle('where only + - * are involved', (oracle) => {
            for (const routine of ['transformSkeleton', 'untransformSkeleton'] as const) {
                it(`${routine}: N = 0 … 70, 1024 … 1040, 2048 … 2056 and 3000, all joints but the root, and any range`, () => {
                    for (const seed of SEEDS) {
                        const next = random(600 + seed);
                        let changed = 0;
                        for (const n of [...SMALL, ...LARGE]) {
                            const shape = TREE_SHAPES[n % TREE_SHAPES.length]!;
                            const parentList = tree(next, n, shape === 'several roots' ? 'one root' : shape);
                            const before = matrices(next, n, seed % 2);
                            const middle = 1 + Math.floor(next() * n);
                            const ranges = [
                                [1, n - 1],
                                [middle, n - 1],
                                [1, middle - 1],
                                [Math.ceil(middle / 2), middle - 1],
                            ] as const;
                            for (const [first, last] of ranges) {
                                const expected = before.slice();
                                oracle[routine](expected, parentList, first, last);
                                const mats = guardedFloats(before, alignmentOf(n));
                                const parents = guardedInts(parentList, alignmentOf(n + seed));
                                // The addon cannot tell an empty list from a lost one: test/lists/edges.test.ts.
                                if (n > 0) kernels[routine](mats.view, parents.view, first, last);
                                mats.check();
                                parents.check();
                                expectBits(
                                    mats.view,
                                    expected,
                                    () => `${routine}, N = ${n}, joints ${first} to ${last}, ${shape}, seed ${seed}`,
                                );
                                if (firstDifference(before, expected) >= 0) changed++;
                            }
                        }
                        expect(changed).toBeGreaterThan(2 * (SMALL.length + LARGE.length));
                    }
                });

                it(`${routine}: roots inside the range, as the listing on each piece between them`, () => {
                    const next = random(700);
                    let roots = 0;
                    for (const n of [...SMALL.slice(1), ...LARGE]) {
                        const parents = tree(next, n, 'several roots');
                        const before = matrices(next, n, n % 2);
                        const first = Math.floor((next() * n) / 4);
                        const last = n - 1 - Math.floor((next() * n) / 4);
                        const pieces: [first: number, last: number][] = [];
                        for (let i = first; i <= last; i++) {
                            if (parents[i] === -1) roots++;
                            else if (i > first && parents[i - 1] !== -1) pieces.at(-1)![1] = i;
                            else pieces.push([i, i]);
                        }
                        if (routine === 'untransformSkeleton') pieces.reverse();
                        const expected = before.slice();
                        for (const [from, to] of pieces) oracle[routine](expected, parents, from, to);
                        const mats = guardedFloats(before, alignmentOf(n));
                        kernels[routine](mats.view, parents, first, last);
                        mats.check();
                        expectBits(mats.view, expected, () => `${routine}, N = ${n}, joints ${first} to ${last}`);
                    }
                    expect(roots).toBeGreaterThan(1000);
                });
            }

            it('transformJoints: N = 0 … 70, 1024 … 1040, 2048 … 2056 and 3000, in place or not', () => {
                for (const seed of SEEDS) {
                    const next = random(800 + seed);
                    for (const n of [...SMALL, ...LARGE]) {
                        const joints1 = matrices(next, n + SPARE, seed % 2);
                        const joints2 = matrices(next, n + SPARE, seed % 3);
                        const before = matrices(next, n + SPARE, 0);
                        for (const place of ['separate', 'joints1', 'joints2', 'both'] as const) {
                            const operand1 = place === 'both' ? joints2 : joints1;
                            const start = place === 'separate' ? before : place === 'joints1' ? joints1 : joints2;
                            const expected = start.slice();
                            oracle.transformJoints(expected, operand1, joints2, n);
                            const result = guardedFloats(start, alignmentOf(n));
                            const a = place === 'joints1' || place === 'both' ? result.view : operand1;
                            const b = place === 'joints2' || place === 'both' ? result.view : joints2;
                            kernels.transformJoints(result.view, a, b, n);
                            result.check();
                            expectBits(
                                result.view,
                                expected,
                                () => `transformJoints (${place}), N = ${n}, seed ${seed}`,
                            );
                            if (n > 0) expect(firstDifference(start, expected)).toBeGreaterThanOrEqual(0);
                        }
                    }
                }
            });

            // The C of the text is another sum: test/lists/spec-rows.test.ts.
            if (name === 'paper/c') return;

            it('convertJointQuatsToJointMats: N = 0 … 70, 1024 … 1040, 2048 … 2056 and 3000; in glTF the transposes', () => {
                for (const seed of SEEDS) {
                    const next = random(400 + seed);
                    for (const n of [...SMALL, ...LARGE]) {
                        const { joints: quats } = poses(next, n + SPARE, seed);
                        const before = matrices(next, n + SPARE, 0);
                        const expected = before.slice();
                        oracle.convertJointQuatsToJointMats(expected, quats, n);
                        if (n > 0) expect(firstDifference(before, expected)).toBeGreaterThanOrEqual(0);
                        const from = guardedFloats(quats, alignmentOf(n));
                        for (const convention of ['id', 'gltf'] as const) {
                            const to = guardedFloats(before, alignmentOf(n + seed));
                            kernels.convertJointQuatsToJointMats(to.view, from.view, { numJoints: n, convention });
                            to.check();
                            if (convention === 'gltf') transposeRotations(to.view.subarray(0, n * 12));
                            expectBits(
                                to.view,
                                expected,
                                () => `convertJointQuatsToJointMats (${convention}), N = ${n}, seed ${seed}`,
                            );
                        }
                    }
                }
            });
        });
    });
}

describeImplementation('paper/typescript', (typescript) => {
    describeOracle('convertJointMatsToJointQuats', (oracle) => {
        it.each(CONVENTIONS)(
            'is within 1.5e-6 of the listing (%s), the sign at a tie of two cases included',
            (convention) => {
                const worst = new Worst();
                for (const mats of [jointMats(random(850), POOL), borderMats(random(900), POOL)]) {
                    const [actual, expected] = [new Float32Array(POOL * 8), new Float32Array(POOL * 8)];
                    oracle.convertJointMatsToJointQuats(expected, mats, POOL);
                    if (convention === 'gltf') transposeRotations(mats);
                    typescript.convertJointMatsToJointQuats(actual, mats, { convention });
                    for (let o = 0; o < actual.length; o += 8) {
                        const [a, b] = [actual, expected].map((list) => list.subarray(o, o + 4));
                        worst.add(distance(a!, b!), () => `${mats.slice(o * 1.5, o * 1.5 + 12)}: ${a}, expected ${b}`);
                        expectSameBits(
                            actual.subarray(o + 4, o + 8),
                            expected.subarray(o + 4, o + 8),
                            4,
                            () => 'translation',
                        );
                    }
                }
                worst.expectWithin(1.5e-6, 'convertJointMatsToJointQuats');
            },
        );
    });
});

/** Numbers of every exponent and both signs, zeros, infinities and NaN. */
function numbers(seed: number): Float32Array {
    const next = random(seed);
    const ordinary = Float32Array.from(
        { length: 2048 },
        (_, i) => (i % 5 === 0 ? -1 : 1) * (1 + next()) * 2 ** ((i % 278) - 150),
    );
    return Float32Array.from([...ordinary, ...awkwardFloats(next, 2048, 0.5)]);
}

function transposeRotations(mats: Float32Array): void {
    for (let o = 0; o < mats.length; o += 12) {
        for (const [a, b] of [
            [1, 4],
            [2, 8],
            [6, 9],
        ] as const) {
            const x = mats[o + a]!;
            mats[o + a] = mats[o + b]!;
            mats[o + b] = x;
        }
    }
}
