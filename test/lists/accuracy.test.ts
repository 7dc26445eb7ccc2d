// SPDX-License-Identifier: MIT

/** Every implementation of the joint-list routines against double precision, and what a repeated index means to each. */

import type { JointKernels } from '../../lib/lists';
import { ALIGNMENTS, expectSameBits, guardedFloats, guardedInts } from '../support/bytes';
import { describeJointImplementations } from '../support/implementations';
import {
    bones,
    distinctIndex,
    INNER_LERPS,
    jointMats,
    jointQuatPair,
    jointQuats,
    random,
    repeatingIndex,
    TREE_SHAPES,
    type TreeShape,
    tree,
} from '../support/joint-data';
import {
    type Convention,
    distance,
    distanceToNearest,
    distanceUpToSign,
    lerpReference,
    productReference,
    quaternionReference,
    rotationReference,
    slerpReference,
    transformReference,
    untransformReference,
    Worst,
} from '../support/joint-reference';
import { once, onceFor } from '../support/once';

const COUNTS = [...Array(71).keys(), 1024];
const CONVENTIONS: readonly Convention[] = ['id', 'gltf'];
/** Joints behind those that a call names, which it must leave alone. */
const SPARE = 3;

const alignmentOf = (n: number) => ALIGNMENTS[n % 4]!;

/** 3x3 of a JointMat and its translation. */
const rotationOf = (mats: ArrayLike<number>, joint: number) =>
    [0, 1, 2, 4, 5, 6, 8, 9, 10].map((i) => mats[joint * 12 + i]!);
const translationOf = (mats: ArrayLike<number>, joint: number) => [3, 7, 11].map((i) => mats[joint * 12 + i]!);

type Blend = 'slerpJoints' | 'lerpJoints';

type List = Float32Array | Int32Array;

/** Calls with copies of lists between guards, at places that `n` chooses. Only the first may change; it is returned. */
function callBetweenGuards(n: number, lists: readonly List[], call: (...views: never[]) => void): Float32Array {
    const copies = lists.map((list, i) =>
        (list instanceof Int32Array ? guardedInts : guardedFloats)(list, alignmentOf(n + i)),
    );
    call(...(copies.map(({ view }) => view) as never[]));
    for (const { check } of copies) check();
    for (const [i, { view }] of copies.entries()) {
        if (i > 0) expectSameBits(view, lists[i]!, 1, () => `list ${i} changed, N = ${n}`);
    }
    return copies[0]!.view as Float32Array;
}

/** What is blended, the same for every implementation. */
const blendCases = onceFor((indexed: boolean) => {
    const next = random(indexed ? 11 : 12);
    return COUNTS.flatMap((n) =>
        [0, 1, 2].map((repeat) => {
            const lerp =
                repeat === 0 ? Math.fround(next()) || 0.5 : INNER_LERPS[(n + repeat * 5) % INNER_LERPS.length]!;
            const pair = jointQuatPair(next, n + SPARE);
            // What comes behind the first n must not even be read as an index.
            const indices = [...distinctIndex(next, n + SPARE, n), -1, 2 ** 31 - 1];
            const named = new Set(indexed ? indices.slice(0, n) : Array(n).keys());
            expect(named.size).toBe(n);
            return { n, repeat, lerp, ...pair, indices: indexed ? indices : null, named };
        }),
    );
});

/** For each of them the right rotations of the joints that are named. */
const blendReferences = {
    slerpJoints: onceFor((indexed: boolean) => rightBlends(slerpReference, indexed)),
    lerpJoints: onceFor((indexed: boolean) => rightBlends(lerpReference, indexed)),
};

function rightBlends(reference: typeof slerpReference, indexed: boolean): Map<number, number[][]>[] {
    return blendCases(indexed).map(({ lerp, joints, blendJoints, named }) => {
        const quat = (list: Float32Array, joint: number) => [...list.subarray(joint * 8, joint * 8 + 4)];
        const t = Math.fround(lerp);
        return new Map([...named].map((joint) => [joint, reference(quat(joints, joint), quat(blendJoints, joint), t)]));
    });
}

