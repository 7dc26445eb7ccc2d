// SPDX-License-Identifier: MIT

/** What fast/* promise: an error of at most 4.8e-7, the edges and the index lists of the strict implementations. */

import type { Kernels } from '../../lib/lists';
import { describeImplementation } from '../support/implementations';
import { jointQuatPair, random } from '../support/joint-data';
import { slerpReference } from '../support/joint-reference';
import { errorsOf, nearRightAngle, type Sample, sample } from '../support/quat-errors';

const BOUND = 4.8e-7;
const { abs, fround, max } = Math;

/** Pairs with a t each, and the right answers. */
function pairsOf(name: 'a' | 'b' | 'c') {
    const lists = sample(name);
    return lists.map(({ from, to, t, slerps }) => ({ from, to, t: new Float32Array(from.length / 4).fill(t), slerps }));
}

/** The greatest error of a component of a list; NaN is an infinite one. */
function errorOf(result: Float32Array, stride: number, slerps: Sample[number]['slerps']): number {
    let worst = 0;
    slerps.forEach((answers, i) => {
        const errors = answers.map((answer) => {
            let error = 0;
            for (let k = 0; k < 4; k++) {
                const off = abs(result[i * stride + k]! - answer[k]!);
                error = off >= 0 ? max(error, off) : Infinity;
            }
            return error;
        });
        worst = max(worst, Math.min(...errors));
    });
    return worst;
}

/** Lists of quaternions as JointQuats. */
function jointsOf(quats: Float32Array): Float32Array {
    const joints = new Float32Array(quats.length * 2);
    for (let i = 0; i < quats.length; i++) joints[(i >> 2) * 8 + (i & 3)] = quats[i]!;
    return joints;
}

for (const name of ['fast/avx2', 'fast/avx512'] as const) {
    describeImplementation(name, (kernels: Kernels) => {
        describe('error of at most 4.8e-7', () => {
            test('slerpQuats', () => {
                for (const lists of [sample('a'), sample('b'), sample('c'), nearRightAngle()]) {
                    const { max: worst, pairs } = errorsOf(kernels.slerpQuats, lists);
                    expect(pairs).toBeGreaterThan(1000);
                    expect(worst).toBeLessThanOrEqual(BOUND);
                    // Fewer terms than strict/*: where the error is this small, something else was measured.
                    expect(worst).toBeGreaterThan(3e-8);
                }
            });

            test('slerpQuatsPerQuat, slerpJointsPerJoint, slerpJoints', () => {
                for (const { from, to, t, slerps } of (['a', 'b', 'c'] as const).flatMap(pairsOf)) {
                    const result = new Float32Array(from.length);
                    kernels.slerpQuatsPerQuat(result, from, to, t);
                    expect(errorOf(result, 4, slerps)).toBeLessThanOrEqual(BOUND);
                    const perJoint = jointsOf(from);
                    kernels.slerpJointsPerJoint(perJoint, jointsOf(to), t);
                    expect(errorOf(perJoint, 8, slerps)).toBeLessThanOrEqual(BOUND);
                    const joints = jointsOf(from);
                    kernels.slerpJoints(joints, jointsOf(to), t[0]!);
                    expect(errorOf(joints, 8, slerps)).toBeLessThanOrEqual(BOUND);
                }
            });

            test('slerpQuatTimes', () => {
                for (const { from, to } of sample('a').slice(0, 40)) {
                    const t = Float32Array.from({ length: 67 }, (_, i) => i / 66);
                    const [q0, q1] = [from.slice(0, 4), to.slice(0, 4)];
                    const result = new Float32Array(t.length * 4);
                    kernels.slerpQuatTimes(result, q0, q1, t);
                    const slerps = Array.from(t, (time) =>
                        time === 1 ? [[...q1]] : slerpReference([...q0], [...q1], time),
                    );
                    expect(errorOf(result, 4, slerps)).toBeLessThanOrEqual(BOUND);
                }
            });
        });

        test('t at and beside 0 and 1: the joint stays, or becomes the other', () => {
            const { joints, blendJoints } = jointQuatPair(random(41), 37);
            for (const [t, expected] of [
                [0, joints],
                [-1, joints],
                [2 ** -150, joints],
                [1, blendJoints],
                [2, blendJoints],
                [1 - 2 ** -40, blendJoints],
                [Number.NaN, blendJoints],
            ] as const) {
                const result = joints.slice();
                kernels.slerpJoints(result, blendJoints, t);
                expect(result).toEqual(expected);
                const perJoint = joints.slice();
                kernels.slerpJointsPerJoint(perJoint, blendJoints, new Float32Array(37).fill(t));
                expect(perJoint).toEqual(expected);
            }
        });

        test('a joint that the index list mentions twice is blended twice, in order', () => {
            const { joints, blendJoints } = jointQuatPair(random(43), 50);
            const index = Int32Array.from([3, 7, 7, 8, 3, 49, 0, 1, 2, 3, 4, 4, 4, 5, 20, 21, 22, 23, 24, 24, 7]);
            const lerps = Float32Array.from({ length: 50 }, (_, i) => fround((i + 1) / 60));
            for (const [all, one] of [
                [
                    (to: Float32Array) => kernels.slerpJoints(to, blendJoints, 0.3, index),
                    (to: Float32Array, i: Int32Array) => kernels.slerpJoints(to, blendJoints, 0.3, i),
                ],
                [
                    (to: Float32Array) => kernels.lerpJoints(to, blendJoints, 0.3, index),
                    (to: Float32Array, i: Int32Array) => kernels.lerpJoints(to, blendJoints, 0.3, i),
                ],
                [
                    (to: Float32Array) => kernels.slerpJointsPerJoint(to, blendJoints, lerps, index),
                    (to: Float32Array, i: Int32Array) => kernels.slerpJointsPerJoint(to, blendJoints, lerps, i),
                ],
            ] as const) {
                const together = joints.slice();
                all(together);
                const oneByOne = joints.slice();
                for (const joint of index) one(oneByOne, Int32Array.of(joint));
                expect(together).toEqual(oneByOne);
                // And what is not mentioned stays.
                expect(together.subarray(6 * 8, 7 * 8)).toEqual(joints.subarray(6 * 8, 7 * 8));
            }
        });
    });
}
