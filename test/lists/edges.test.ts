// SPDX-License-Identifier: MIT

/**
 * Edge cases of every implementation of the joint-list routines: of lerp, lengths and skeletons. accuracy.test.ts tests
 * roots, and everything between the edges.
 */

import { bytesOf, expectSameBits, expectSameBytes, firstDifference } from '../support/bytes';
import { describeJointImplementations } from '../support/implementations';
import {
    bones,
    distinctIndex,
    jointMats,
    jointQuatPair,
    jointQuats,
    random,
    TREE_SHAPES,
    tree,
} from '../support/joint-data';

const BLENDS = ['slerpJoints', 'lerpJoints'] as const;
const SKELETONS = ['transformSkeleton', 'untransformSkeleton'] as const;
const COUNTS = [1, 2, 3, 4, 5, 8, 9, 31, 1030];

describeJointImplementations((kernels, routines) => {
    const has = (routine: (typeof routines)[number]) => routines.includes(routine);

    for (const routine of BLENDS.filter(has)) {
        describe(routine, () => {
            it.each([-1, -0, 0, -Infinity, -(2 ** -149), 1e-46])('changes no byte for lerp %d', (lerp) => {
                for (const n of COUNTS) {
                    const { joints, blendJoints } = jointQuatPair(random(n), n);
                    joints.set([-0, Number.NaN, 2 ** -149, Infinity]);
                    const before = bytesOf(joints);
                    kernels[routine](joints, blendJoints, lerp);
                    kernels[routine](joints, blendJoints, lerp, distinctIndex(random(1), n, n));
                    expectSameBytes(bytesOf(joints), before, () => 'joints');
                }
            });

            // 1 - 1e-9 is nearest to 1 in float32.
            it.each([1, 2, 1e300, Infinity, Number.NaN, 1 - 1e-9])('copies every byte for lerp %d', (lerp) => {
                for (const n of COUNTS) {
                    const { joints, blendJoints } = jointQuatPair(random(n), n);
                    blendJoints.set([-0, Number.NaN, 2 ** -149, Infinity]);
                    const indexed = joints.slice();
                    kernels[routine](joints, blendJoints, lerp);
                    expectSameBytes(bytesOf(joints), bytesOf(blendJoints), () => 'joints');

                    const [left, ...copied] = distinctIndex(random(2), n, n);
                    const expected = indexed.slice();
                    for (const joint of copied) {
                        expected.set(blendJoints.subarray(joint * 8, joint * 8 + 8), joint * 8);
                    }
                    expect(left).toBeDefined();
                    kernels[routine](indexed, blendJoints, lerp, Int32Array.of(...copied, -1), copied.length);
                    expectSameBytes(bytesOf(indexed), bytesOf(expected), () => 'indexed');
                }
            });
        });
    }

    if (has('slerpJointsPerJoint')) {
        describe('slerpJointsPerJoint', () => {
            const routine = 'slerpJointsPerJoint';

            it('keeps the edges of slerpJoints for each joint by itself', () => {
                const edges = [-1, -0, 0, -Infinity, -(2 ** -149), 1, 2, Infinity, Number.NaN];
                for (const n of COUNTS) {
                    const { joints, blendJoints } = jointQuatPair(random(n), n);
                    joints.set([-0, Number.NaN, 2 ** -149, Infinity]);
                    blendJoints.set([-0, Number.NaN, 2 ** -149, -Infinity]);
                    const expected = joints.slice();
                    const lerps = Float32Array.from({ length: n }, (_, i) => edges[(i * 5 + n) % edges.length]!);
                    for (let i = 0; i < n; i++) {
                        if (!(lerps[i]! <= 0)) expected.set(blendJoints.subarray(i * 8, i * 8 + 8), i * 8);
                    }
                    const indexed = joints.slice();
                    kernels[routine](joints, blendJoints, lerps);
                    expectSameBytes(bytesOf(joints), bytesOf(expected), () => `N = ${n}`);
                    kernels[routine](indexed, blendJoints, lerps, distinctIndex(random(n), n, n));
                    expectSameBytes(bytesOf(indexed), bytesOf(expected), () => `indexed, N = ${n}`);
                }
            });

            it('goes by the number of the joint, not by the place in the index', () => {
                const n = 21;
                const { joints: before, blendJoints } = jointQuatPair(random(31), n);
                const lerps = Float32Array.from({ length: n }, (_, i) => (i + 0.5) / n);
                const all = before.slice();
                kernels[routine](all, blendJoints, lerps);
                expect(firstDifference(all, before)).toBe(0);
                const [left, ...named] = distinctIndex(random(32), n, n);
                const expected = all.slice();
                expected.set(before.subarray(left! * 8, left! * 8 + 8), left! * 8);
                const indexed = before.slice();
                kernels[routine](indexed, blendJoints, lerps, Int32Array.from(named));
                expectSameBits(indexed, expected, 8, () => routine);
            });
        });
    }

    if (has('normalizeJoints')) {
        describe('normalizeJoints', () => {
            it('normalizes the selected quaternions, and leaves translations and all others unchanged', () => {
                for (const n of COUNTS) {
                    const before = jointQuats(random(n), n).map((x, i) => (i % 8 < 4 ? x * (0.5 + (i % 5)) : x));
                    const index = distinctIndex(random(n + 1), n, Math.ceil(n / 2));
                    for (const named of [null, index]) {
                        const joints = before.slice();
                        kernels.normalizeJoints(joints, named);
                        for (let i = 0; i < n; i++) {
                            const o = i * 8;
                            const isNamed = named === null || named.includes(i);
                            const behind = isNamed ? 4 : 0;
                            expectSameBits(
                                joints.subarray(o + behind, o + 8),
                                before.subarray(o + behind, o + 8),
                                8,
                                () => `joint ${i} of ${n}`,
                            );
                            if (!isNamed) continue;
                            const length = Math.hypot(...joints.subarray(o, o + 4));
                            expect(Math.abs(length - 1)).toBeLessThan(3e-7);
                        }
                    }
                }
            });

            it('leaves zero quaternions unchanged, signs included', () => {
                for (const n of COUNTS) {
                    const joints = jointQuats(random(n), n);
                    for (let i = 0; i < n; i++) joints.set([0, -0, i % 2 ? -0 : 0, -0], i * 8);
                    const before = bytesOf(joints);
                    kernels.normalizeJoints(joints);
                    expectSameBytes(bytesOf(joints), before, () => `N = ${n}`);
                }
            });
        });
    }

    for (const routine of ['convertJointQuatsToJointMats', 'convertJointMatsToJointQuats'] as const) {
        if (!has(routine)) continue;
        describe(routine, () => {
            const toMats = routine === 'convertJointQuatsToJointMats';
            const source = (n: number) => (toMats ? jointQuats : jointMats)(random(n), n);
            const target = (n: number) => (toMats ? jointMats : jointQuats)(random(n + 99), n);
            const width = toMats ? 12 : 8;

            it("takes missing options, empty ones and undefined ones for all joints and 'id'", () => {
                const expected = target(9);
                kernels[routine](expected, source(9), { numJoints: 9, convention: 'id' });
                expect(firstDifference(expected, target(9))).toBeGreaterThanOrEqual(0);
                for (const options of [undefined, {}, { numJoints: undefined, convention: undefined }]) {
                    const result = target(9);
                    kernels[routine](result, source(9), options);
                    expectSameBits(result, expected, width, () => JSON.stringify(options) ?? 'undefined');
                }
            });

            it("turns the other way in 'gltf'", () => {
                const [id, gltf] = (['id', 'gltf'] as const).map((convention) => {
                    const result = target(9);
                    kernels[routine](result, source(9), { convention });
                    return result;
                });
                expect(firstDifference(id!, gltf!)).toBeGreaterThanOrEqual(0);
                if (toMats) {
                    for (let o = 0; o < id!.length; o += 12) {
                        expect([id![o + 1], id![o + 2], id![o + 6]]).toEqual([
                            gltf![o + 4],
                            gltf![o + 8],
                            gltf![o + 9],
                        ]);
                    }
                }
            });
        });
    }

    for (const routine of SKELETONS.filter(has)) {
        describe(routine, () => {
            it('goes from joint 1 to the last by default, and does not read the parent of joint 0', () => {
                for (const shape of TREE_SHAPES) {
                    const parents = tree(random(2), 30, shape);
                    parents[0] = 12345;
                    const [a, b, c] = [
                        () => kernels[routine](results[0]!, parents),
                        () => kernels[routine](results[1]!, parents, 1),
                        () => kernels[routine](results[2]!, parents, undefined, 29),
                    ];
                    const before = bones(random(3), 30);
                    const expected = before.slice();
                    const results = [before.slice(), before.slice(), before.slice()];
                    kernels[routine](expected, parents, 1, 29);
                    expect(firstDifference(expected, before)).toBeGreaterThanOrEqual(12);
                    for (const run of [a!, b!, c!]) run();
                    for (const result of results) expectSameBits(result, expected, 12, () => shape);
                }
            });

            it('touches the joints of its range and no others', () => {
                const parents = tree(random(4), 25, 'chain');
                const before = bones(random(5), 25);
                for (const [first, last] of [
                    [1, 1],
                    [24, 24],
                    [5, 9],
                    [1, 12],
                    [13, 24],
                ] as const) {
                    const mats = before.slice();
                    kernels[routine](mats, parents, first, last);
                    for (let i = 0; i < 25; i++) {
                        const changed = firstDifference(
                            mats.subarray(i * 12, i * 12 + 12),
                            before.subarray(i * 12, i * 12 + 12),
                        );
                        expect(changed >= 0).toBe(i >= first && i <= last);
                    }
                }
            });

            it.each([
                [5, 4],
                [1, 0],
                [0, -1],
                [1, -1],
                [2 ** 31 - 1, 7],
                [1000, 3],
            ])('does nothing from joint %d to %d, whatever parents holds', (first, last) => {
                const mats = bones(random(6), 8);
                const before = bytesOf(mats);
                kernels[routine](mats, new Int32Array(8).fill(77), first, last);
                // An empty range needs no room.
                kernels[routine](mats.subarray(0, 5), new Int32Array(1), first, last);
                expectSameBytes(bytesOf(mats), before, () => 'mats');
            });

            it('does nothing for a single root and for empty lists', () => {
                const root = bones(random(7), 1);
                const before = bytesOf(root);
                kernels[routine](root, Int32Array.of(-1));
                kernels[routine](root, Int32Array.of(-1), 0);
                kernels[routine](root, new Int32Array(0));
                expectSameBytes(bytesOf(root), before, () => 'root');
                const none = new Float32Array(0);
                expect(() => kernels[routine](none, new Int32Array(0))).not.toThrow();
                expect(() => kernels[routine](none, new Int32Array(0), 0)).not.toThrow();
                expect(() => kernels[routine](none, new Int32Array(0), 0, -1)).not.toThrow();
            });
        });
    }
});
