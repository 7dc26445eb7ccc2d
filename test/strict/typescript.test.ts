// SPDX-License-Identifier: MIT

/** `strict/typescript` against the orders of operations written out plainly: the same bits, whatever the numbers. */

import { strictKernels } from '../../lib/strict';
import { PQ8, PS9 } from '../../lib/strict/coefficients';
import { ALIGNMENTS, expectSameBits, guardedFloats } from '../support/bytes';
import {
    awkwardMats,
    awkwardPair,
    bones,
    distinctIndex,
    jointMats,
    jointQuatPair,
    random,
    repeatingIndex,
    TREE_SHAPES,
    tree,
} from '../support/joint-data';
import { PQ8 as FITTED_PQ8, PS9 as FITTED_PS9, strictReference as reference } from '../support/strict-reference';

/** Around the four of a round and the 64 of a block; and long lists. */
const COUNTS = [...Array(21).keys(), 62, 63, 64, 65, 66, 127, 128, 129, 130, 300];
const SPARE = 3;
const TIMES = [
    -1,
    0,
    -0,
    2 ** -149,
    1e-20,
    1e-7,
    ...Array.from({ length: 63 }, (_, k) => (k + 1) / 64),
    0.5 + 2 ** -24,
    0.1,
    1 - 2 ** -24,
    1 - 2 ** -26,
    1,
    2,
    Infinity,
    -Infinity,
    Number.NaN,
];
const CONVENTIONS = ['id', 'gltf'] as const;

type Next = () => number;

/** Ordinary and awkward lists in turn. */
const poses = (next: Next, n: number) => (next() < 0.5 ? jointQuatPair : awkwardPair)(next, n + SPARE);
const matrices = (next: Next, n: number) => (next() < 0.5 ? jointMats : awkwardMats)(next, n + SPARE);
const someTimes = (next: Next, n: number) =>
    Float32Array.from({ length: n }, () => (next() < 0.4 ? TIMES[Math.floor(next() * TIMES.length)]! : next()));

/** All joints; some from the first; in any order; the same ones again and again. */
const INDICES: readonly [string, (next: Next, n: number) => Int32Array | null][] = [
    ['without an index', () => null],
    ['with an increasing index', (next, n) => distinctIndex(next, n + SPARE, n).sort()],
    ['with an index in any order', (next, n) => distinctIndex(next, n + SPARE, n)],
    ['with duplicates', (next, n) => repeatingIndex(next, Math.max(1, n >> 1), n)],
    ['with neighbouring duplicates', (_, n) => Int32Array.from({ length: n }, (_, i) => i >> 1)],
];

/** Runs both on copies of the list that is changed, the library's between guards, and compares the bits. */
function compare(
    what: () => string,
    before: Float32Array,
    run: (list: Float32Array) => void,
    runReference: (list: Float32Array) => void,
): void {
    const expected = before.slice();
    runReference(expected);
    const actual = guardedFloats(before, ALIGNMENTS[before.length & 3]!);
    run(actual.view);
    actual.check();
    expectSameBits(actual.view, expected, 4, what);
}

describe('coefficients', () => {
    it.each([
        ['PS9', PS9, FITTED_PS9],
        ['PQ8', PQ8, FITTED_PQ8],
    ])('%s is the fitted set', (_, set, fitted) => {
        expect(set).toEqual(fitted);
    });
});

describe.each(['slerpJoints', 'lerpJoints'] as const)('%s', (routine) => {
    it.each(INDICES)('%s', (_, indexOf) => {
        const next = random(1);
        for (const n of COUNTS) {
            for (let k = 0; k < 6; k++) {
                const t = TIMES[Math.floor(next() * TIMES.length)]!;
                const { joints, blendJoints } = poses(next, n);
                const index = indexOf(next, n);
                compare(
                    () => `${n} joints, t = ${t}`,
                    joints,
                    (list) => strictKernels[routine](list, blendJoints, t, index, n),
                    (list) => reference[routine](list, blendJoints, t, index, n),
                );
            }
        }
    });

    it('at every time', () => {
        const next = random(2);
        for (const t of TIMES) {
            const { joints, blendJoints } = poses(next, 70);
            compare(
                () => `t = ${t}`,
                joints,
                (list) => strictKernels[routine](list, blendJoints, t, null, 70),
                (list) => reference[routine](list, blendJoints, t, null, 70),
            );
        }
    });

    it('of joints with themselves', () => {
        const next = random(3);
        for (const t of TIMES) {
            compare(
                () => `t = ${t}`,
                poses(next, 70).joints,
                (list) => strictKernels[routine](list, list, t, null, 70),
                (list) => reference[routine](list, list.slice(), t, null, 70),
            );
        }
    });
});

