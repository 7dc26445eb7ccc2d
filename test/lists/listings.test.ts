// SPDX-License-Identifier: MIT

/**
 * Compares ports with the assembled listings of the papers (test/oracle). `paper/sse` has their bits for all input. Where
 * only + - * are involved, `paper/typescript` also has them, and `paper/c` up to the sign of 0.
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
import { distance } from '../support/joint-reference';

const SMALL = [...Array(71).keys()];
/** Beyond 1024 joints the addon passes the lists to the kernels in pieces, which must not change the results. */
const LARGE = [...Array.from({ length: 8 }, (_, i) => 1024 + i), 2047, 2048, 2049, 3000];
const COUNTS = [...SMALL, ...LARGE];
const SEEDS = [1, 2, 3, 4, 5, 6];
const SPARE = 2;
const CONVENTIONS = ['id', 'gltf'] as const;

type Next = () => number;
type Run = (list: Float32Array) => void;

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

/** Runs the listing and the port on copies of a list, the port's between guards. Returns whether the listing changed something. */
function compare(what: string, before: Float32Array, listing: Run, port: Run, sameZeros = true): boolean {
    const expected = before.slice();
    listing(expected);
    const { view, check } = guardedFloats(before, alignmentOf(before.length >> 3));
    port(view);
    check();
    const [a, b] = [view, expected].map((list) => (sameZeros ? list : list.map((x) => x + 0)));
    expectSameBits(a!, b!, 4, () => what);
    return firstDifference(before, expected) >= 0;
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
    const { joints, blendJoints } = poses(next, total, seed);
    // null, each joint at most once, or the same joints again and again.
    const kind = seed % 3;
    const index = [
        () => Int32Array.from({ length: n }, (_, i) => i),
        () => distinctIndex(next, total, n),
        () => repeatingIndex(next, 1 + Math.floor(next() * total), n),
    ][kind]!();
    const how = ['no index', 'an index', 'an index with repetitions'][kind];
    const from = guardedFloats(blendJoints, alignmentOf(n + seed));
    // One element more than n: to the addon, an empty list and a detached one are the same (test/lists/edges.test.ts).
    const indices = kind === 0 ? null : guardedInts([...index, -1], alignmentOf(seed)).view;
    const changed = lerps.filter((lerp) =>
        compare(
            `${routine}, N = ${n}, lerp ${lerp}, seed ${seed}, ${how}`,
            joints,
            (list) => oracle[routine](list, blendJoints, lerp, index, n),
            (list) => sse[routine](list, from.view, lerp, indices, n),
        ),
    );
    from.check();
    return changed.length;
}

describeImplementation('paper/sse', (sse) => {
    describeOracle('gives the bits of the assembled listings', (oracle) => {
        const both = { sse, oracle };

        for (const routine of ['slerpJoints', 'lerpJoints'] as const) {
            it(`${routine}: short lists, every kind of lerp, quaternion and index`, () => {
                let changed = 0;
                for (const seed of SEEDS) {
                    const next = random(100 + seed);
                    for (const n of SMALL) changed += blend(both, routine, next, n, seed, LERPS);
                }
                // All but N = 0 and the factors at or below 0, which are four (-1, 0, -0, -Infinity).
                expect(changed).toBeGreaterThan(0.95 * SEEDS.length * 70 * (LERPS.length - 4));
            });

            it(`${routine}: long lists`, () => {
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
                for (const n of COUNTS.slice(1)) {
                    const index = Int32Array.from({ length: n }, (_, i) => i);
                    const lerp = INNER_LERPS[n % INNER_LERPS.length]!;
                    compare(
                        `${routine} in place, N = ${n}, lerp ${lerp}`,
                        poses(next, n, 1).joints,
                        (list) => oracle[routine](list, list, lerp, index, n),
                        (list) => sse[routine](list, list, lerp),
                    );
                }
            });
        }

        it('convertJointMatsToJointQuats; in glTF of the transposes', () => {
            for (const seed of SEEDS) {
                const next = random(500 + seed);
                for (const n of COUNTS) {
                    const mats = matrices(next, n + SPARE, seed % 2);
                    const { joints } = poses(next, n + SPARE, 0);
                    for (const convention of CONVENTIONS) {
                        const from = guardedFloats(mats, alignmentOf(n)).view;
                        if (convention === 'gltf') transposeRotations(from);
                        const changed = compare(
                            `convertJointMatsToJointQuats (${convention}), N = ${n}, seed ${seed}`,
                            joints,
                            (list) => oracle.convertJointMatsToJointQuats(list, mats, n),
                            (list) => sse.convertJointMatsToJointQuats(list, from, { numJoints: n, convention }),
                        );
                        expect(changed).toBe(n > 0);
                    }
                }
            }
        });

        const [x, y] = [numbers(901), numbers(902)];
        const start = new Float32Array(x.length);

        it.each(['reciprocalSqrt', 'sinZeroHalfPI'] as const)('%s: four numbers after four, of every kind', (what) => {
            const port = (list: Float32Array) => sse[what](list, guardedFloats(x, 8).view);
            compare(what, start, (list) => oracle[what](list, x), port);
        });

        it('atanPositive, of paper/sse-divps too: four numbers after four, of every kind', () => {
            const divps = implementation('paper/sse-divps').atanPositive!;
            for (const [a, b] of [[y, x] as const, [x, y] as const, [x, x] as const]) {
                const [listing, other] = [oracle.atanPositive, oracle.atanPositiveDivps];
                compare(
                    'rcpps',
                    start,
                    (list) => listing(list, a, b),
                    (list) => sse.atanPositive(list, a, b),
                );
                compare(
                    'divps',
                    start,
                    (list) => other(list, a, b),
                    (list) => divps(list, a, b),
                );
            }
        });
    });
});