function blendAccuracy(
    kernels: JointKernels,
    routine: Blend,
    indexed: boolean,
): { rotation: Worst; translation: Worst } {
    const rights = blendReferences[routine](indexed);
    const rotation = new Worst();
    const translation = new Worst();
    for (const [at, { n, repeat, lerp, joints: before, blendJoints, indices, named }] of blendCases(
        indexed,
    ).entries()) {
        const t = Math.fround(lerp);
        const lists = [before, blendJoints, ...(indices === null ? [] : [Int32Array.from(indices)])];
        const result = callBetweenGuards(
            n + repeat,
            lists,
            (joints: Float32Array, blend: Float32Array, index?: Int32Array) =>
                kernels[routine](joints, blend, lerp, index ?? null, n),
        );
        for (let joint = 0; joint < n + SPARE; joint++) {
            const o = joint * 8;
            const actual = result.subarray(o, o + 8);
            const from = before.subarray(o, o + 8);
            const to = blendJoints.subarray(o, o + 8);
            if (!named.has(joint)) {
                expectSameBits(actual, from, 8, () => `${routine}, N = ${n}, joint ${joint} is not in the list`);
                continue;
            }
            const where = () => `N = ${n}, joint ${joint}, lerp ${t}, from ${from}, to ${to}, got ${actual}`;
            rotation.add(distanceToNearest(actual.subarray(0, 4), rights[at]!.get(joint)!), where);
            let [size, off] = [1e-30, 0];
            for (let k = 4; k < 8; k++) {
                size = Math.max(size, Math.abs(from[k]!), Math.abs(to[k]!));
                off = Math.max(off, Math.abs(actual[k]! - (from[k]! * (1 - t) + to[k]! * t)));
            }
            translation.add(off / size, where);
        }
    }
    return { rotation, translation };
}

/** JointQuats, lists to write to, and the right rotations. */
const quatCases = onceFor((convention: Convention) => {
    const next = random(21);
    return COUNTS.map((n) => {
        const quats = jointQuats(next, n + SPARE);
        const untouched = jointMats(next, n + SPARE);
        const right = Array.from({ length: n }, (_, i) =>
            rotationReference([...quats.subarray(i * 8, i * 8 + 4)], convention),
        );
        return { n, quats, untouched, right };
    });
});

/** JointMats, lists to write to, and the right quaternions. */
const matCases = onceFor((convention: Convention) => {
    const next = random(22);
    return COUNTS.map((n) => {
        const mats = jointMats(next, n + SPARE);
        const untouched = jointQuats(next, n + SPARE);
        const right = Array.from({ length: n }, (_, i) => quaternionReference(rotationOf(mats, i), convention));
        return { n, mats, untouched, right };
    });
});

/** Skeletons, and what becomes of them. */
const skeletonCases = {
    transformSkeleton: onceFor((shape: TreeShape) => skeletons('transformSkeleton', shape)),
    untransformSkeleton: onceFor((shape: TreeShape) => skeletons('untransformSkeleton', shape)),
};

function skeletons(routine: 'transformSkeleton' | 'untransformSkeleton', shape: TreeShape) {
    const next = random(31);
    return COUNTS.map((n) => {
        const total = n + SPARE;
        const parentList = tree(next, total, shape);
        const start = bones(next, total);
        // What untransformSkeleton takes apart has to be relative to the model.
        const before =
            routine === 'transformSkeleton'
                ? start
                : Float32Array.from(transformReference(start, parentList, 0, total - 1));
        // Now and then all joints, now and then some in the middle.
        const first = n % 3 === 0 ? 0 : Math.floor(next() * Math.min(n, 5));
        const reference = routine === 'transformSkeleton' ? transformReference : untransformReference;
        const right = reference(before, parentList, first, n - 1);
        const lengths = Float64Array.from({ length: total }, (_, i) => Math.hypot(...translationOf(before, i)));
        return { n, parentList, before, first, right, lengths };
    });
}

const productCases = once(() => {
    const next = random(41);
    return COUNTS.map((n) => {
        const joints1 = jointMats(next, n + SPARE);
        const joints2 = jointMats(next, n + SPARE);
        const untouched = jointMats(next, n + SPARE);
        return { n, joints1, joints2, untouched, right: productReference(joints1, joints2) };
    });
});