describe('slerpJointsPerJoint', () => {
    it.each(INDICES)('%s', (_, indexOf) => {
        const next = random(4);
        for (const n of COUNTS) {
            for (let k = 0; k < 6; k++) {
                const { joints, blendJoints } = poses(next, n);
                const lerps = someTimes(next, n + SPARE);
                const index = indexOf(next, n);
                compare(
                    () => `${n} joints`,
                    joints,
                    (list) => strictKernels.slerpJointsPerJoint(list, blendJoints, lerps, index, n),
                    (list) => reference.slerpJointsPerJoint(list, blendJoints, lerps, index, n),
                );
            }
        }
    });

    it('of joints with themselves', () => {
        const next = random(5);
        const lerps = someTimes(next, 300);
        compare(
            () => '300 joints',
            poses(next, 300).joints,
            (list) => strictKernels.slerpJointsPerJoint(list, list, lerps, null, 300),
            (list) => reference.slerpJointsPerJoint(list, list.slice(), lerps, null, 300),
        );
    });
});

describe('normalizeJoints', () => {
    it.each(INDICES)('%s', (_, indexOf) => {
        const next = random(6);
        for (const n of COUNTS) {
            const { joints } = awkwardPair(next, n + SPARE);
            const index = indexOf(next, n);
            compare(
                () => `${n} joints`,
                joints,
                (list) => strictKernels.normalizeJoints(list, index, n),
                (list) => reference.normalizeJoints(list, index, n),
            );
        }
    });
});

/** Where the result is: apart from both operands, or where one of them or both are. */
const PLACES = ['apart', 'from', 'to', 'both'] as const;

/** Compares a blend of quaternions in all places of its result. */
function compareQuats(
    what: () => string,
    next: Next,
    n: number,
    run: (list: Float32Array, from: Float32Array, to: Float32Array) => void,
    runReference: (list: Float32Array, from: Float32Array, to: Float32Array) => void,
): void {
    const { joints: from, blendJoints: to } = poses(next, n);
    for (const place of PLACES) {
        const before = place === 'apart' ? new Float32Array(from.length).fill(7) : place === 'to' ? to : from;
        compare(
            () => `${what()}, result ${place}`,
            before,
            (list) =>
                run(
                    list,
                    place === 'from' || place === 'both' ? list : from,
                    before === to ? list : place === 'both' ? list : to,
                ),
            (list) => runReference(list, from, place === 'both' ? from : to),
        );
    }
}

describe.each(['slerpQuats', 'lerpQuats'] as const)('%s', (routine) => {
    it('everywhere, at any time', () => {
        const next = random(7);
        for (const n of COUNTS) {
            for (let k = 0; k < 4; k++) {
                const t = TIMES[Math.floor(next() * TIMES.length)]!;
                compareQuats(
                    () => `${n} pairs, t = ${t}`,
                    next,
                    n,
                    (list, from, to) => strictKernels[routine](list, from, to, t, n),
                    (list, from, to) => reference[routine](list, from, to, t, n),
                );
            }
        }
    });
});

describe('slerpQuatsPerQuat', () => {
    it('everywhere, at any times', () => {
        const next = random(8);
        for (const n of COUNTS) {
            for (let k = 0; k < 4; k++) {
                const t = someTimes(next, n);
                compareQuats(
                    () => `${n} pairs`,
                    next,
                    n,
                    (list, from, to) => strictKernels.slerpQuatsPerQuat(list, from, to, t, n),
                    (list, from, to) => reference.slerpQuatsPerQuat(list, from, to, t, n),
                );
            }
        }
    });
});