for (const name of ['paper/sse', 'paper/typescript', 'paper/c'] as const) {
    describeImplementation(name, (kernels) => {
        // In C a sum of zeros may have another sign.
        const sameZeros = name !== 'paper/c';

        describeOracle('where only + - * are involved', (oracle) => {
            for (const routine of ['transformSkeleton', 'untransformSkeleton'] as const) {
                it(`${routine}: all joints but the root, and any range`, () => {
                    for (const seed of SEEDS) {
                        const next = random(600 + seed);
                        let changed = 0;
                        for (const n of COUNTS) {
                            const shape = TREE_SHAPES[n % TREE_SHAPES.length]!;
                            const parentList = tree(next, n, shape === 'several roots' ? 'one root' : shape);
                            const before = matrices(next, n, seed % 2);
                            const middle = 1 + Math.floor(next() * n);
                            const parents = guardedInts(parentList, alignmentOf(n + seed));
                            for (const [first, last] of [
                                [1, n - 1],
                                [middle, n - 1],
                                [1, middle - 1],
                                [Math.ceil(middle / 2), middle - 1],
                            ] as const) {
                                const differs = compare(
                                    `${routine}, N = ${n}, joints ${first} to ${last}, ${shape}, seed ${seed}`,
                                    before,
                                    (list) => oracle[routine](list, parentList, first, last),
                                    // To the addon, an empty list and a detached one are the same: test/lists/edges.test.ts.
                                    (list) => n > 0 && kernels[routine](list, parents.view, first, last),
                                    sameZeros,
                                );
                                if (differs) changed++;
                            }
                            parents.check();
                        }
                        expect(changed).toBeGreaterThan(2 * COUNTS.length);
                    }
                });

                it(`${routine}: roots inside the range, as the listing on each piece between them`, () => {
                    const next = random(700);
                    let roots = 0;
                    for (const n of COUNTS.slice(1)) {
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
                        compare(
                            `${routine}, N = ${n}, joints ${first} to ${last}`,
                            before,
                            (list) => {
                                for (const [from, to] of pieces) oracle[routine](list, parents, from, to);
                            },
                            (list) => kernels[routine](list, parents, first, last),
                            sameZeros,
                        );
                    }
                    expect(roots).toBeGreaterThan(1000);
                });
            }

            it('transformJoints, in place or not', () => {
                for (const seed of SEEDS) {
                    const next = random(800 + seed);
                    for (const n of COUNTS) {
                        const joints1 = matrices(next, n + SPARE, seed % 2);
                        const joints2 = matrices(next, n + SPARE, seed % 3);
                        const before = matrices(next, n + SPARE, 0);
                        for (const place of ['separate', 'joints1', 'joints2', 'both'] as const) {
                            const operand1 = place === 'both' ? joints2 : joints1;
                            const start = { separate: before, joints1, joints2, both: joints2 }[place];
                            const changed = compare(
                                `transformJoints (${place}), N = ${n}, seed ${seed}`,
                                start,
                                (list) => oracle.transformJoints(list, operand1, joints2, n),
                                (list) => {
                                    const a = place === 'joints1' || place === 'both' ? list : operand1;
                                    const b = place === 'joints2' || place === 'both' ? list : joints2;
                                    kernels.transformJoints(list, a, b, n);
                                },
                                sameZeros,
                            );
                            expect(changed).toBe(n > 0);
                        }
                    }
                }
            });

            // The C of the text is another sum: test/lists/spec-rows.test.ts.
            if (name === 'paper/c') return;

            it('convertJointQuatsToJointMats; in glTF the transposes', () => {
                for (const seed of SEEDS) {
                    const next = random(400 + seed);
                    for (const n of COUNTS) {
                        const { joints: quats } = poses(next, n + SPARE, seed);
                        const before = matrices(next, n + SPARE, 0);
                        const from = guardedFloats(quats, alignmentOf(n)).view;
                        for (const convention of CONVENTIONS) {
                            const changed = compare(
                                `convertJointQuatsToJointMats (${convention}), N = ${n}, seed ${seed}`,
                                before,
                                (list) => oracle.convertJointQuatsToJointMats(list, quats, n),
                                (list) => {
                                    kernels.convertJointQuatsToJointMats(list, from, { numJoints: n, convention });
                                    if (convention === 'gltf') transposeRotations(list.subarray(0, n * 12));
                                },
                            );
                            expect(changed).toBe(n > 0);
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
                for (const mats of [jointMats(random(850), POOL), borderMats(random(900), POOL)]) {
                    const [actual, expected] = [new Float32Array(POOL * 8), new Float32Array(POOL * 8)];
                    oracle.convertJointMatsToJointQuats(expected, mats, POOL);
                    if (convention === 'gltf') transposeRotations(mats);
                    typescript.convertJointMatsToJointQuats(actual, mats, { convention });
                    const isTranslation = (_: number, i: number) => i % 8 > 3;
                    expectSameBits(
                        actual.filter(isTranslation),
                        expected.filter(isTranslation),
                        4,
                        () => 'translation',
                    );
                    expect(distance(actual, expected)).toBeLessThanOrEqual(1.5e-6);
                }
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
