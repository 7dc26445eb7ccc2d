// SPDX-License-Identifier: MIT

/** Compares every implementation of the joint-list routines with double precision, and its effect of a repeated index. */

import { ROUTINES } from '../../lib/lists/routines';
import { expectSameBits, firstDifference } from '../support/bytes';
import { describeJointImplementations, type JointRoutine } from '../support/implementations';
import {
    bones,
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
} from '../support/joint-reference';
import { once } from '../support/once';

/** Whole groups of lanes, with and without a rest. test/lists/every-list.test.ts compares lists of other lengths with these. */
const COUNTS = [...Array(21).keys(), 67, 1027];
const CONVENTIONS: readonly Convention[] = ['id', 'gltf'];

/** 3x3 of a JointMat and its translation. */
const rotationOf = (mats: ArrayLike<number>, joint: number) =>
    [0, 1, 2, 4, 5, 6, 8, 9, 10].map((i) => mats[joint * 12 + i]!);
const translationOf = (mats: ArrayLike<number>, joint: number) => [3, 7, 11].map((i) => mats[joint * 12 + i]!);
const lengthOf = (mats: ArrayLike<number>, joint: number) => Math.hypot(...translationOf(mats, joint));

/** The error of numbers that must be copies: 0 if they are. */
const copied = (actual: ArrayLike<number>, expected: ArrayLike<number>) =>
    firstDifference(actual, expected) < 0 ? 0 : Infinity;

/** A call, and the error of each joint of its result. */
interface Case {
    /** The first of them is written. */
    readonly args: readonly [Float32Array, ...unknown[]];
    readonly errorOf: (result: Float32Array, joint: number) => number;
}

interface Row {
    readonly title: string;
    readonly routine: JointRoutine;
    readonly bound: number;
    /** The same for every implementation. */
    readonly cases: () => readonly Case[];
}

/** Rotations, and translations relative to their size. */
function blendCases(reference: typeof slerpReference): Case[] {
    const next = random(12);
    return COUNTS.flatMap((n) =>
        [Math.fround(next()) || 0.5, ...[5, 10].map((k) => INNER_LERPS[(n + k) % INNER_LERPS.length]!)].map((lerp) => {
            const { joints, blendJoints } = jointQuatPair(next, n);
            const t = Math.fround(lerp);
            const quat = (list: Float32Array, joint: number) => [...list.subarray(joint * 8, joint * 8 + 4)];
            const rights = Array.from({ length: n }, (_, joint) =>
                reference(quat(joints, joint), quat(blendJoints, joint), t),
            );
            const errorOf = (result: Float32Array, joint: number) => {
                let [size, off] = [1e-30, 0];
                for (let k = joint * 8 + 4; k < joint * 8 + 8; k++) {
                    const [from, to] = [joints[k]!, blendJoints[k]!];
                    size = Math.max(size, Math.abs(from), Math.abs(to));
                    off = Math.max(off, Math.abs(result[k]! - (from * (1 - t) + to * t)));
                }
                return Math.max(off / size, distanceToNearest(quat(result, joint), rights[joint]!));
            };
            return { args: [joints, blendJoints, lerp], errorOf };
        }),
    );
}

/** Rotations; translations are copies. */
function toMatsCases(convention: Convention): Case[] {
    const next = random(21);
    return COUNTS.map((n) => {
        const quats = jointQuats(next, n);
        const rights = Array.from({ length: n }, (_, i) =>
            rotationReference([...quats.subarray(i * 8, i * 8 + 4)], convention),
        );
        return {
            args: [new Float32Array(n * 12), quats, { convention }],
            errorOf: (result, joint) =>
                Math.max(
                    distance(rotationOf(result, joint), rights[joint]!),
                    copied(translationOf(result, joint), quats.subarray(joint * 8 + 4, joint * 8 + 7)),
                ),
        };
    });
}

/** Quaternions of either sign; translations are copies. */
function toQuatsCases(convention: Convention): Case[] {
    const next = random(22);
    return COUNTS.map((n) => {
        const mats = jointMats(next, n);
        const rights = Array.from({ length: n }, (_, i) => quaternionReference(rotationOf(mats, i), convention));
        return {
            args: [new Float32Array(n * 8), mats, { convention }],
            errorOf: (result, joint) =>
                Math.max(
                    distanceUpToSign(result.subarray(joint * 8, joint * 8 + 4), rights[joint]!),
                    copied([...result.subarray(joint * 8 + 4, joint * 8 + 8)], [...translationOf(mats, joint), 0]),
                ),
        };
    });
}