describeJointImplementations((kernels, routines, name) => {
    // All of strict give the same bits (test/long/strict/sweep.test.ts), so that one of them tells the errors of all.
    const isMeasured = !name.startsWith('strict/') || name === 'strict/typescript';
    const measured = routines.filter(() => isMeasured);

    for (const routine of ['slerpJoints', 'lerpJoints'] as const) {
        if (!measured.includes(routine)) continue;
        for (const indexed of [false, true]) {
            it(`${routine} is within 1e-6 of double precision for N = 0 … 70 and 1024, ${indexed ? 'any joints' : 'the first joints'}, and touches no others`, () => {
                const { rotation, translation } = blendAccuracy(kernels, routine, indexed);
                rotation.expectWithin(1e-6, `${routine}, rotation`);
                translation.expectWithin(1e-6, `${routine}, translation relative to its size`);
            });
        }
    }

    if (measured.includes('convertJointQuatsToJointMats')) {
        it.each(CONVENTIONS)(
            'convertJointQuatsToJointMats (%s) is within 1e-6 of double precision for N = 0 … 70 and 1024, translations exact',
            (convention) => {
                const worst = new Worst();
                for (const { n, quats, untouched, right } of quatCases(convention)) {
                    const to = callBetweenGuards(n, [untouched, quats], (mats: Float32Array, from: Float32Array) =>
                        kernels.convertJointQuatsToJointMats(mats, from, { numJoints: n, convention }),
                    );
                    expectSameBits(to.subarray(n * 12), untouched.subarray(n * 12), 12, () => `N = ${n}`);
                    for (let i = 0; i < n; i++) {
                        const actual = rotationOf(to, i);
                        worst.add(distance(actual, right[i]!), () => {
                            return `N = ${n}, joint ${i}, ${quats.subarray(i * 8, i * 8 + 4)} gave ${actual}`;
                        });
                        const t = quats.subarray(i * 8 + 4, i * 8 + 7);
                        expectSameBits(translationOf(to, i), t, 3, () => `translation of joint ${i}, N = ${n}`);
                    }
                }
                worst.expectWithin(1e-6, 'convertJointQuatsToJointMats');
            },
        );
    }

    // As published, the C takes the reciprocal square root of one Newton step: defect 18 of docs/tables/papers-defects.md.
    const asPublished = name === 'paper/c' || name.startsWith('blueprint/');
    const bound = asPublished ? 2e-3 : 1e-6;
    it.each(CONVENTIONS)(
        `convertJointMatsToJointQuats (%s) is within ${bound === 1e-6 ? '1e-6' : '2e-3'} of double precision up to sign for N = 0 … 70 and 1024, translations exact`,
        (convention) => {
            const worst = new Worst();
            for (const { n, mats, untouched, right } of matCases(convention)) {
                const to = callBetweenGuards(n, [untouched, mats], (quats: Float32Array, from: Float32Array) =>
                    kernels.convertJointMatsToJointQuats(quats, from, { numJoints: n, convention }),
                );
                expectSameBits(to.subarray(n * 8), untouched.subarray(n * 8), 8, () => `N = ${n}`);
                for (let i = 0; i < n; i++) {
                    const q = to.subarray(i * 8, i * 8 + 4);
                    worst.add(
                        distanceUpToSign(q, right[i]!),
                        () => `N = ${n}, joint ${i}, ${rotationOf(mats, i)} gave ${q}`,
                    );
                    const t = [...translationOf(mats, i), 0];
                    expectSameBits(to.subarray(i * 8 + 4, i * 8 + 8), t, 4, () => `translation of joint ${i}`);
                }
            }
            worst.expectWithin(bound, 'convertJointMatsToJointQuats');
            if (asPublished) {
                // Anything better would not be the published routine; paper/c-exact is the better one.
                expect(worst.error).toBeGreaterThan(1e-4);
            }
        },
    );

    for (const routine of ['transformSkeleton', 'untransformSkeleton'] as const) {
        if (!measured.includes(routine)) continue;
        it.each(TREE_SHAPES)(
            `${routine} is within rounding of double precision for N = 0 … 70 and 1024: %s`,
            (shape) => {
                const worst = new Worst();
                let compared = 0;
                for (const { n, parentList, before, first, right, lengths } of skeletonCases[routine](shape)) {
                    const total = n + SPARE;
                    const last = n - 1;
                    const mats = callBetweenGuards(n, [before, parentList], (list: Float32Array, parents: Int32Array) =>
                        kernels[routine](list, parents, first, last),
                    );

                    const depth = new Float64Array(total);
                    const chain = new Float64Array(total);
                    for (let i = 0; i < total; i++) {
                        const actual = mats.subarray(i * 12, i * 12 + 12);
                        const expected = right.subarray(i * 12, i * 12 + 12);
                        const length = lengths[i]!;
                        const parent = parentList[i]!;
                        if (i < first || i > last || parent < 0) {
                            chain[i] = length;
                            expectSameBits(
                                actual,
                                expected,
                                12,
                                () => `${routine}, N = ${n}, joint ${i} is not to change`,
                            );
                            continue;
                        }
                        compared++;
                        depth[i] = depth[parent]! + 1;
                        chain[i] = chain[parent]! + length;
                        // Taking apart reads the parent as it was given, so no error is handed down.
                        const scale =
                            routine === 'transformSkeleton'
                                ? depth[i]! * (1 + chain[i]!)
                                : 1 + length + lengths[parent]!;
                        worst.add(
                            distance(actual, expected) / scale,
                            () => `N = ${n}, joint ${i}, depth ${depth[i]}, ${[...actual]}, expected ${[...expected]}`,
                        );
                    }
                }
                worst.expectWithin(routine === 'transformSkeleton' ? 2e-7 : 5e-7, `${routine}, relative`);
                expect(compared).toBeGreaterThan(2000);
            },
        );
    }

    if (measured.includes('transformJoints')) {
        it('transformJoints is within 1e-6 of double precision relative to the translations for N = 0 … 70 and 1024', () => {
            const worst = new Worst();
            for (const { n, joints1, joints2, untouched, right } of productCases()) {
                const result = callBetweenGuards(
                    n,
                    [untouched, joints1, joints2],
                    (to: Float32Array, a: Float32Array, b: Float32Array) => kernels.transformJoints(to, a, b, n),
                );
                expectSameBits(result.subarray(n * 12), untouched.subarray(n * 12), 12, () => `N = ${n}`);
                for (let i = 0; i < n; i++) {
                    const actual = result.subarray(i * 12, i * 12 + 12);
                    const scale =
                        1 + Math.hypot(...translationOf(joints1, i)) + Math.hypot(...translationOf(joints2, i));
                    worst.add(
                        distance(actual, right.subarray(i * 12, i * 12 + 12)) / scale,
                        () => `N = ${n}, joint ${i}`,
                    );
                }
            }
            worst.expectWithin(1e-6, 'transformJoints');
        });
    }

    if (routines.includes('slerpJoints')) {
        describe('a joint that the index names twice', () => {
            const quarterTurn = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

            /** Blends joint 0 halfway from nothing to a quarter turn and 8 units, through an index; degrees and units. */
            function blendHalfway(
                routine: 'slerpJoints' | 'lerpJoints',
                index: number[],
            ): { turn: number; move: number } {
                const identity = [0, 0, 0, 1, 0, 0, 0, 0];
                const joints = Float32Array.from(Array(4).fill(identity).flat());
                const blendJoints = Float32Array.from(
                    Array(4)
                        .fill([...quarterTurn, 8, 8, 8, 8])
                        .flat(),
                );
                kernels[routine](joints, blendJoints, 0.5, Int32Array.from(index));
                return { turn: (Math.atan2(joints[2]!, joints[3]!) * 360) / Math.PI, move: joints[4]! };
            }

            const inOneGroup = [0, 0, 1, 2, 3];
            if (name === 'paper/sse') {
                it.each(['slerpJoints', 'lerpJoints'] as const)(
                    '%s blends its rotation once and its translation twice inside a group of four: 45 degrees, 6.0',
                    (routine) => {
                        const { turn, move } = blendHalfway(routine, inOneGroup);
                        expect(turn).toBeCloseTo(45, 4);
                        expect(move).toBe(6);
                    },
                );
                it.each([
                    ['a group and the rest', [0, 1, 2, 3, 0]],
                    ['two groups', [0, 1, 2, 3, 1, 2, 3, 0, 3]],
                    ['the rest', [1, 2, 3, 1, 2, 3, 1, 2, 0, 0]],
                    ['a list of four, which is no group', [0, 0, 1, 2]],
                ])('slerpJoints blends both twice in %s: 67.5 degrees, 6.0', (_, index) => {
                    const { turn, move } = blendHalfway('slerpJoints', index);
                    expect(turn).toBeCloseTo(67.5, 4);
                    expect(move).toBe(6);
                });
            } else {
                it('slerpJoints blends both twice: 67.5 degrees, 6.0', () => {
                    const { turn, move } = blendHalfway('slerpJoints', inOneGroup);
                    expect(turn).toBeCloseTo(67.5, 4);
                    expect(move).toBe(6);
                });
                const repeatable = ['slerpJoints', 'lerpJoints', 'slerpJointsPerJoint'] as const;
                it.each(repeatable.filter((routine) => routines.includes(routine)))(
                    '%s gives the same bits as one call for each mention, in order',
                    (routine) => {
                        const next = random(51);
                        let repeated = 0;
                        for (let n = 2; n <= 70; n++) {
                            const numJoints = 1 + Math.floor(next() * n);
                            const { joints, blendJoints } = jointQuatPair(next, numJoints);
                            const index = repeatingIndex(next, numJoints, n);
                            if (new Set(index).size < n) repeated++;
                            const lerps = Float32Array.from(joints, (_, i) => (i + 1) / (8 * n));
                            const blend = (list: Float32Array, some: Int32Array) =>
                                routine === 'slerpJointsPerJoint'
                                    ? kernels[routine](list, blendJoints, lerps, some)
                                    : kernels[routine](list, blendJoints, INNER_LERPS[n % INNER_LERPS.length]!, some);
                            const oneByOne = joints.slice();
                            for (const joint of index) blend(oneByOne, Int32Array.of(joint));
                            blend(joints, index);
                            expectSameBits(joints, oneByOne, 8, () => `${routine}, N = ${n}`);
                        }
                        expect(repeated).toBeGreaterThan(50);
                    },
                );
            }
        });
    }
});