describe('slerpQuatTimes', () => {
    it('at any times', () => {
        const next = random(9);
        for (const n of COUNTS) {
            const t = someTimes(next, n);
            const { joints, blendJoints } = poses(next, 20);
            for (let o = 0; o < joints.length; o += 8) {
                const [q0, q1] = [joints.subarray(o, o + 4), blendJoints.subarray(o, o + 4)];
                compare(
                    () => `${n} times, pair ${o / 8}`,
                    new Float32Array(n * 4),
                    (list) => strictKernels.slerpQuatTimes(list, q0, q1, t, n),
                    (list) => reference.slerpQuatTimes(list, q0, q1, t),
                );
            }
        }
    });

    it('where the pair lies in the result', () => {
        const next = random(10);
        const t = someTimes(next, 40);
        compare(
            () => 'pair inside',
            poses(next, 17).joints,
            (list) => strictKernels.slerpQuatTimes(list, list.subarray(4, 8), list.subarray(0, 4), t, 40),
            (list) => reference.slerpQuatTimes(list, list.slice(4, 8), list.slice(0, 4), t),
        );
    });

    it('is slerpQuatsPerQuat with the pair repeated', () => {
        const next = random(11);
        const t = someTimes(next, 100);
        const { joints, blendJoints } = poses(next, 1);
        const repeated = (q: Float32Array) => Float32Array.from({ length: 400 }, (_, i) => q[i & 3]!);
        const [once, all] = [new Float32Array(400), new Float32Array(400)];
        strictKernels.slerpQuatTimes(once, joints, blendJoints, t, 100);
        strictKernels.slerpQuatsPerQuat(all, repeated(joints), repeated(blendJoints), t, 100);
        expectSameBits(once, all, 4, () => 'times');
    });
});

describe.each(CONVENTIONS)('conversions, %s', (convention) => {
    it('convertJointQuatsToJointMats', () => {
        const next = random(12);
        for (const n of COUNTS) {
            const { joints } = poses(next, n);
            compare(
                () => `${n} joints`,
                new Float32Array((n + SPARE) * 12),
                (list) => strictKernels.convertJointQuatsToJointMats(list, joints, n, convention),
                (list) => reference.convertJointQuatsToJointMats(list, joints, n, convention),
            );
        }
    });

    it('convertJointMatsToJointQuats', () => {
        const next = random(13);
        for (const n of [...COUNTS, ...COUNTS]) {
            const mats = matrices(next, n);
            compare(
                () => `${n} joints`,
                new Float32Array((n + SPARE) * 8).fill(7),
                (list) => strictKernels.convertJointMatsToJointQuats(list, mats, n, convention),
                (list) => reference.convertJointMatsToJointQuats(list, mats, n, convention),
            );
        }
    });
});

describe.each(['transformSkeleton', 'untransformSkeleton'] as const)('%s', (routine) => {
    it.each(TREE_SHAPES)('%s', (shape) => {
        const next = random(14);
        for (const n of COUNTS) {
            const parents = tree(next, n, shape);
            const first = Math.min(n, Math.floor(next() * 3));
            for (const mats of [bones(next, n + SPARE), awkwardMats(next, n + SPARE)]) {
                compare(
                    () => `joints ${first} to ${n - 1}`,
                    mats,
                    (list) => strictKernels[routine](list, parents, first, n - 1),
                    (list) => reference[routine](list, parents, first, n - 1),
                );
            }
        }
    });
});

describe('transformJoints', () => {
    it.each(PLACES)('result %s', (place) => {
        const next = random(15);
        for (const n of COUNTS) {
            const [left, right] = [matrices(next, n), matrices(next, n)];
            const before = place === 'apart' ? new Float32Array(left.length).fill(7) : place === 'to' ? right : left;
            compare(
                () => `${n} joints`,
                before,
                (list) => {
                    const joints1 = place === 'from' || place === 'both' ? list : left;
                    const joints2 = place === 'to' || place === 'both' ? list : right;
                    strictKernels.transformJoints(list, joints1, joints2, n);
                },
                (list) => reference.transformJoints(list, left, place === 'both' ? left : right, n),
            );
        }
    });
});