/** Relative to the lengths of the bones that add up. */
function skeletonCases(routine: 'transformSkeleton' | 'untransformSkeleton', shape: TreeShape): Case[] {
    const next = random(31);
    const isTransform = routine === 'transformSkeleton';
    return COUNTS.map((n) => {
        const parents = tree(next, n, shape);
        const start = bones(next, n);
        // untransformSkeleton needs matrices relative to the model.
        const before = isTransform ? start : Float32Array.from(transformReference(start, parents, 0, n - 1));
        // Sometimes all joints, sometimes a range in the middle.
        const first = n % 3 === 0 ? 0 : Math.floor(next() * Math.min(n, 5));
        const right = (isTransform ? transformReference : untransformReference)(before, parents, first, n - 1);
        const depth = new Float64Array(n);
        const chain = new Float64Array(n);
        const scales = Array.from({ length: n }, (_, i) => {
            const length = lengthOf(before, i);
            const parent = parents[i]!;
            chain[i] = length;
            // Must not change.
            if (i < first || parent < 0) return 0;
            depth[i] = depth[parent]! + 1;
            chain[i] = chain[parent]! + length;
            // untransformSkeleton reads the parent's input, so errors do not add up.
            return isTransform ? depth[i]! * (1 + chain[i]!) : 1 + length + lengthOf(before, parent);
        });
        return {
            args: [before, parents, first, n - 1],
            errorOf: (result, joint) => {
                const actual = result.subarray(joint * 12, joint * 12 + 12);
                const expected = right.subarray(joint * 12, joint * 12 + 12);
                return scales[joint] === 0 ? copied(actual, expected) : distance(actual, expected) / scales[joint]!;
            },
        };
    });
}

/** Relative to the translations. */
function productCases(): Case[] {
    const next = random(41);
    return COUNTS.map((n) => {
        const [joints1, joints2] = [jointMats(next, n), jointMats(next, n)];
        const right = productReference(joints1, joints2);
        return {
            args: [new Float32Array(n * 12), joints1, joints2],
            errorOf: (result, joint) =>
                distance(result.subarray(joint * 12, joint * 12 + 12), right.subarray(joint * 12, joint * 12 + 12)) /
                (1 + lengthOf(joints1, joint) + lengthOf(joints2, joint)),
        };
    });
}

const row = (routine: JointRoutine, bound: number, what: string, make: () => Case[]): Row => ({
    title: `${routine}${what}`,
    routine,
    bound,
    cases: once(make),
});

const ROWS: readonly Row[] = [
    row('slerpJoints', 1e-6, '', () => blendCases(slerpReference)),
    row('lerpJoints', 1e-6, '', () => blendCases(lerpReference)),
    ...CONVENTIONS.flatMap((convention) => [
        row('convertJointQuatsToJointMats', 1e-6, ` (${convention})`, () => toMatsCases(convention)),
        row('convertJointMatsToJointQuats', 1e-6, ` (${convention})`, () => toQuatsCases(convention)),
    ]),
    ...TREE_SHAPES.flatMap((shape) => [
        row('transformSkeleton', 2e-7, `: ${shape}`, () => skeletonCases('transformSkeleton', shape)),
        row('untransformSkeleton', 5e-7, `: ${shape}`, () => skeletonCases('untransformSkeleton', shape)),
    ]),
    row('transformJoints', 1e-6, '', productCases),
];

describeJointImplementations((kernels, routines, name) => {
    // All strict implementations have the same bits (test/strict/golden.test.ts), so one of them is measured for all.
    const isMeasured = !name.startsWith('strict/') || name === 'strict/typescript';

    for (const { title, routine, bound, cases } of ROWS) {
        if (!isMeasured || !routines.includes(routine)) continue;
        // As published, the C takes the reciprocal square root of one Newton step: defect 18 of docs/tables/papers-defects.md.
        // Anything better would not be the published routine; paper/c-exact is the better one.
        const asPublished = name === 'paper/c' || name.startsWith('blueprint/');
        const [least, most] = asPublished && routine === 'convertJointMatsToJointQuats' ? [1e-4, 2e-3] : [0, bound];
        it(`${title} is within ${most.toExponential()} of double precision`, () => {
            let worst = 0;
            let where = '';
            for (const { args, errorOf } of cases()) {
                const [before, ...others] = args;
                const result = before.slice();
                (kernels[routine] as (...all: unknown[]) => void)(result, ...others);
                const joints = result.length / ROUTINES[routine].lists[0]!.floats;
                for (let joint = 0; joint < joints; joint++) {
                    const error = errorOf(result, joint);
                    if (error <= worst) continue;
                    worst = error;
                    where = `joint ${joint} of ${joints}: ${error}`;
                }
            }
            expect(worst).toBeGreaterThan(least);
            expect([where, worst <= most]).toEqual([where, true]);
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
                    ['a list of four, which is not a group', [0, 0, 1, 2]],
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
                // Those with all routines: orders.test.ts.
                const repeatable = routines.includes('slerpJointsPerJoint')
                    ? []
                    : (['slerpJoints', 'lerpJoints'] as const);
                for (const routine of repeatable) {
                    it(`${routine} gives the same bits as one call for each mention, in order`, () => {
                        const next = random(51);
                        let repeated = 0;
                        for (let n = 2; n <= 70; n++) {
                            const numJoints = 1 + Math.floor(next() * n);
                            const { joints, blendJoints } = jointQuatPair(next, numJoints);
                            const index = repeatingIndex(next, numJoints, n);
                            if (new Set(index).size < n) repeated++;
                            const blend = (list: Float32Array, some: Int32Array) =>
                                kernels[routine](list, blendJoints, INNER_LERPS[n % INNER_LERPS.length]!, some);
                            const oneByOne = joints.slice();
                            for (const joint of index) blend(oneByOne, Int32Array.of(joint));
                            blend(joints, index);
                            expectSameBits(joints, oneByOne, 8, () => `${routine}, N = ${n}`);
                        }
                        expect(repeated).toBeGreaterThan(50);
                    });
                }
            }
        });
    }
});
